"""From what stands on a sheet to every point, bonus, chip, total and rank."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.entering import Turn
from rules.extra import Entry, Sheet
from rules.in_force import InForce


@dataclass(frozen=True, slots=True)
class ColumnScore:
    """One column added up. Sums are written points; only ``total`` is after the column's multiplier."""

    boxes: tuple[tuple[str, int], ...]
    upper_sum: int
    upper_bonus: int
    lower_total: int
    extra_bonus: int
    total: int
    full: bool
    irregular: tuple[str, ...] = ()

    @property
    def upper_total(self) -> int:
        """The upper section with its bonus."""
        return self.upper_sum + self.upper_bonus


@dataclass(frozen=True, slots=True)
class SheetScore:
    """One sheet added up."""

    columns: tuple[ColumnScore, ...]
    chips: int
    total: int

    @property
    def full(self) -> bool:
        """Whether every box of every column is filled."""
        return all(column.full for column in self.columns)


@lru_cache(maxsize=64)  # an event changes one sheet; the others at the table are not added up again
def score_sheet(rules: InForce, sheet: Sheet) -> SheetScore:
    """Every point of a sheet that was played, from the dice of its turns and the rules in force."""
    whole = sheet if rules.game.chips else None
    scored = [_score_column(rules, column, entries, whole) for column, entries in enumerate(sheet.columns)]
    return add_columns(rules, [column for column, _ in scored], sum(chips for _, chips in scored))


@lru_cache(maxsize=256)  # of a sheet it changes one column; only chips look at the whole
def _score_column(
    rules: InForce, column: int, entries: tuple[Entry | None, ...], whole: Sheet | None
) -> tuple[ColumnScore, int]:
    """A column added up, and the chips it brought; ``whole`` is its sheet where the game has chips."""
    sheet = whole or Sheet((*((),) * column, entries))
    plain: list[int | None] = []
    irregular = []
    bonus = chips = 0
    for place, entry in enumerate(entries):
        if entry is None:
            plain.append(None)
            continue
        then = Turn(rules, sheet, entry.number, entry.dice)
        extra = then.brings(column, place)
        plain.append(then.points(place, extra))
        bonus += extra.bonus
        chips += extra.chip
        if then.refusal(column, place) is not None:
            irregular.append(rules.game.entry_boxes[place].id)
    if rules.game.bonus_box is None:
        return add_up(rules, column, plain, None, bonus, tuple(irregular)), chips
    # the game fills its bonus box with 0 only when the last other box is entered
    box = None if bonus == 0 and None in plain else bonus
    return add_up(rules, column, plain, box, 0, tuple(irregular)), chips


def add_up(
    rules: InForce,
    column: int,
    plain: Sequence[int | None],
    bonus_box: int | None,
    extra_bonus: int,
    irregular: tuple[str, ...] = (),
) -> ColumnScore:
    """One column from its boxes' plain points (None: not filled), its bonus box and its plain extra bonus."""
    game = rules.game
    times = rules.written_times[column]
    boxes = [(game.entry_boxes[p].id, n * times) for p, n in enumerate(plain) if n is not None]
    upper_sum = sum(plain[place] or 0 for place in game.uppers)
    upper_bonus = rules.bonus if upper_sum >= rules.threshold else 0
    lower_total = sum(plain[place] or 0 for place in game.lowers)
    full = None not in plain
    if rules.bonus_box is not None:
        full = full and bonus_box is not None
        if bonus_box is not None:
            boxes.append((rules.bonus_box.id, bonus_box * times))
            lower_total += bonus_box
    total = upper_sum + upper_bonus + lower_total + extra_bonus
    return ColumnScore(
        boxes=tuple(boxes),
        upper_sum=upper_sum * times,
        upper_bonus=upper_bonus * times,
        lower_total=lower_total * times,
        extra_bonus=extra_bonus * times,
        total=total * rules.multipliers[column],
        full=full,
        irregular=irregular,
    )


def add_columns(rules: InForce, columns: Sequence[ColumnScore], chips: int) -> SheetScore:
    """The sheet's total: all columns, or the best single one where the household says so; chips on top."""
    totals = [column.total for column in columns]
    total = sum(totals) if rules.sum_columns else max(totals)
    return SheetScore(tuple(columns), chips, total + chips)


def ranks(totals: Sequence[int | None]) -> tuple[int | None, ...]:
    """Ranks 1, 1, 3: equal totals share one. None (a player who left) has no rank."""
    return tuple(
        None if total is None else 1 + sum(1 for other in totals if other is not None and other > total)
        for total in totals
    )


def column_answer(rules: InForce, column: ColumnScore) -> dict[str, object]:
    """One column as ``tallytray score`` answers it."""
    answer: dict[str, object] = {
        "boxes": dict(column.boxes),
        "upper-sum": column.upper_sum,
        "upper-bonus": column.upper_bonus,
        "upper-total": column.upper_total,
        "lower-total": column.lower_total,
        "total": column.total,
    }
    if rules.game.bonus_box is None and rules.extra:
        answer["extra-bonus"] = column.extra_bonus
    if column.irregular:
        answer["irregular"] = list(column.irregular)
    return answer


def sheet_answer(
    rules: InForce, name: str, members: Sequence[str], rank: int | None, score: SheetScore
) -> dict[str, object]:
    """One sheet as ``tallytray score`` answers it; a team names its members."""
    answer: dict[str, object] = {"player": name}
    if members:
        answer["members"] = list(members)
    return answer | {
        "rank": rank,
        "total": score.total,
        "chips": score.chips,
        "columns": [column_answer(rules, column) for column in score.columns],
    }
