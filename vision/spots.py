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
    """Where pips are sought: in `boxes` (B, 4) x0, y0, x1, y1 px, on faces of about `side` px."""

    boxes: Indices
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
        inner, *tops = _tops(grey, _windows(grey, octave, within))
        for dark, answers in zip((True, False), tops, strict=True):
            if not cv2.countNonZero(answers):
                continue
            centres = np.asarray(cv2.findNonZero(answers), np.int32).reshape(-1, 2)
            lift = _standing_out(inner, centres, dark)
            best = np.argsort(-lift, kind="stable")[: tuning.BLOBS_PER_OCTAVE]
            best = best[lift[best] > tuning.SPOT_LIFT]
            found.append((octave, dark, centres[best].astype(np.float64)))
    counts = [len(centres) for _, _, centres in found]
    return Spots(
        np.repeat([octave for octave, _, _ in found], counts).astype(np.intp),
        np.repeat([dark for _, dark, _ in found], counts).astype(np.bool_),
        np.concatenate([centres for _, _, centres in found]),
    )


def _windows(grey: Grey, octave: int, within: Search | None) -> list[tuple[int, int, int, int]]:
    """x0, y0, x1, y1 in px of that octave, where its spots are sought."""
    height, width = grey.shape
    if within is None:
        return [(0, 0, width, height)]
    least, most = np.floor(within.boxes[:, :2] / 2**octave), np.ceil(within.boxes[:, 2:] / 2**octave)
    windows = np.clip(np.concatenate([least, most], axis=1), 0, [width, height, width, height]).astype(int)
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in windows.tolist() if x0 < x1 and y0 < y1]


def _tops(grey: Grey, windows: list[tuple[int, int, int, int]]) -> tuple[Grey, Grey, Grey]:
    """The picture slightly blurred, and where dark and where light spots are (255, else 0); right in the windows."""
    inner, dark, light = np.zeros_like(grey), np.zeros_like(grey), np.zeros_like(grey)
    pad = tuning.SPOT_PAD
    for x0, y0, x1, y1 in windows:
        above, before = min(pad, y0), min(pad, x0)
        part = grey[y0 - above : y1 + pad, x0 - before : x1 + pad]
        core = (slice(above, above + y1 - y0), slice(before, before + x1 - x0))
        near = cv2.GaussianBlur(part, (0, 0), tuning.BLOB_SIGMA)
        far = cv2.GaussianBlur(part, (0, 0), tuning.BLOB_SIGMA * tuning.BLOB_RATIO)
        # The lift of a spot is measured beyond its window too.
        inner[y0 - above : y1 + pad, x0 - before : x1 + pad] = near
        for tops, answer in ((dark, cv2.subtract(far, near)), (light, cv2.subtract(near, far))):
            # Saturated: the other polarity's half is zero.
            highest = cv2.compare(answer, cv2.dilate(answer, _SQUARE), cv2.CMP_EQ)
            plain = cv2.threshold(answer, tuning.BLOB_LEVELS, 255, cv2.THRESH_BINARY)[1]
            tops[y0:y1, x0:x1] = cv2.bitwise_and(highest, plain)[core]
    return inner, dark, light


def _standing_out(grey: Grey, centres: NDArray[np.int32], dark: bool) -> NDArray[np.int16]:
    """Levels by which each centre differs from 6 of the 8 points around it: beside a pip there may be
    another one or the end of the die, but an edge or a streak differs on two sides only."""
    height, width = grey.shape
    around = np.rint(_EIGHT * RADIUS * 1.75).astype(np.int32)
    x, y = centres.T
    columns = np.clip(x + around[:, :1], 0, width - 1)
    rows = np.clip(y + around[:, 1:], 0, height - 1)
    ring = grey.ravel().take(rows * width + columns).astype(np.int16)
    middle = grey.ravel().take(y * width + x).astype(np.int16)
    lift = list(ring - middle if dark else middle - ring)
    for least in range(3):  # the third smallest of eight, by exchanging whole columns
        for other in range(least + 1, 8):
            one, two = lift[least], lift[other]
            lift[least], lift[other] = np.minimum(one, two), np.maximum(one, two)
    return np.asarray(lift[2], np.int16)
