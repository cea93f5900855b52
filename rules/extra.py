"""Further Yahtzees: which box they must take, when they are jokers, what bonus or chip they bring.

Three ways, told apart by the game file. *By column* (yahtzee, kniffel): only the column entered in counts.
*By sheet* (triple-yahtzee, the 1978 chips): a sheet's Yahtzees are numbered in the order thrown. *Plain* (the
Yatzy games): a further Yatzy has no joker, only the house's own ``extra-yatzy-bonus``.
"""

from dataclasses import dataclass

from rules.in_force import InForce
from rules.patterns import alike


@dataclass(frozen=True, slots=True)
class Entry:
    """The dice a turn ended with, and which of the sheet's turns it was."""

    dice: tuple[int, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The facts on a sheet: ``columns[column][place]``; ``passes`` are turns that ended without an entry."""

    columns: tuple[tuple[Entry | None, ...], ...]
    passes: tuple[Entry, ...] = ()
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Extra:
    """What all dice alike bring besides what they are worth in the box."""

    joker: bool = False
    bonus: int = 0
    chip: int = 0


NOTHING = Extra()


def filled(sheet: Sheet, column: int, place: int, before: int) -> bool:
    """Whether the box was already taken when the sheet's turn number ``before`` came."""
    entry = sheet.columns[column][place]
    return entry is not None and entry.number < before


def extra(rules: InForce, sheet: Sheet, before: int, column: int, place: int, dice: tuple[int, ...]) -> Extra:
    """What this throw, entered here as turn ``before``, brings: joker, plain bonus points, chip."""
    if rules.game.yahtzee_place is None or not alike(dice):
        return NOTHING
    if rules.game.chips:
        return _by_sheet(rules, sheet, before, column, place, dice)
    return _by_column(rules, sheet, before, column, place, dice[0])


def must(rules: InForce, sheet: Sheet, before: int, column: int, dice: tuple[int, ...]) -> str | None:
    """Where a free column takes this throw: ``"upper"`` (its number box), ``"lower"`` (a joker), None: all."""
    game = rules.game
    if game.yahtzee_place is None or not alike(dice):
        return None
    if game.chips:
        if not _chip_at_stake(rules, sheet, before):
            return None
        columns = range(rules.columns)
    else:
        if not rules.jokers or not filled(sheet, column, game.yahtzee_place, before):
            return None
        columns = range(column, column + 1)
    upper = game.upper_of.get(dice[0])
    if upper is not None and not all(filled(sheet, c, upper, before) for c in columns):
        return "upper"
    return "lower" if any_lower_free(rules, sheet, before, columns) else None


def any_lower_free(rules: InForce, sheet: Sheet, before: int, columns: range) -> bool:
    """Whether a lower box of these columns was free at turn ``before``."""
    return any(not filled(sheet, c, p, before) for c in columns for p in rules.game.lowers)


def _by_column(rules: InForce, sheet: Sheet, before: int, column: int, place: int, face: int) -> Extra:
    """A column whose yahtzee box is free takes a Yahtzee in any box, as any throw: nothing extra about it."""
    game = rules.game
    first = sheet.columns[column][game.yahtzee_place or 0]
    if first is None or first.number >= before:
        return NOTHING
    upper = game.upper_of.get(face)
    holds = rules.worth(game.yahtzee_place or 0, first.dice) > 0
    pays = holds and (place == upper or not rules.number_box_only)
    joker = rules.jokers and place in game.lowers and (upper is None or filled(sheet, column, upper, before))
    return Extra(joker=joker, bonus=rules.extra if pays else 0)


def _by_sheet(
    rules: InForce, sheet: Sheet, before: int, column: int, place: int, dice: tuple[int, ...]
) -> Extra:
    """The chips and the joker of the 1978 booklet (Triple Yahtzee rule text)."""
    game = rules.game
    yahtzee_place = game.yahtzee_place
    columns = range(rules.columns)
    upper = game.upper_of.get(dice[0])
    uppers_filled = upper is None or all(filled(sheet, c, upper, before) for c in columns)
    yahtzees_filled = all(filled(sheet, c, yahtzee_place or 0, before) for c in columns)
    joker = uppers_filled and yahtzees_filled and place in game.lowers

    earlier = _yahtzees(rules, sheet, before)
    if len(earlier) < 3:
        earned = len(earlier) > 0 and earlier[0] and place == yahtzee_place
    elif not all(earlier[:3]):
        earned = False
    elif not uppers_filled:
        earned = place == upper
    elif place in game.lowers:
        earned = True
    else:
        earned = rules.chip_with_zero and not any_lower_free(rules, sheet, before, columns)
    return Extra(joker=joker, chip=game.chips[column] if earned else 0)


def _chip_at_stake(rules: InForce, sheet: Sheet, before: int) -> bool:
    """From the fourth Yahtzee on: only when the first three are all in Yahtzee boxes."""
    earlier = _yahtzees(rules, sheet, before)
    return len(earlier) >= 3 and all(earlier[:3])


def _yahtzees(rules: InForce, sheet: Sheet, before: int) -> list[bool]:
    """For each earlier Yahtzee of the sheet, in the order thrown: is it in a Yahtzee box? A passed one is not."""
    found = [(entry.number, False) for entry in sheet.passes if entry.number < before and alike(entry.dice)]
    for column in sheet.columns:
        for place, entry in enumerate(column):
            if entry is not None and entry.number < before and alike(entry.dice):
                found.append((entry.number, place == rules.game.yahtzee_place))
    return [in_box for _, in_box in sorted(found)]
