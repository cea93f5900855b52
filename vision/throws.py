"""Throws, from readings over time. Pure: it sees no picture.

A throw is a reading at rest in which at least one die does not lie where one lay before. Dice that lie where they
lay stayed; so did those that were only pushed aside and show the same face. A nudge, a passing hand or a lamp
leaves every die in its place: no throw.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision import tuning
from vision.reading import Die, Reading


class TrayState(StrEnum):
    EMPTY = "empty"
    HAND = "hand"
    MOVING = "moving"
    SETTLED = "settled"
    UNSURE = "unsure"
    """At rest, but the reading is not sure."""


@dataclass(frozen=True)
class ThrowSeen:
    """A throw that came to rest. `number` counts from 1. `stayed` has one entry per die of `reading.dice`: the index
    into the previous throw's dice that it stayed from, or None for a die that was thrown."""

    number: int
    reading: Reading
    stayed: tuple[int | None, ...]


@dataclass(frozen=True)
class Seen:
    """What the tray shows at a frame. `throw` only on the frame where a new throw came to rest; `reading` is the
    latest one."""

    state: TrayState
    frame: int
    throw: ThrowSeen | None
    reading: Reading | None


class Throws:
    """Counts throws. Feed it every reading of a tray at rest, in order."""

    def __init__(self) -> None:
        self._dice: tuple[Die, ...] = ()
        self._taken: frozenset[int] = frozenset()
        self._number = 0
        self._begun = False

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice of the last throw, as they lay when it came to rest."""
        return self._dice

    def stirred(self) -> None:
        """Something moved in the tray: what comes to rest now may be a throw."""
        self._begun = True

    def at_rest(self, reading: Reading, in_place: frozenset[int] = frozenset()) -> tuple[TrayState, ThrowSeen | None]:
        """What a reading at rest means. A first one before anything moved is what lay in the tray already, and no
        throw. `in_place` are those of `dice` that still lay in their places at some moment of the movement before:
        only they can have been pushed, the others were taken up."""
        state = TrayState.SETTLED if reading.sure else TrayState.UNSURE
        if not reading.dice:
            self._begun = True
            self._taken = frozenset(range(len(self._dice)))
            empty = set(reading.troubles) <= {"no-dice", "count"}
            return (TrayState.EMPTY if empty else TrayState.UNSURE), None
        if not self._begun:
            self._begun = True
            self._dice = reading.dice
            return state, None
        stayed = match(self._dice, reading.dice, self._taken, in_place)
        missing = frozenset(range(len(self._dice))) - {index for index in stayed if index is not None}
        if None not in stayed:
            self._taken = self._taken | missing if reading.sure else self._taken
            return state, None
        self._number += 1
        throw = ThrowSeen(self._number, reading, stayed)
        self._dice = reading.dice
        self._taken = frozenset()
        return state, throw


def match(
    before: tuple[Die, ...], now: tuple[Die, ...], taken: frozenset[int], in_place: frozenset[int]
) -> tuple[int | None, ...]:
    """For each die of `now` the index in `before` that it stayed from, or None.

    First those that lie where they lay, nearest first. When all the others lie close by too, the table was nudged;
    else those `in_place` when the movement began may have been pushed further. Dice in `taken` were seen to be gone
    from the tray: only one put back to the very spot counts as never thrown. The others that nobody saw in place
    must lie on the very spot too, unless the whole table was nudged."""
    if not before or not now:
        return (None,) * len(now)
    side = float(np.median([die.size for die in (*before, *now)]))
    apart = [
        (float(np.hypot(new.centre[0] - old.centre[0], new.centre[1] - old.centre[1])) / side, i, j)
        for i, new in enumerate(now)
        for j, old in enumerate(before)
    ]

    def pair(stayed: list[int | None], limit: float, allowed: frozenset[int], *, pushed: bool) -> list[int | None]:
        """`stayed` with more pairs, nearest first."""
        stayed = list(stayed)
        for distance, i, j in sorted(apart):
            reach = limit if pushed or j in in_place else min(limit, tuning.PUT_BACK)
            reach = min(reach, tuning.PUT_BACK) if j in taken else reach
            free = stayed[i] is None and j not in stayed and j in allowed
            if free and distance <= reach and _may_be_one(before[j], now[i], pushed=pushed):
                stayed[i] = j
        return stayed

    everything = frozenset(range(len(before)))
    stayed = pair([None] * len(now), tuning.STAYED, everything, pushed=False)
    nudged = pair(stayed, tuning.NUDGED, everything, pushed=True)
    if None not in nudged:
        return tuple(nudged)
    return tuple(pair(stayed, tuning.PUSHED, in_place, pushed=True))


def _may_be_one(old: Die, new: Die, *, pushed: bool) -> bool:
    """Faces speak against it only when both were read; a die that moved must have been read both times."""
    if old.value is None or new.value is None:
        return not pushed
    return old.value == new.value or (not pushed and (old.trouble is not None or new.trouble is not None))
