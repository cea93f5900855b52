"""Spots: places darker or lighter than the ring around them, at every scale a tray can hold.

Extremes of differences of Gaussians over octaves, a bounded number per layer.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags, Floats, Grey, Indices

_EIGHT = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=1)
RADIUS = 1.8 * tuning.BLOB_SIGMA
"""px of its octave: a disc of this radius answers most strongly to the blob filter."""
_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Search:
    """Where pips are sought: where `near` (H, W) is 255, else 0, on faces of about `side` px."""

    near: Grey
    side: float

    def holds(self, octave: int) -> bool:
        """Whether pips of the size that this octave finds can be on such a face."""
        low, high = tuning.PIP_PER_SIDE
        radius = RADIUS * 2.0**octave
        return low * self.side < 1.8 * radius and radius < 1.8 * high * self.side


@dataclass(frozen=True, eq=False)
class Spots:
    """One per row, by octave: `octave` (N,) it was found in, `dark` (N,) or else light, `centre` (N, 2) x, y in px of
    that octave."""

    octave: Indices
    dark: Flags
    centre: Floats


def halvings(grey: Grey) -> list[Grey]:
    """`grey` (H, W), and each time half the size of the one before."""
    octaves = [grey]
    for _ in range(tuning.OCTAVES - 1):
        height, width = octaves[-1].shape
        if min(height, width) < 16:
            break  # nothing that large fits in
        half = cv2.resize(octaves[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        octaves.append(np.asarray(half, np.uint8))
    return octaves


def find_spots(octaves: list[Grey], within: Search | None = None) -> Spots:
    """The strongest answers of every octave that stand out from what surrounds them on all sides."""
    found = [(0, True, np.zeros((0, 2)))]
    for octave, grey in enumerate(octaves):
        if within is not None and not within.holds(octave):
            continue
        inner, *tops = _tops(grey)
        near = None if within is None else cv2.resize(within.near, grey.shape[::-1], interpolation=cv2.INTER_NEAREST)
        for dark, answers in zip((True, False), tops, strict=True):
            if near is not None:
                np.bitwise_and(answers, near, out=answers)
            rows, columns = np.divmod(np.flatnonzero(answers.view(np.bool_)), grey.shape[1])
            lift = _standing_out(inner, rows, columns, dark)
            plain = np.flatnonzero(lift > tuning.SPOT_LIFT)
            best = plain[np.argsort(-lift[plain], kind="stable")[: tuning.BLOBS_PER_OCTAVE]]
            found.append((octave, dark, np.stack([columns[best], rows[best]], axis=1).astype(np.float64)))
    counts = [len(centres) for _, _, centres in found]
    return Spots(
        np.repeat([octave for octave, _, _ in found], counts).astype(np.intp),
        np.repeat([dark for _, dark, _ in found], counts).astype(np.bool_),
        np.concatenate([centres for _, _, centres in found]),
    )


def _tops(grey: Grey) -> tuple[Grey, Grey, Grey]:
    """The picture slightly blurred, and where dark and where light spots are (1, else 0)."""
    near = cv2.GaussianBlur(grey, (0, 0), tuning.BLOB_SIGMA)
    far = cv2.GaussianBlur(grey, (0, 0), tuning.BLOB_SIGMA * tuning.BLOB_RATIO)
    dark, light = (_highest(cv2.subtract(high, low)) for high, low in ((far, near), (near, far)))
    return np.asarray(near, np.uint8), dark, light


def _highest(answer: cv2.typing.MatLike) -> Grey:
    """Where `answer` is plain and nowhere higher around (1, else 0). Takes `answer` for its own."""
    around = cv2.dilate(answer, _SQUARE)
    highest = cv2.compare(answer, around, cv2.CMP_EQ, around)
    plain = cv2.threshold(answer, tuning.BLOB_LEVELS, 1, cv2.THRESH_BINARY, answer)[1]
    return np.asarray(cv2.bitwise_and(highest, plain, plain), np.uint8)


def _standing_out(grey: Grey, rows: Indices, columns: Indices, dark: bool) -> NDArray[np.int16]:
    """Levels by which each centre differs from 6 of the 8 points around it: beside a pip there may be
    another one or the end of the die, but an edge or a streak differs on two sides only."""
    around = np.rint(_EIGHT * RADIUS * 1.75).astype(np.intp)
    rim = int(np.abs(around).max())
    padded: Grey = np.asarray(cv2.copyMakeBorder(grey, rim, rim, rim, rim, cv2.BORDER_REPLICATE), np.uint8)
    width = padded.shape[1]
    middle = (rows + rim) * width + columns + rim
    levels = (padded if dark else np.invert(padded)).ravel()  # from here on all are dark
    ring = list(levels.take(middle + (around[:, 1:] * width + around[:, :1])))
    for least in range(3):  # the third smallest of eight, by exchanging whole columns
        for other in range(least + 1, 8):
            one, two = ring[least], ring[other]
            ring[least], ring[other] = np.minimum(one, two), np.maximum(one, two)
    return np.asarray(ring[2].astype(np.int16) - levels.take(middle), np.int16)
