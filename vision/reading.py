"""What flows out of vision: frames, dice, readings.

All positions are pixels of the picture as shown (after its EXIF rotation), x to the right, y down, the centre of
the top-left pixel at (0, 0).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red, as OpenCV gives it."""

Trouble = Literal[
    "count",
    "doubtful-face",
    "cocked",
    "cut-off",
    "stacked",
    "hidden",
    "touching-unresolved",
    "glare",
    "dark",
    "blurred",
    "hand",
    "disagree",
    "unexplained",
    "no-dice",
]
"""Why a reading is not sure; the fixed list that scripts rely on."""


class Packed(Protocol):
    """A picture as the camera sent it, unpacked only as far as somebody looks. `size` is (width, height)."""

    size: tuple[int, int]

    def image(self) -> Image: ...

    def grey(self, side: int) -> NDArray[np.uint8]:
        """The picture in grey (H, W), reduced by a whole factor to no less than `side` px on its long side."""

    def same_as(self, other: object) -> bool:
        """Whether `other` is the very same picture, bit by bit."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture from a camera. `number` counts the frames handed out from 0, `taken_at` is in seconds of the
    camera's own clock (only differences mean anything)."""

    number: int
    taken_at: float
    picture: Image | Packed

    @cached_property
    def image(self) -> Image:
        """The whole picture. Unpacking one may raise `vision.photo.PhotoError`."""
        return self.picture if isinstance(self.picture, np.ndarray) else self.picture.image()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, known without unpacking."""
        if isinstance(self.picture, np.ndarray):
            return self.picture.shape[1], self.picture.shape[0]
        return self.picture.size


@dataclass(frozen=True)
class Die:
    """One die seen. `value` is None for a die that is seen but not readable: never a guess.

    `size` is the side of the top face in pixels, `angle` in degrees clockwise from the x axis, in [0, 90),
    `confidence` the probability that `value` is right (0–1)."""

    value: int | None
    centre: tuple[float, float]
    size: float
    angle: float
    confidence: float
    trouble: Trouble | None = None


@dataclass(frozen=True)
class Reading:
    """All dice of one picture. `sure` means: safe to score without asking."""

    dice: tuple[Die, ...]
    troubles: tuple[Trouble, ...]
    sure: bool

    @property
    def values(self) -> tuple[int, ...]:
        """The faces that were read, sorted; dice seen but not readable are left out."""
        return tuple(sorted(die.value for die in self.dice if die.value is not None))


def enlarged(reading: Reading, times: float) -> Reading:
    """`reading` in the pixels of a picture `times` as large."""
    if times == 1:
        return reading
    dice = tuple(
        replace(
            die,
            centre=((die.centre[0] + 0.5) * times - 0.5, (die.centre[1] + 0.5) * times - 0.5),
            size=die.size * times,
        )
        for die in reading.dice
    )
    return replace(reading, dice=dice)
