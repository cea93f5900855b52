"""Further Yahtzees: which box they must take, when they are jokers, what bonus or chip they bring.

Two ways, told apart by the game file. *By column* (yahtzee, kniffel, and the Yatzy games' own extra bonus):
only the column entered in counts. *By sheet* (triple-yahtzee, the 1978 chips): a sheet's Yahtzees are
numbered in the order thrown, and the joker looks at all columns.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules.in_force import InForce
from rules.patterns import alike


class Entry(NamedTuple):
    """The dice a turn ended with, and which of the sheet's turns it was."""

    dice: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The facts on a sheet: ``columns[column][place]``; ``passes`` are turns that ended without an entry."""

    columns: tuple[tuple[Entry | None, ...], ...]
    passes: tuple[Entry, ...] = ()
    turns: int = 0

    def __hash__(self) -> int:
        return hash((self.turns, len(self.passes)))  # of all its dice it would cost more than what it is kept for

    @property
    def full(self) -> bool:
        """Whether a throw can be entered nowhere any more."""
        return all(None not in column for column in self.columns)

    def filled(self, column: int, place: int, before: int) -> bool:
        """Whether the box was already taken when turn number ``before`` came."""
        entry = self.columns[column][place]
        return entry is not None and entry.number < before


@dataclass(frozen=True, slots=True)
class Extra:
    """What all dice alike bring besides what they are worth in the box: plain bonus points, a chip."""

    joker: bool = False
    bonus: int = 0
    chip: int = 0


NOTHING = Extra()


class Alike(ABC):
    """All dice alike, as turn ``before`` of a sheet."""

    def __init__(self, rules: InForce, sheet: Sheet, before: int, face: int) -> None:
        self.rules = rules
        self.sheet = sheet
        self.before = before
        self.yahtzee = rules.game.yahtzee_place or 0
        self.upper = rules.game.upper_of.get(face)

    @abstractmethod
    def must(self, column: int) -> str | None:
        """Where a free column takes it: ``"upper"`` (its number box), ``"lower"`` (as a joker), None: all."""

    @abstractmethod
    def brings(self, column: int, place: int) -> Extra:
        """What it brings when entered here."""

    def filled(self, column: int, place: int) -> bool:
        """Whether the box was taken before this turn."""
        return self.sheet.filled(column, place, self.before)

    def upper_filled(self, columns: range) -> bool:
        """Whether its number box was taken in all these columns (or is not on the sheet)."""
        return self.upper is None or all(self.filled(column, self.upper) for column in columns)

    def lower_free(self, columns: range) -> bool:
        """Whether any lower box of these columns was free."""
        return any(not self.filled(column, place) for column in columns for place in self.rules.game.lowers)


class ByColumn(Alike):
    """Only the column entered in counts, for bonus and joker alike.

    A column whose yahtzee box is free takes a Yahtzee in any box, as any throw: nothing is extra about it.
    """

    def must(self, column: int) -> str | None:
        if not self.rules.jokers or not self.filled(column, self.yahtzee):
            return None
        here = range(column, column + 1)
        if not self.upper_filled(here):
            return "upper"
        return "lower" if self.lower_free(here) else None

    def brings(self, column: int, place: int) -> Extra:
        first = self.sheet.columns[column][self.yahtzee]
        if first is None or first.number >= self.before:
            return NOTHING
        holds = self.rules.worth(self.yahtzee, first.dice) > 0
        pays = holds and (place == self.upper or not self.rules.number_box_only)
        joker = self.rules.jokers and place in self.rules.game.lowers and self.upper_filled(range(column, column + 1))
        return Extra(joker=joker, bonus=self.rules.extra if pays else 0)


class BySheet(Alike):
    """The chips and the joker of the 1978 booklet (Triple Yahtzee rule text)."""

    @property
    def columns(self) -> range:
        return range(self.rules.columns)

    @cached_property
    def earlier(self) -> list[bool]:
        """The sheet's earlier Yahtzees in the order thrown: is each in a Yahtzee box? A passed one is not."""
        found = [(entry.number, False) for entry in self.sheet.passes if alike(entry.dice)]
        for column in self.sheet.columns:
            for place, entry in enumerate(column):
                if entry is not None and alike(entry.dice):
                    found.append((entry.number, place == self.yahtzee))
        return [in_box for number, in_box in sorted(found) if number < self.before]

    @cached_property
    def chip_at_stake(self) -> bool:
        """From the fourth Yahtzee on: only when the first three are all in Yahtzee boxes."""
        return len(self.earlier) >= 3 and all(self.earlier[:3])

    @cached_property
    def uppers_filled(self) -> bool:
        return self.upper_filled(self.columns)

    @cached_property
    def yahtzees_filled(self) -> bool:
        return all(self.filled(column, self.yahtzee) for column in self.columns)

    @cached_property
    def any_lower_free(self) -> bool:
        return self.lower_free(self.columns)

    def must(self, column: int) -> str | None:
        if not self.chip_at_stake:
            return None
        if not self.uppers_filled:
            return "upper"
        return "lower" if self.any_lower_free else None

    def brings(self, column: int, place: int) -> Extra:
        lower = place in self.rules.game.lowers
        if len(self.earlier) < 3:
            earned = place == self.yahtzee and len(self.earlier) > 0 and self.earlier[0]
        elif not self.chip_at_stake:
            earned = False
        elif not self.uppers_filled:
            earned = place == self.upper
        else:
            earned = lower or (self.rules.chip_with_zero and not self.any_lower_free)
        joker = lower and self.uppers_filled and self.yahtzees_filled
        return Extra(joker=joker, chip=self.rules.game.chips[column] if earned else 0)


def all_alike(rules: InForce, sheet: Sheet, before: int, dice: tuple[int, ...]) -> Alike | None:
    """The throw as a Yahtzee of this sheet, or None where it is none (or the game has no box for one)."""
    if rules.game.yahtzee_place is None or not alike(dice):
        return None
    way = BySheet if rules.game.chips else ByColumn
    return way(rules, sheet, before, dice[0])
