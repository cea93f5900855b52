"""Small pictures of single dice, from the vision process to the table through shared memory.

They are cut from the camera's full picture when a reading is told, so that each can stand on the screen beside the
drawn die. Neither side waits for the other: a reading says which writing its crops belong to, and crops that were
written over since are gone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reading import Die, Image

SIDE = 96
"""Side of a crop in pixels: no more than a drawn die beside it on a large screen shows."""

MOST = 12
"""Dice of one reading that get a crop: more than any game has, so that dice too many can be shown too."""

AROUND = 1.9
"""Side of what is cut out over the side of the die's face: a die standing on its corner still shows whole."""

_HEADER = 2  # int64: write count (odd while writing), how many crops
BYTES = _HEADER * 8 + MOST * SIDE * SIDE * 3


class Crops:
    """A table of crops in `memory` from byte `offset` on, one writer and one reader."""

    def __init__(self, memory: memoryview | None, offset: int) -> None:
        self._header = np.ndarray((_HEADER,), np.int64, memory, offset)
        self._pixels = np.ndarray((MOST, SIDE, SIDE, 3), np.uint8, memory, offset + _HEADER * 8)

    def write(self, image: Image, dice: Sequence[Die]) -> int:
        """Cut the first `MOST` of these dice out of the picture they were read in; returns the number to ask for them
        by."""
        count = min(len(dice), MOST)
        self._header[0] += 1 + int(self._header[0]) % 2  # a writer that died half-way left it odd
        for place, die in enumerate(dice[:count]):
            self._pixels[place] = crop(image, die)
        self._header[1] = count
        self._header[0] += 1
        return int(self._header[0])

    def read(self, number: int) -> tuple[NDArray[np.uint8], ...]:
        """The crops written as `number`, die by die, each (SIDE, SIDE, 3) red-green-blue; none when they were written
        over."""
        if number <= 0 or number % 2 or int(self._header[0]) != number:
            return ()
        pixels = self._pixels[: int(self._header[1])].copy()
        return tuple(pixels) if int(self._header[0]) == number else ()


def crop(image: Image, die: Die) -> NDArray[np.uint8]:
    """The die and a rim of what is around it, (SIDE, SIDE, 3) red-green-blue; beyond the picture's edge its last
    pixels go on."""
    import cv2  # late: the table only reads crops, and is 30 MB smaller without

    side = max(2.0, AROUND * die.size)
    scale = SIDE / side
    x, y = die.centre
    there = np.array([[scale, 0, SIDE / 2 - 0.5 - scale * x], [0, scale, SIDE / 2 - 0.5 - scale * y]])
    if scale < 1:  # a plain warp would skip pixels and let the pips flicker
        half = int(side / 2) + 2
        x0, y0 = max(0, int(x) - half), max(0, int(y) - half)
        part = image[y0 : int(y) + half, x0 : int(x) + half]
        image = np.asarray(cv2.blur(part, (max(1, round(1 / scale)),) * 2), np.uint8) if part.size else image
        there[:, 2] += scale * np.array([x0, y0]) if part.size else 0
    cut = cv2.warpAffine(image, there, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2RGB), np.uint8)
