"""Where a throw may be entered, and what it would bring there."""

from dataclasses import dataclass

from rules.extra import NOTHING, Alike, Extra, Sheet, all_alike
from rules.in_force import InForce


@dataclass(frozen=True, slots=True)
class Option:
    """One entry that is legal now.

    ``points`` are the written points. ``bonus_effect`` says what the entry does besides, as facts:
    ``("reached", 63)`` wins the upper bonus, ``("lost", 63)`` puts it out of reach, ``("short", 4)`` /
    ``("over", 4)`` / ``("level", 0)`` compare the plain upper sum with par (the threshold shared out over the
    faces filled); paid on top are ``("yahtzee-bonus", 100)``, ``("extra-bonus", 100)`` (written) and
    ``("chip", 200)``.
    """

    box: str
    column: int
    points: int
    joker: bool
    bonus_effect: tuple[tuple[str, int], ...] = ()


class Turn:
    """A throw about to be entered, or entered long ago, as turn number ``number`` of a sheet."""

    __slots__ = ("alike", "number", "rules", "sheet", "worths")

    def __init__(self, rules: InForce, sheet: Sheet, number: int, dice: tuple[int, ...]) -> None:
        self.rules = rules
        self.sheet = sheet
        self.number = number
        self.alike: Alike | None = all_alike(rules, sheet, number, dice)
        self.worths = rules.worths(dice)

    def refusal(self, column: int, place: int) -> str | None:
        """Why this free box may not be taken, or None.

        A column with an order has one open box, and order wins over every must of jokers and chips.
        """
        if self.rules.order[column] != "free":
            return None if place == self.next_in_order(column) else "out-of-order"
        if self.alike is None:
            return None
        where = self.alike.must(column)
        if where == "upper" and place != self.alike.upper:
            return "joker-must-go-upper"
        if where == "lower" and place not in self.rules.game.lowers:
            return "joker-must-go-lower"
        return None

    def next_in_order(self, column: int) -> int:
        """The only open box of a column with an order: the first free one, down or up the sheet."""
        down = range(len(self.worths))
        places = down if self.rules.order[column] == "down" else reversed(down)
        return next(place for place in places if not self.sheet.filled(column, place, self.number))

    def brings(self, column: int, place: int) -> Extra:
        """Joker, bonus and chip of the throw in this box."""
        return NOTHING if self.alike is None else self.alike.brings(column, place)

    def points(self, place: int, extra: Extra) -> int:
        """What the throw is worth in this box, joker included, before any multiplier."""
        fixed = self.rules.fixed[place]
        if extra.joker and self.rules.game.entry_boxes[place].joker and isinstance(fixed, int):
            return fixed
        return self.worths[place]


def open_entries(rules: InForce, sheet: Sheet, dice: tuple[int, ...]) -> tuple[Option, ...]:
    """Every legal entry of this throw, 0 ones included, by column, then in the sheet's order."""
    now = Turn(rules, sheet, sheet.turns, dice)
    return tuple(
        option
        for column, entries in enumerate(sheet.columns)
        for option in _open_in_column(now, column, [p for p, entry in enumerate(entries) if entry is None])
    )


def _open_in_column(now: Turn, column: int, free: list[int]) -> list[Option]:
    rules = now.rules
    game = rules.game
    times = rules.written_times[column]
    upper_sum = _upper_sum(rules, now.sheet, column)
    free_faces = sum(game.entry_boxes[place].pattern.face for place in free if place in game.uppers)
    found = []
    for place in free:
        if now.refusal(column, place) is not None:
            continue
        extra = now.brings(column, place)
        plain = now.points(place, extra)
        effect: tuple[tuple[str, int], ...] = ()
        if place in game.uppers and rules.bonus:
            still = free_faces - game.entry_boxes[place].pattern.face
            effect = _upper_effect(rules, still, upper_sum, plain)
        if extra.bonus:
            paid_as = "extra-bonus" if game.bonus_box is None else game.bonus_box.id
            effect += ((paid_as, extra.bonus * times),)
        if extra.chip:
            effect += (("chip", extra.chip),)
        found.append(Option(game.entry_boxes[place].id, column + 1, plain * times, extra.joker, effect))
    return found


def _upper_sum(rules: InForce, sheet: Sheet, column: int) -> int:
    entries = ((place, sheet.columns[column][place]) for place in rules.game.uppers)
    return sum(rules.worth(place, entry.dice) for place, entry in entries if entry is not None)


def _upper_effect(rules: InForce, still: int, before: int, plain: int) -> tuple[tuple[str, int], ...]:
    """What ``plain`` points in an upper box do to a column that had ``before``; ``still`` adds up the faces to come."""
    game = rules.game
    after = before + plain
    if after >= rules.threshold:
        return (("reached", rules.threshold),) if before < rules.threshold else ()
    if after + still * game.dice < rules.threshold:
        return (("lost", rules.threshold),)
    every = sum(game.upper_of)
    ahead = after * every - rules.threshold * (every - still)
    off = ahead // every if ahead > 0 else -(ahead // every)
    return (("level" if off == 0 else "over" if ahead > 0 else "short", off),)
