"""Cuts a single die out of a picture, to be shown by itself."""

import cv2
import numpy as np

from vision.frame import Image
from vision.reading import Die

AROUND = 1.9
"""Side of what is cut out over the side of the die's face: a die standing on its corner still shows whole."""


def crop(image: Image, die: Die, side: int) -> Image:
    """The die and a rim of what is around it, (side, side, 3) red-green-blue; beyond the picture's edge its last
    pixels go on."""
    reach = max(2.0, AROUND * die.size)
    scale = side / reach
    x, y = die.centre
    there = np.array([[scale, 0, side / 2 - 0.5 - scale * x], [0, scale, side / 2 - 0.5 - scale * y]])
    if scale < 1:  # a plain warp would skip pixels and let the pips flicker
        half = int(reach / 2) + 2
        x0, y0 = max(0, int(x) - half), max(0, int(y) - half)
        part = image[y0 : int(y) + half, x0 : int(x) + half]
        image = np.asarray(cv2.blur(part, (max(1, round(1 / scale)),) * 2), np.uint8) if part.size else image
        there[:, 2] += scale * np.array([x0, y0]) if part.size else 0
    cut = cv2.warpAffine(image, there, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2RGB), np.uint8)
