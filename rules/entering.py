"""Where a throw may be entered, and what it would bring there."""

from dataclasses import dataclass

from rules.extra import Sheet, extra, filled, must
from rules.in_force import InForce


@dataclass(frozen=True, slots=True)
class Option:
    """One entry that is legal now.

    ``points`` are the written points. ``bonus_effect`` says what the entry does besides, as facts:
    ``("reached", 63)`` the upper bonus is won by it, ``("lost", 63)`` it can no longer be won, ``("short",
    4)`` / ``("over", 4)`` / ``("level", 0)`` the plain upper sum against par (the threshold shared out over
    the faces filled), and what is paid on top: ``("yahtzee-bonus", 100)``, ``("extra-bonus", 100)``
    (written), ``("chip", 200)``.
    """

    box: str
    column: int
    points: int
    joker: bool
    bonus_effect: tuple[tuple[str, int], ...] = ()


def refusal(
    rules: InForce, sheet: Sheet, before: int, column: int, place: int, dice: tuple[int, ...]
) -> str | None:
    """Why this free box may not be taken as turn ``before``, or None.

    A column with an order has one open box, and order wins over every must of jokers and chips.
    """
    if rules.order[column] != "free":
        return None if place == next_in_order(rules, sheet, before, column) else "out-of-order"
    where = must(rules, sheet, before, column, dice)
    if where == "upper" and place != rules.game.upper_of[dice[0]]:
        return "joker-must-go-upper"
    if where == "lower" and place not in rules.game.lowers:
        return "joker-must-go-lower"
    return None


def next_in_order(rules: InForce, sheet: Sheet, before: int, column: int) -> int | None:
    """The only open box of a column with an order: the first free one, down or up the sheet."""
    places = range(len(rules.game.entry_boxes))
    for place in places if rules.order[column] == "down" else reversed(places):
        if not filled(sheet, column, place, before):
            return place
    return None


def plain_points(
    rules: InForce, sheet: Sheet, before: int, column: int, place: int, dice: tuple[int, ...]
) -> int:
    """What the throw is worth in this box as turn ``before``, joker included, before any multiplier."""
    worth = rules.worth(place, dice)
    fixed = rules.fixed[place]
    if (
        rules.game.entry_boxes[place].joker
        and isinstance(fixed, int)
        and worth < fixed
        and extra(rules, sheet, before, column, place, dice).joker
    ):
        return fixed
    return worth


def open_entries(rules: InForce, sheet: Sheet, dice: tuple[int, ...]) -> tuple[Option, ...]:
    """Every legal entry of this throw, 0 ones included, by column, then in the sheet's order."""
    now = sheet.turns
    return tuple(
        _option(rules, sheet, column, place, dice)
        for column, entries in enumerate(sheet.columns)
        for place, entry in enumerate(entries)
        if entry is None and refusal(rules, sheet, now, column, place, dice) is None
    )


def scores_somewhere(rules: InForce, sheet: Sheet, dice: tuple[int, ...]) -> bool:
    """Whether an open box would score (otherwise, with ``write-zero`` off, the player may pass)."""
    return any(option.points > 0 for option in open_entries(rules, sheet, dice))


def _option(rules: InForce, sheet: Sheet, column: int, place: int, dice: tuple[int, ...]) -> Option:
    game = rules.game
    brings = extra(rules, sheet, sheet.turns, column, place, dice)
    plain = plain_points(rules, sheet, sheet.turns, column, place, dice)
    times = rules.written_times[column]
    effect = _upper_effect(rules, sheet, column, place, plain)
    if brings.bonus and game.bonus_box is not None:
        effect += ((game.bonus_box.id, brings.bonus),)
    elif brings.bonus:
        effect += (("extra-bonus", brings.bonus * times),)
    if brings.chip:
        effect += (("chip", brings.chip),)
    return Option(game.entry_boxes[place].id, column + 1, plain * times, brings.joker, effect)


def _upper_effect(
    rules: InForce, sheet: Sheet, column: int, place: int, plain: int
) -> tuple[tuple[str, int], ...]:
    game = rules.game
    if place not in game.uppers or rules.bonus == 0:
        return ()
    now = plain
    faces = game.entry_boxes[place].pattern.face
    still = 0
    for other in game.uppers:
        entry = sheet.columns[column][other]
        face = game.entry_boxes[other].pattern.face
        if entry is not None:
            now += rules.worth(other, entry.dice)
            faces += face
        elif other != place:
            still += face
    if now >= rules.threshold:
        return (("reached", rules.threshold),) if now - plain < rules.threshold else ()
    if now + still * game.dice < rules.threshold:
        return (("lost", rules.threshold),)
    ahead = now * (faces + still) - rules.threshold * faces
    off = abs(ahead) // (faces + still) if ahead > 0 else -(ahead // (faces + still))
    return (("level" if off == 0 else "over" if ahead > 0 else "short", off),)
