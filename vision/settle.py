"""Is the tray moving or still? A look at every frame, far cheaper than reading it.

Each frame is brought to a small grey picture and compared with the one before and with the last still one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags
from vision.frame import Frame, Image

Grey = NDArray[np.uint8]


class Motion(StrEnum):
    STILL = "still"
    MOVING = "moving"
    HAND = "hand"
    """So much of the picture differs from the last still one, or so large a patch at its border, that it is no die."""


@dataclass(frozen=True)
class Look:
    """`motion` now; `still_for` seconds since the last movement; `same` when the frame is the previous one again;
    `changed` share of the picture that differs from the last still one; `by_hand` when the movement that goes on, or
    was the last, reaches in from the border of the picture: dice roll inside it at last."""

    motion: Motion
    still_for: float
    same: bool
    changed: float
    by_hand: bool = False


class Settle:
    """Watches frames in the order they were taken."""

    def __init__(self) -> None:
        self._before: Grey | None = None
        self._still: Grey | None = None
        self._moved_at: float | None = None
        self._reached_in_at = -math.inf
        self._hand: Flags | None = None
        """Where a hand reaches in: the largest patch at the border that differs from the still picture."""

    def look(self, frame: Frame, side: float | None = None) -> Look:
        """Compare `frame` with what came before. The first frame counts as still, not yet for any time; one of another
        size as movement, since nobody can tell what moved meanwhile. `side` of a die in px of the frame, where it is
        known, tells a hand from dice."""
        now = small_grey(frame)
        before, self._before = self._before, now
        if before is None or before.shape != now.shape:
            self._still, self._moved_at = now, frame.taken_at
            return Look(Motion.STILL if before is None else Motion.MOVING, 0.0, same=False, changed=0.0)
        differs = cv2.absdiff(before, now)
        same = not differs.any()
        moved = not same and _changed(differs) > tuning.MOVED_AREA
        from_still = None if self._still is None else cv2.absdiff(self._still, now)
        changed = 0.0 if from_still is None else _changed(from_still)
        if moved or self._moved_at is None:
            self._moved_at = frame.taken_at
        if not moved:
            by_hand = self._moved_at - self._reached_in_at <= tuning.DRAWN_BACK
            return Look(Motion.STILL, frame.taken_at - self._moved_at, same=same, changed=changed, by_hand=by_hand)
        face = (side or tuning.DIE_OF_PICTURE * frame.size[0]) * now.shape[1] / frame.size[0]
        if _reaching_in(differs).sum() > tuning.FINGERTIP * face**2:
            self._reached_in_at = frame.taken_at
        self._hand = None if from_still is None else _reaching_in(from_still)
        if self._hand is not None and self._hand.sum() <= tuning.HAND_FACES * face**2:
            self._hand = None
        hand = changed > tuning.HAND_AREA or self._hand is not None
        by_hand = frame.taken_at - self._reached_in_at <= tuning.DRAWN_BACK
        return Look(Motion.HAND if hand else Motion.MOVING, 0.0, same=False, changed=changed, by_hand=by_hand)

    def in_place(self, frame: Frame, places: Sequence[tuple[float, float]], side: float) -> list[int]:
        """Which of `places` (x, y in px of the frame) look as they did in the still picture, `side` px wide."""
        if self._still is None or self._before is None or self._still.shape != self._before.shape:
            return []
        alike = []
        for index, part in enumerate(self._parts(frame, places, side)):
            now, then = self._before[part], self._still[part]
            if now.size and float(cv2.absdiff(now, then).mean()) < tuning.IN_PLACE_LEVELS:
                alike.append(index)
        return alike

    def under_hand(self, frame: Frame, places: Sequence[tuple[float, float]], side: float) -> list[int]:
        """Over which of `places` (as for `in_place`) a hand is, that reaches in from the border."""
        hand = self._hand
        if hand is None:
            return []
        parts = self._parts(frame, places, side)
        return [index for index, part in enumerate(parts) if hand[part].size and hand[part].mean() > tuning.UNDER_HAND]

    def _parts(self, frame: Frame, places: Sequence[tuple[float, float]], side: float) -> list[tuple[slice, slice]]:
        """The middle of a die `side` px wide at each of `places`, in the small picture."""
        if self._before is None:
            return []
        scale = self._before.shape[1] / frame.size[0]
        reach = max(1.0, 0.35 * side * scale)
        return [
            (
                slice(max(0, round(y * scale - reach)), max(0, round(y * scale + reach)) + 1),
                slice(max(0, round(x * scale - reach)), max(0, round(x * scale + reach)) + 1),
            )
            for x, y in places
        ]

    def settled(self) -> None:
        """The present picture is the still one to compare with from now on."""
        self._still = self._before


@lru_cache(maxsize=1)
def small_grey(frame: Frame) -> Grey:
    """`frame` in grey, `tuning.GLANCE_SIDE` px long or a little more; packed or whole makes no difference."""
    picture = frame.picture
    if isinstance(picture, np.ndarray):
        while max(picture.shape[:2]) >= 4 * tuning.GLANCE_SIDE:  # an eighth quicker than after it is made grey
            picture = _resized(picture, _halved(picture.shape[1::-1]))
        small = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    else:
        small = picture.grey(tuning.GLANCE_SIDE)
    return np.asarray(cv2.blur(_resized(small, _glance_size(frame.size)), (3, 3)), np.uint8)


def _glance_size(size: tuple[int, ...]) -> tuple[int, int]:
    """Width and height at which frames of this width and height are compared."""
    while max(size) >= 4 * tuning.GLANCE_SIDE:
        size = _halved(size)
    times = max(1, round(max(size) / tuning.GLANCE_SIDE))
    return max(1, size[0] // times), max(1, size[1] // times)


def _halved(size: tuple[int, ...]) -> tuple[int, int]:
    return max(1, size[0] // 2), max(1, size[1] // 2)


def _resized(picture: Grey | Image, size: tuple[int, int]) -> NDArray[np.uint8]:
    """By a whole factor where the few pixels at the far borders that make no whole cell are left out for it: that is
    three times as quick as any other."""
    (high, wide), (w, h) = picture.shape[:2], size
    if (wide, high) == size:
        return picture
    times = wide // w
    if times > 1 and times == high // h and wide - times * w < times and high - times * h < times:
        picture = picture[: times * h, : times * w]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _reaching_in(differs: NDArray[np.integer | np.floating]) -> Flags:
    """The largest patch that changed by more than noise does and touches the border of the picture."""
    above = cv2.threshold(differs, tuning.CHANGED_LEVELS, 255, cv2.THRESH_BINARY)[1]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(above, np.uint8))
    height, width = above.shape[:2]
    x, y, wide, high, area = stats.T
    touches = (x == 0) | (y == 0) | (x + wide == width) | (y + high == height)
    touches[0] = False
    if count < 2 or not touches.any():
        return np.zeros((height, width), bool)
    return np.asarray(labels == int(np.argmax(np.where(touches, area, 0))))


def _changed(differs: NDArray[np.integer | np.floating]) -> float:
    """Share of the pixels that changed by more than noise does."""
    above = cv2.threshold(differs, tuning.CHANGED_LEVELS, 255, cv2.THRESH_BINARY)[1]
    return cv2.countNonZero(above) / differs.size
