"""What flows out of vision: dice and readings.

All positions are pixels of the picture as shown (after its EXIF rotation), x to the right, y down, the centre of
the top-left pixel at (0, 0).
"""

from dataclasses import dataclass, replace
from typing import Literal

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
