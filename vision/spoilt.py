"""What in the picture itself spoils a die's face: dark, out of focus, a lamp mirrored in it."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision import tuning
from vision.arrays import median
from vision.frame import Image
from vision.seen import Seen


def _part(image: Image, here: Seen, reach: float) -> Image:
    """(H, W, 3) the picture around a die's centre, as far as `reach` sides each way; empty outside the picture."""
    x, y = here.centre
    far = reach * here.side
    return image[max(0, int(y - far)) : int(y + far) + 1, max(0, int(x - far)) : int(x + far) + 1]


def brightness(image: Image, here: Seen) -> float:
    """Median of the brightest channel within the face, levels."""
    part = _part(image, here, 0.35)
    return median(part.max(axis=2)) if part.size else 0.0


def blurred(image: Image, here: Seen) -> bool:
    """Whether no edge around a die is steep in some direction: out of focus, or moved while the shutter was open."""
    part = _part(image, here, 0.75)
    if min(part.shape[:2]) < 3:
        return False
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, (2, 98))
    across, down = (cv2.Sobel(grey, cv2.CV_32F, dx, dy, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
    slopes = (across, down, (across + down) / np.sqrt(2), (across - down) / np.sqrt(2))
    steepest = min(float(np.percentile(np.abs(slope), 99.5)) for slope in slopes)
    return bool(high - low > tuning.BLURRED * here.side * steepest)


def burnt(image: Image, here: Seen) -> bool:
    """Whether most of a die's face is as bright as the sensor can tell."""
    part = _face_part(image, here)
    return bool(part.size and float((part > tuning.GLARE_LEVEL).mean()) > tuning.BURNT_FACE)


def glares(image: Image, seen: Sequence[Seen], number: int) -> bool:
    """Whether a lamp is mirrored in a die's face."""
    part = _face_part(image, seen[number])
    if not part.size or float((part > tuning.GLARE_LEVEL).mean()) <= tuning.GLARE_SHARE:
        return False
    others = [median(_face_part(image, here)) for n, here in enumerate(seen) if n != number]
    body = median(part)
    return body < tuning.GLARE_BODY or bool(others and median(others) < tuning.GLARE_OTHERS * body)


def _face_part(image: Image, here: Seen) -> Image:
    """(H, W) the darkest channel within a face, which a glint fills and a colour does not."""
    part = _part(image, here, 0.5)
    return np.asarray(part.min(axis=2) if part.size else np.zeros((0, 0)), np.uint8)
