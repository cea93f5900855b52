"""The size that the reader works at."""

import cv2
import numpy as np

from vision import tuning
from vision.reading import Image


def working_scale(image: Image) -> float:
    """Size of the working picture over that of `image`."""
    longest = max(*image.shape[:2], 1)
    if tuning.ENLARGE_BELOW <= longest <= tuning.WORK_SIDE:
        return 1.0
    return float(min(tuning.WORK_SIDE / longest, tuning.ENLARGE_AT_MOST))


def working_picture(image: Image) -> tuple[Image, float]:
    """The picture at the size the reader works at, and that size over the original's."""
    scale = working_scale(image)
    return image if scale == 1.0 else scaled(image, scale), scale


def scaled(image: Image, scale: float) -> Image:
    """The picture `scale` times as large, at least one pixel."""
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)
