"""The rules a game is played by just now: its file's defaults, then what the household settled."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from rules.game import Box, Game, RuleValue
from rules.patterns import shown

Settled = tuple[tuple[str, RuleValue], ...]
"""What a household settled, by rule id, in the order of the ids."""

KNOWN_RULES: Mapping[str, str] = {
    "upper-bonus-threshold": "number",
    "upper-bonus-value": "number",
    "yahtzee-bonus-value": "number",
    "jokers": "switch",
    "order": "choice",
    "write-zero": "switch",
    "columns": "number",
    "sum-columns": "switch",
    "extra-yatzy-bonus": "number",
    "saved-throws": "switch",
    "chip-with-zero": "switch",
    "extra-kniffel": "choice",
    "tie": "choice",
}
"""Every house rule the program itself acts on, with its kind. A game file adds others by naming them in its boxes
(``straights``, ``four-as-two-pairs``) or by letting their choices set these (``bonus-variant``)."""

KNOWN_WORDS: Mapping[str, tuple[str, ...]] = {
    "order": ("free", "down", "up"),
    "tie": ("stands", "shared", "throw-off"),
    "extra-kniffel": ("as-yahtzee", "schmidt"),
}
"""The words those rules choose from; a game file may offer fewer."""


class InForce:
    """The rules of one game as settled, worked out once and shared by every match that plays them.

    ``values`` holds every rule of the game. An explicit value wins over what a choice such as
    ``bonus-variant`` sets, and that over the file's default.
    """

    def __init__(self, game: Game, settled: Settled) -> None:
        explicit = {rule: value for rule, value in settled if rule in game.rule}
        values: dict[str, RuleValue] = {rule.id: rule.default for rule in game.house_rules}
        for rule in game.house_rules:
            chosen = explicit.get(rule.id, rule.default)
            if isinstance(chosen, str):
                values.update(rule.sets.get(chosen, {}))
        values.update(explicit)

        self.game = game
        self.settled = settled
        self.columns = max(1, int_of(values, "columns", game.columns))
        self.multipliers = (game.multipliers + (1,) * self.columns)[: self.columns]
        self.order = _per_column(values.get("order", "free"), self.columns)
        if "order" in values and not isinstance(values["order"], str):
            values["order"] = self.order
        self.threshold = int_of(values, "upper-bonus-threshold", 0)
        self.bonus = int_of(values, "upper-bonus-value", 0)
        extra_rule = "yahtzee-bonus-value" if game.bonus_box is not None else "extra-yatzy-bonus"
        self.extra = int_of(values, extra_rule, 0)
        self.bonus_box = game.bonus_box if self.extra > 0 else None
        self.jokers = values.get("jokers", False) is True
        self.number_box_only = values.get("extra-kniffel") == "schmidt"
        self.write_zero = values.get("write-zero", True) is not False
        self.sum_columns = values.get("sum-columns", True) is not False
        self.saved_throws = values.get("saved-throws", False) is True
        self.chip_with_zero = values.get("chip-with-zero", True) is not False
        self.tie = values.get("tie", "stands")
        self.written_times = self.multipliers if game.written == "multiplied" else (1,) * self.columns
        self.values: Mapping[str, RuleValue] = MappingProxyType(values)
        self.fixed = tuple(_fixed_points(box, values) for box in game.entry_boxes)
        self._worths: dict[tuple[int, ...], tuple[int, ...]] = {}

    def worths(self, dice: Sequence[int]) -> tuple[int, ...]:
        """What the dice are really worth in every box: plain points, before any multiplier, no joker."""
        key = tuple(sorted(dice))
        known = self._worths.get(key)
        if known is None:
            known = self._worths[key] = tuple(
                self._work_out(box, place, key) for place, box in enumerate(self.game.entry_boxes)
            )
        return known

    def worth(self, place: int, dice: Sequence[int]) -> int:
        """What the dice are really worth in one box."""
        return self.worths(dice)[place]

    def _work_out(self, box: Box, place: int, dice: tuple[int, ...]) -> int:
        patterns = [box.pattern, *(pattern for rule, pattern in box.also if self.values.get(rule) is True)]
        sums = [used for pattern in patterns if (used := shown(pattern, dice)) is not None]
        if not sums:
            return 0
        points = self.fixed[place]
        if isinstance(points, int):
            return points
        return max(sums) if points == "used" else sum(dice)


@lru_cache(maxsize=128)
def in_force(game: Game, settled: Settled) -> InForce:
    """The rules of ``game`` as settled."""
    return InForce(game, settled)


def int_of(values: Mapping[str, RuleValue], rule: str, otherwise: int) -> int:
    """A number among the values, or ``otherwise`` where the game has no such rule."""
    value = values.get(rule, otherwise)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def settle(settled: Settled, changes: Sequence[tuple[str, RuleValue | None]]) -> Settled:
    """``settled`` with ``changes`` on top; a value of None goes back to the game file's."""
    merged: dict[str, RuleValue] = dict(settled)
    for rule, value in changes:
        if value is None:
            merged.pop(rule, None)
        else:
            merged[rule] = value
    return tuple(sorted(merged.items(), key=lambda pair: pair[0]))


def _per_column(order: RuleValue, columns: int) -> tuple[str, ...]:
    """One word per column; a list is repeated when there are more columns, and cut when there are fewer."""
    words = order if isinstance(order, tuple) else (str(order),)
    return tuple(words[column % len(words)] for column in range(columns))


def _fixed_points(box: Box, values: Mapping[str, RuleValue]) -> int | str:
    if box.points_by_rule is not None:
        rule, by_choice = box.points_by_rule
        chosen = values.get(rule)
        if isinstance(chosen, str) and chosen in by_choice:
            return by_choice[chosen]
    return box.points
