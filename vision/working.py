"""The size that the reader works at."""

import cv2
import numpy as np

from vision import tuning
from vision.frame import Image


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
    return resized(image, size)


def resized(image: Image, size: tuple[int, int]) -> Image:
    """The picture at `size` (width, height). Whole halves are taken off by areas; an odd ratio by areas takes ten times
    as long as by lines, and shows no more where it is near 1."""
    while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1] and min(image.shape[:2]) >= 2:
        half = image.shape[1] // 2, image.shape[0] // 2
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    if image.shape[1::-1] == size:
        return image
    by_areas = size[0] < tuning.BY_LINES * image.shape[1] or size[1] < tuning.BY_LINES * image.shape[0]
    how = cv2.INTER_AREA if by_areas else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)
