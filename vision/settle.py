"""Is the tray moving or still? A look at every frame, far cheaper than reading it.

Each frame is brought to a small grey picture and compared with the one before and with the last still one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.reading import Frame

Grey = NDArray[np.uint8]


class Motion(StrEnum):
    STILL = "still"
    MOVING = "moving"
    HAND = "hand"
    """So much of the picture differs from the last still one that it is no die."""


@dataclass(frozen=True)
class Look:
    """`motion` now; `still_for` seconds since the last movement; `same` when the frame is the previous one again;
    `changed` share of the picture that differs from the last still one."""

    motion: Motion
    still_for: float
    same: bool
    changed: float


class Settle:
    """Watches frames in the order they were taken."""

    def __init__(self) -> None:
        self._before: Grey | None = None
        self._still: Grey | None = None
        self._moved_at: float | None = None

    def look(self, frame: Frame) -> Look:
        """Compare `frame` with what came before. The first frame counts as still, not yet for any time; one of another
        size as movement, since nobody can tell what moved meanwhile."""
        now = small_grey(frame)
        before, self._before = self._before, now
        if before is None or before.shape != now.shape:
            self._still, self._moved_at = now, frame.taken_at
            return Look(Motion.STILL if before is None else Motion.MOVING, 0.0, same=False, changed=0.0)
        differs = cv2.absdiff(before, now)
        same = not differs.any()
        moved = not same and _changed(differs) > tuning.MOVED_AREA
        changed = 0.0 if self._still is None else _changed(cv2.absdiff(self._still, now))
        if moved or self._moved_at is None:
            self._moved_at = frame.taken_at
        if not moved:
            return Look(Motion.STILL, frame.taken_at - self._moved_at, same=same, changed=changed)
        return Look(Motion.HAND if changed > tuning.HAND_AREA else Motion.MOVING, 0.0, same=False, changed=changed)

    def in_place(self, frame: Frame, places: Sequence[tuple[float, float]], side: float) -> list[int]:
        """Which of `places` (x, y in px of the frame) look as they did in the still picture, `side` px wide."""
        if self._still is None or self._before is None or self._still.shape != self._before.shape:
            return []
        scale = self._before.shape[1] / frame.size[0]
        reach = max(1.0, 0.35 * side * scale)
        alike = []
        for index, (x, y) in enumerate(places):
            rows = slice(max(0, round(y * scale - reach)), max(0, round(y * scale + reach)) + 1)
            columns = slice(max(0, round(x * scale - reach)), max(0, round(x * scale + reach)) + 1)
            now, then = self._before[rows, columns], self._still[rows, columns]
            if now.size and float(cv2.absdiff(now, then).mean()) < tuning.IN_PLACE_LEVELS:
                alike.append(index)
        return alike

    def settled(self) -> None:
        """The present picture is the still one to compare with from now on."""
        self._still = self._before


@lru_cache(maxsize=1)
def small_grey(frame: Frame) -> Grey:
    """`frame` in grey, `tuning.GLANCE_SIDE` px long or a little more; packed or whole makes no difference."""
    picture = frame.picture
    if isinstance(picture, np.ndarray):
        small = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        while max(small.shape) >= 4 * tuning.GLANCE_SIDE:
            small = _resized(small, _halved(small.shape[::-1]))  # several times quicker than any other factor
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


def _resized(grey: Grey, size: tuple[int, int]) -> Grey:
    if grey.shape[::-1] == size:
        return grey
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _changed(differs: NDArray[np.integer | np.floating]) -> float:
    """Share of the pixels that changed by more than noise does."""
    above = cv2.threshold(differs, tuning.CHANGED_LEVELS, 255, cv2.THRESH_BINARY)[1]
    return cv2.countNonZero(above) / differs.size
