"""Is a kept calibration still true? Asked quietly whenever the tray is empty."""

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.frame import Image
from vision.lying import Ground, smaller


class Verdict(StrEnum):
    TRUE = "true"
    LIGHT = "light"
    """The light drifted a little: the empty picture is to be taken anew, nobody need know."""
    LAMP = "lamp"
    """Another light: the empty picture is to be taken anew."""
    MOVED = "moved"
    """The camera or the tray stands elsewhere: the calibration is of no use."""
    OTHER = "other"
    """Something lies there, or it is not to be told: nothing is changed."""


@dataclass(frozen=True)
class Recheck:
    """`shift` px, how far the picture moved (0 where nothing could be followed); `light` how many times as bright."""

    verdict: Verdict
    shift: float = 0.0
    light: float = 1.0


def recheck(ground: Ground, image: Image) -> Recheck:
    """Compare the empty tray in `image` (H, W, 3) with that of the calibration."""
    calibration = ground.calibration
    if image.shape != calibration.empty.shape:
        return Recheck(Verdict.MOVED)
    lying = ground.lying(image)
    gain = ground.light(smaller(image)[0])
    light = 1.0 if gain is None else float(gain.mean())
    far = 0.0 if gain is None else float(np.abs(np.log(gain)).max())
    if lying is not None and not len(lying.boxes) and gain is not None:
        if far < tuning.LIGHT_STEADY:
            return Recheck(Verdict.TRUE, 0.0, light)
        return Recheck(Verdict.LIGHT if far < tuning.LIGHT_DRIFT else Verdict.LAMP, 0.0, light)
    shift, trust = moved_by(calibration.around_tray(calibration.empty), calibration.around_tray(image))
    if trust and shift > max(tuning.MOVED_PX * image.shape[1] / 1280, tuning.MOVED_SIDES * calibration.die):
        return Recheck(Verdict.MOVED, shift, light)
    if not trust:
        return Recheck(Verdict.OTHER, 0.0, light)
    return Recheck(Verdict.OTHER if lying is not None else Verdict.LAMP, shift, light)


def renewed(ground: Ground, image: Image) -> Ground:
    """The ground with `image` as its empty tray."""
    return Ground(replace(ground.calibration, empty=image))


def moved_by(before: Image, now: Image) -> tuple[float, bool]:
    """How many px of the pictures lie between what both show, at the worst of the whole and its four quarters, and
    whether it could be followed at all: an even ground without a rim shows nothing to follow."""
    scale = min(1.0, tuning.MOVED_SIDE / max(before.shape[:2]))
    one, other = _edges(before, scale), _edges(now, scale)
    height, width = one.shape
    halves = [(slice(0, height), slice(0, width))] + [
        (rows, columns)
        for rows in (slice(0, height // 2), slice(height // 2, height))
        for columns in (slice(0, width // 2), slice(width // 2, width))
    ]
    shifts = []
    for rows, columns in halves:
        part, again = np.ascontiguousarray(one[rows, columns]), np.ascontiguousarray(other[rows, columns])
        window = cv2.createHanningWindow((part.shape[1], part.shape[0]), cv2.CV_32F)
        (x, y), response = cv2.phaseCorrelate(part, again, window)
        if response > tuning.MOVED_RESPONSE:
            shifts.append(float(np.hypot(x, y)) / scale)
    if not shifts:
        return 0.0, False
    # One quarter may be misled by what lies in it.
    shifts.sort()
    return (shifts[-2] if len(shifts) > 2 else shifts[0]), True


def _edges(image: Image, scale: float) -> NDArray[np.float32]:
    """How steep the picture is everywhere, whatever the light."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    calm = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32)
    steep = np.hypot(cv2.Sobel(calm, cv2.CV_32F, 1, 0), cv2.Sobel(calm, cv2.CV_32F, 0, 1))
    return np.asarray(np.minimum(steep, tuning.MOVED_STEEP), np.float32)
