"""What a game is: its boxes, its house rules, its numbers. Read from a game file, never written by code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from rules.patterns import Pattern
from rules.shown import shown

RuleValue = int | bool | str | tuple[str, ...]
"""A house rule's value; a tuple gives one word per column."""

MOST_COLUMNS = 6
"""More columns than this fit no screen and no printed sheet (rule text: "1 til 6")."""


@dataclass(frozen=True, slots=True)
class Box:
    """One line of a column.

    ``points`` is what an entry pays when the dice show the pattern: a fixed number, ``"used"`` (the sum of
    the dice that form it) or ``"all"`` (the sum of every die). ``points_by_rule`` replaces it by a house
    rule's choice, and ``also`` names patterns that count too while a switch is on. A box of section ``bonus``
    has no pattern: the game fills it.
    """

    id: str
    name: str
    section: str
    pattern: Pattern
    points: int | str
    points_by_rule: tuple[str, Mapping[str, int]] | None = None
    also: tuple[tuple[str, Pattern], ...] = ()
    joker: bool = False


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One thing a household may settle for itself.

    ``kind`` is ``"number"`` (``low`` to ``high`` in ``step``), ``"choice"`` (one of ``choices``, or with
    ``per_column`` also one of them for each column) or ``"switch"`` (on or off). A choice may set other
    rules' defaults (``sets``).
    """

    id: str
    name: str
    explanation: str
    kind: str
    default: RuleValue
    low: int = 0
    high: int = 0
    step: int = 1
    choices: tuple[str, ...] = ()
    per_column: bool = False
    sets: Mapping[str, Mapping[str, RuleValue]] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """What may be chosen, as a person reads it."""
        if self.kind == "number":
            return f"{self.low} to {self.high} in steps of {self.step}"
        if self.kind == "switch":
            return "on (true) or off (false)"
        words = " or ".join(self.choices)
        return f"{words}, one for all or a list with one per column" if self.per_column else words

    def trouble(self, value: object, columns: int | None = None) -> str | None:
        """One line that says why ``value`` is not allowed, with what is; None where it is.

        ``columns`` is the number of columns a list must have one word for; None where that is not known.
        """
        if self._fits(value, columns):
            return None
        found = "on" if value is True else "off" if value is False else shown(value)
        if self.per_column and isinstance(value, tuple):
            found = shown(list(value)).replace("'", "")
            if columns is not None:
                return f"{self.id}: {found} is not allowed; allowed: {self.allowed} (columns here: {columns})"
        return f"{self.id}: {found} is not allowed; allowed: {self.allowed}"

    def _fits(self, value: object, columns: int | None) -> bool:
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind == "number":
            return (
                isinstance(value, int)
                and not isinstance(value, bool)
                and self.low <= value <= self.high
                and (value - self.low) % self.step == 0
            )
        if isinstance(value, tuple):
            fits = self.per_column and len(value) > 0 and all(word in self.choices for word in value)
            return fits and (columns is None or len(value) == columns)
        return isinstance(value, str) and value in self.choices


@dataclass(frozen=True, eq=False)
class Game:
    """A game as its file says. Two games are the same only when they are the same object."""

    id: str
    name: str
    description: str
    dice: int
    faces: int
    throws: int
    columns: int
    multipliers: tuple[int, ...]
    written: str
    lot_dice: int
    boxes: tuple[Box, ...]
    house_rules: tuple[HouseRule, ...]
    yahtzee_box: str | None = None
    chips: tuple[int, ...] = ()
    source: str = ""

    @cached_property
    def entry_boxes(self) -> tuple[Box, ...]:
        """The boxes a throw can be entered in, in the sheet's order."""
        return tuple(box for box in self.boxes if box.section != "bonus")

    @cached_property
    def bonus_box(self) -> Box | None:
        """The box the game itself fills (``yahtzee-bonus``), where the sheet has one."""
        return next((box for box in self.boxes if box.section == "bonus"), None)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each entry box stands in the sheet's order."""
        return {box.id: place for place, box in enumerate(self.entry_boxes)}

    @cached_property
    def uppers(self) -> tuple[int, ...]:
        """The places of the upper section."""
        return tuple(p for p, box in enumerate(self.entry_boxes) if box.section == "upper")

    @cached_property
    def lowers(self) -> tuple[int, ...]:
        """The places of the lower section."""
        return tuple(p for p, box in enumerate(self.entry_boxes) if box.section == "lower")

    @cached_property
    def upper_of(self) -> Mapping[int, int]:
        """The place of the upper box of each face."""
        return {self.entry_boxes[p].pattern.face: p for p in self.uppers}

    @cached_property
    def yahtzee_place(self) -> int | None:
        """The place of the box for all dice alike, where the game has one."""
        return None if self.yahtzee_box is None else self.places[self.yahtzee_box]

    @cached_property
    def rule(self) -> Mapping[str, HouseRule]:
        """The house rules by id."""
        return {rule.id: rule for rule in self.house_rules}

    def box(self, box_id: str) -> Box | None:
        """The box of that id, the game's own included, or None."""
        return next((box for box in self.boxes if box.id == box_id), None)
