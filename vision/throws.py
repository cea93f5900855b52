"""Throws, from readings over time. Pure: it sees no picture.

A throw is a reading at rest in which at least one die does not lie where one lay before. Dice that lie where they
lay stayed; so did those that were pushed aside, by a thrown die, by a hand or by a nudge, and show the same face. A
nudge, a passing hand or a lamp leaves every die in its place: no throw.

Held dice may lie in the tray, where they are known by their places, or aside, where nobody looks for them: both need
no setting. A die that leaned, missed the tray or was lost is thrown again as part of the same throw.
"""

import math
import statistics
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from vision import tuning
from vision.reading import Die, Reading

AGAIN = ("cocked", "stacked", "cut-off")
"""Troubles of a die that only another throw of it cures."""


class TrayState(StrEnum):
    EMPTY = "empty"
    HAND = "hand"
    MOVING = "moving"
    SETTLED = "settled"
    UNSURE = "unsure"
    """At rest, but the reading is not sure."""


@dataclass(frozen=True)
class ThrowSeen:
    """A throw that came to rest. `number` counts from 1, and stays the same when a throw is made whole or read better:
    when nothing but what was wanting in it was thrown again. `stayed` has one entry per die of `reading.dice`: the
    index into the dice of the throw told before that it stayed from, or None for a die that was thrown. `outside` are
    dice seen beside a calibrated tray, and not in the reading: held ones laid there, or some that missed it."""

    number: int
    reading: Reading
    stayed: tuple[int | None, ...]
    outside: tuple[Die, ...] = ()

    @property
    def again(self) -> tuple[int, ...]:
        """The dice of the reading that must be thrown again: those that lean, lie on others or leave the picture."""
        return tuple(index for index, die in enumerate(self.reading.dice) if die.trouble in AGAIN)

    @property
    def wanting(self) -> int:
        """How many dice it takes to make it whole: those unread, to be thrown again, or outside."""
        return len(self.outside) + sum(not _told(die) for die in self.reading.dice)


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
        self._throw: ThrowSeen | None = None
        self._begun = False

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice of the throw told last, where they were last seen."""
        return self._dice

    def stirred(self) -> None:
        """Something moved in the tray: what comes to rest now may be a throw."""
        self._begun = True

    def at_rest(
        self,
        reading: Reading,
        in_place: Collection[int] = (),
        *,
        by_hand: bool = False,
        outside: tuple[Die, ...] = (),
    ) -> tuple[TrayState, ThrowSeen | None]:
        """What a reading at rest means. A first one before anything moved is what lay in the tray already, and no
        throw. `in_place` are those of `dice` that lay in their places after the last hand had been over them: only they
        can have been pushed by dice, the others were taken up. `by_hand`: the movement ended with a hand drawing back,
        so no die rolled at its end. `outside` are dice seen beside the tray."""
        state = TrayState.SETTLED if reading.sure else TrayState.UNSURE
        if "hand" in reading.troubles:
            return TrayState.HAND, None  # whatever else was read may be knuckles
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
        if by_hand:
            stayed = moved_by_hand(self._dice, reading.dice, stayed, self._taken)
        if None in stayed:
            return state, self._thrown(reading, stayed, outside)
        self._lies(reading, stayed, in_place)
        return state, self._read_better(reading, stayed)

    def _thrown(self, reading: Reading, stayed: tuple[int | None, ...], outside: tuple[Die, ...]) -> ThrowSeen:
        number = 1 if self._throw is None else self._throw.number + (not self._made_whole(stayed))
        self._throw = ThrowSeen(number, reading, stayed, outside)
        self._dice = reading.dice
        self._taken = frozenset()
        return self._throw

    def _made_whole(self, stayed: tuple[int | None, ...]) -> bool:
        """Was nothing thrown but what was wanting in the throw before?"""
        before = self._throw
        if before is None:
            return False
        told = {index for index, die in enumerate(before.reading.dice) if _told(die)}
        return told <= set(stayed) and stayed.count(None) <= before.wanting

    def _lies(self, reading: Reading, stayed: tuple[int | None, ...], in_place: Collection[int]) -> None:
        """No throw: remember where the dice lie now, and which are gone."""
        dice = list(self._dice)
        for die, index in zip(reading.dice, stayed, strict=True):
            if index is not None:
                dice[index] = die if die.value is not None else replace(dice[index], centre=die.centre)
        missing = frozenset(range(len(dice))) - frozenset(stayed)
        gone = missing if reading.sure else missing - frozenset(in_place)
        self._dice = tuple(dice)
        self._taken = (self._taken | gone) - frozenset(index for index in stayed if index is not None)

    def _read_better(self, reading: Reading, stayed: tuple[int | None, ...]) -> ThrowSeen | None:
        """The same throw once more, when it was doubtful and a nudge or a better light made it sure."""
        before = self._throw
        if before is None or before.reading.sure or not reading.sure or len(stayed) < len(before.reading.dice):
            return None
        self._throw = ThrowSeen(before.number, reading, stayed)
        self._dice = reading.dice
        self._taken = frozenset()
        return self._throw


def match(
    before: tuple[Die, ...], now: tuple[Die, ...], taken: Collection[int], in_place: Collection[int]
) -> tuple[int | None, ...]:
    """For each die of `now` the index in `before` that it stayed from, or None.

    First those that lie where they lay, nearest first. When all the others lie close by too, the table was nudged;
    else those `in_place` when the movement began may have been pushed further. Dice in `taken` were seen to be gone
    from the tray: only one put back to the very spot counts as never thrown. The others that nobody saw in place
    must lie on the very spot too, unless the whole table was nudged."""
    if not before or not now:
        return (None,) * len(now)
    apart = _distances(before, now)

    def pair(stayed: list[int | None], limit: float, allowed: Collection[int], *, pushed: bool) -> list[int | None]:
        """`stayed` with more pairs, nearest first."""
        stayed = list(stayed)
        for distance, i, j in apart:
            reach = limit if pushed or j in in_place else min(limit, tuning.PUT_BACK)
            reach = min(reach, tuning.PUT_BACK) if j in taken else reach
            free = stayed[i] is None and j not in stayed and j in allowed
            if free and distance <= reach and _may_be_one(before[j], now[i], pushed=pushed):
                stayed[i] = j
        return stayed

    everything = range(len(before))
    stayed = pair([None] * len(now), tuning.STAYED, everything, pushed=False)
    nudged = pair(stayed, tuning.NUDGED, everything, pushed=True)
    if None not in nudged:
        return tuple(nudged)
    return tuple(pair(stayed, tuning.PUSHED, in_place, pushed=True))


def moved_by_hand(
    before: tuple[Die, ...], now: tuple[Die, ...], stayed: tuple[int | None, ...], taken: Collection[int]
) -> tuple[int | None, ...]:
    """`stayed`, where a hand was the last that moved: when every die left shows the face of another that lay there, the
    hand laid it elsewhere. When one does not, something was thrown and the hand was only slow to draw back."""
    moved = list(stayed)
    for _, i, j in _distances(before, now):
        if moved[i] is None and j not in moved and j not in taken and _may_be_one(before[j], now[i], pushed=True):
            moved[i] = j
    return stayed if None in moved else tuple(moved)


def _told(die: Die) -> bool:
    return die.value is not None and die.trouble not in AGAIN


def _distances(before: tuple[Die, ...], now: tuple[Die, ...]) -> list[tuple[float, int, int]]:
    """Every pair as (sides apart, index in `now`, index in `before`), nearest first."""
    side = statistics.median(die.size for die in (*before, *now)) if before and now else 1.0
    return sorted(
        (math.dist(new.centre, old.centre) / side, i, j) for i, new in enumerate(now) for j, old in enumerate(before)
    )


def _may_be_one(old: Die, new: Die, *, pushed: bool) -> bool:
    """Faces speak against it only when both were read; a die that moved must have been read both times."""
    if old.value is None or new.value is None:
        return not pushed
    return old.value == new.value or (not pushed and (old.trouble is not None or new.trouble is not None))
