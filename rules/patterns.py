"""Faces to points: what a throw shows, apart from any game.

A box asks for one pattern. The seven games need five kinds:

- ``face``: the dice that show one face (ones … sixes)
- ``groups``: so many alike, each group of another face (``[2]`` a pair, ``[3, 2]`` a full house, ``[5]`` a
  Yatzy)
- ``faces``: these faces must all be there (1-2-3-4-5)
- ``straight``: so many faces in sequence, wherever they start
- ``any``: every throw

Where a throw shows a pattern in more than one way, the dice with the highest sum count.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a box asks the dice to show; only the field that belongs to ``kind`` is used."""

    kind: str
    face: int = 0
    groups: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    length: int = 0


def alike(dice: Sequence[int]) -> bool:
    """Whether all dice show one face: a Yahtzee, a Yatzy, a Kniffel or, with six dice, a Maxi Yatzy."""
    return len(dice) > 0 and dice.count(dice[0]) == len(dice)


def shown(pattern: Pattern, dice: Sequence[int]) -> int | None:
    """The sum of the dice that form the pattern, at its best, or None where the throw does not show it."""
    if pattern.kind == "face":
        return pattern.face * dice.count(pattern.face)
    if pattern.kind == "groups":
        return _best_groups({face: dice.count(face) for face in set(dice)}, pattern.groups)
    if pattern.kind == "faces":
        return sum(pattern.faces) if set(pattern.faces) <= set(dice) else None
    if pattern.kind == "straight":
        return _best_straight(set(dice), pattern.length)
    return sum(dice)


def _best_groups(counts: dict[int, int], groups: tuple[int, ...]) -> int | None:
    """Each group needs a face of its own: 5-5-5-5-2 holds no two pairs."""
    if not groups:
        return 0
    sums = []
    for face, count in counts.items():
        if count >= groups[0]:
            rest = _best_groups({other: n for other, n in counts.items() if other != face}, groups[1:])
            if rest is not None:
                sums.append(groups[0] * face + rest)
    return max(sums, default=None)


def _best_straight(faces: set[int], length: int) -> int | None:
    """The highest run of ``length`` faces: 1-2-3-4-6 holds four in sequence, 1-2-3-5-6 does not."""
    sums = [sum(range(first, first + length)) for first in faces if faces.issuperset(range(first, first + length))]
    return max(sums, default=None)
