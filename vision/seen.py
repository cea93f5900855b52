"""A die taken, as the doubts about it look at it: where and how it lies in the working picture."""

from dataclasses import dataclass

import numpy as np

from vision.agree import Weighed
from vision.arrays import Floats
from vision.choice import Choice


@dataclass(frozen=True, eq=False)
class Seen:
    """A die taken, in px of the working picture; `row` is the pip reader's hypothesis of its value, −1 without."""

    die: Weighed
    row: int
    centre: Floats
    half: Floats
    side: float

    @classmethod
    def of(cls, die: Weighed, scale: float, choice: Choice) -> "Seen":
        row = die.place.rows[die.value - 1]
        if row >= 0:
            faces = choice.faces
            return cls(die, row, faces.centre[row], faces.half[row], float(faces.side[row]))
        side, half = die.place.size * scale, die.shown_half
        shape = np.eye(2) * (side / 2) if half is None else half * scale
        return cls(die, row, np.array(centre_of(die, scale)), shape, side)

    @property
    def pips_shown(self) -> bool:
        """Whether pips tell how it lies."""
        return self.row >= 0 or self.die.shown_half is not None

    @property
    def corners(self) -> Floats:
        """(4, 2) of its square."""
        return np.asarray(self.centre + np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ self.half.T)


def centre_of(one: Weighed, scale: float) -> tuple[float, float]:
    x, y = one.place.centre
    return (x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5
