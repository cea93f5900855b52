"""Everyone's sheets side by side, as on a paper pad: a line per box, a column per player."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from display.desk import current
from display.intent import Look
from display.lettering import fit_all, fit_apart, line_height, narrowest, width
from display.page import Page
from display.rect import Rect
from display.scene import Stroke
from display.screens.sheet import HINTS, LEAST_NUMBER, column_heads
from display.standing import Line, Standing, column_count, lower_lines, standings, upper_lines
from rules import Match

NAME = 1.95
"""Least width, in touches, of the boxes' names."""
STRUCK = "/"
LEAST_NAME = 0.26
"""Height, in touches, of the smallest letters of a name above its columns."""
MARK = 0.5
"""Height, in touches, of the row with the players' marks."""
CELL, NARROW = 1.1, 0.6
"""Least width, in touches, of a cell with a player's name above it, and of one of several columns."""


@dataclass(frozen=True)
class Plan:
    """How the sheets are shared out: so many players on a page, their lines in so many banks of rows that high."""

    players: int
    banks: int
    head: int
    row: int


def ranked(match: Match) -> tuple[Standing, ...]:
    """Every sheet, the best first; those who left come last."""
    return tuple(sorted(standings(match), key=lambda sheet: (sheet.rank is None, sheet.rank or 0)))


def lay_sheets(page: Page, area: Rect) -> None:
    """As many sheets as can be read side by side, by rank; a button turns to the next ones."""
    match = page.view.match
    if match is None:
        return
    sheets = ranked(match)
    layout = plan(page, match, (area.w, area.h), len(sheets))
    if layout.players < len(sheets):
        foot, area = area.foot(page.of(1.02))
        layout = plan(page, match, (area.w, area.h), len(sheets))
        pages = -(-len(sheets) // layout.players)
        here = current(page.view).page % pages
        of = f"{page.words.number(here + 1)}/{page.words.number(pages)}"
        more = foot.inset(page.of(0.01), 0)
        page.button(more, f"{page.words.ui('more')}  {of}", Look("page", (here + 1) % pages), sign="next")
        sheets = sheets[here * layout.players :][: layout.players]
    _lay(page, area, match, sheets, layout)


def first_shown(page: Page, match: Match, area: Rect) -> int:
    """Which place of the ranking the sheets shown begin with, from 0."""
    count = len(match.seats)
    if plan(page, match, (area.w, area.h), count).players >= count:
        return 0
    players = plan(page, match, (area.w, area.h - page.of(1.02)), count).players
    return current(page.view).page % -(-count // players) * players


def plan(page: Page, match: Match, size: tuple[int, int], count: int) -> Plan:
    """The most players on a page with their names whole, as far as two of them have room for that, then the highest
    rows; a row is at least as high as the smallest letters."""
    cells = column_count(match)
    lines = len(_lines(match))
    least = line_height(page.letters("tiny"), bold=True) + 3
    names = tuple(seat.name for seat in match.seats)
    narrow = page.of(CELL) if cells == 1 else cells * page.of(NARROW)
    head = _head_height(page, cells, 1 if max(_name_widths(page, names, 1)) <= narrow else 2)
    found = [(1, 0, 1, Plan(1, 2, head, max(1, (size[1] - head) // -(-lines // 2))))]
    for banks in (1, 2):
        row = min((size[1] - head) // -(-lines // banks), page.of(1.05))
        room = size[0] // banks - page.of(NAME)
        wanted = [wide for wide in _name_widths(page, names, 2) if wide <= room // 2]
        players = min(count, room // max((narrow, *wanted)))
        if players and row >= least:
            players = -(-count // -(-count // players))
            whole = sum(wide <= room // players for wide in wanted)
            found.append((players, whole, row, Plan(players, banks, head, row)))
    return max(found, key=lambda one: one[:3])[-1]


def _name_widths(page: Page, names: Iterable[str], lines: int) -> list[int]:
    """How wide a player's columns are where its name stands above them in so many lines, in small letters."""
    letters = page.of(LEAST_NAME)
    return [narrowest(name, letters, True, lines) + _rule(page) + 2 * page.of(0.06) for name in names]


def _head_height(page: Page, cells: int, lines: int) -> int:
    """A head has the player's mark above the name; over several columns the mark and the total below it, and what the
    columns count."""
    name = lines * line_height(page.letters("tiny"), bold=True) + 2 if lines > 1 else page.of(0.5)
    return name + (page.of(MARK) if cells == 1 else page.of(0.54) + page.of(0.5))


def _lines(match: Match) -> tuple[Line, ...]:
    return (*upper_lines(match), *lower_lines(match), Line("total"))


def _lay(page: Page, area: Rect, match: Match, sheets: tuple[Standing, ...], layout: Plan) -> None:
    page.panel(area, "paper", radius=0)
    lines = _lines(match)
    deep = -(-len(lines) // layout.banks)
    cells = column_count(match)
    banks = area.columns(layout.banks)
    words = tuple(_word(page, match, line) for line in lines)
    wide = min(bank.w for bank in banks)
    longest = max(width(word, page.letters("body"), bold=True) for word in words) + page.of(0.3)
    most = (wide - page.of(NAME)) // (len(sheets) * cells)
    spare = (wide - longest) // (len(sheets) * cells)  # what the boxes' names leave is the players'
    wanted = max(_name_widths(page, (sheet.player for sheet in sheets), 2))
    cell = min(most, max(spare, wanted, page.of(CELL)), page.of(2.6)) if cells == 1 else min(most, page.of(1.0))
    name_w = wide - cell * cells * len(sheets)
    high = layout.row - 2
    size_of_words = fit_all(words, (name_w - page.of(0.24), high), page.letters("body"), page.of(0.24))
    digits = _digits(page, lines, sheets)
    numbers = {
        kind: fit_apart(count, cell - _rule(page), high, page.letters("large"), page.of(LEAST_NUMBER), bold=True)
        for kind, count in digits.items()
    }
    for number, bank in enumerate(banks):
        head, rest = bank.top(layout.head)
        page.panel(head, "band", radius=0)
        labels, columns = head.left(name_w)
        if number == 0:
            page.text(labels.inset(page.of(0.12), 0), page.words.game(match.game), "small", ground="band", lines=2)
        for sheet, spot in zip(sheets, columns.columns(len(sheets)), strict=False):
            _head(page, spot, sheet, cells)
        for place, line in enumerate(lines[number * deep : (number + 1) * deep]):
            row = Rect(rest.x, rest.y + place * layout.row, bank.w, layout.row)
            _row(page, row, line, sheets, name_w, (size_of_words, numbers[line.kind]))
        whole = Rect(columns.x, bank.y, columns.w, layout.head + layout.row * deep)
        for spot in whole.columns(len(sheets)):
            page.add(Stroke(Rect(spot.x, spot.y, _rule(page), spot.h), "ink", 2))
        if number:
            page.add(Stroke(Rect(bank.x, bank.y, _rule(page), bank.h), "ink", 2))


def _rule(page: Page) -> int:
    """Width of the rule between two players."""
    return max(2, page.of(0.04))


def _head(page: Page, area: Rect, sheet: Standing, cells: int) -> None:
    """Whose sheet it is; over several columns also its total and what each of them counts."""
    inner = area.right_part(area.w - _rule(page))[0].inset(page.of(0.06), 0)
    if cells == 1:
        mark, name = inner.top(page.of(MARK))
        page.mark(mark.inset(0, page.of(0.03)), sheet.seat)
        page.named(name, sheet.player, "small", None, bold=True, ground="band", align="centre", smallest=LEAST_NAME)
        return
    counts, above = area.foot(page.of(0.5))
    total, name = inner.top(above.h)[0].foot(page.of(0.54))
    page.named(name, sheet.player, "small", None, bold=True, ground="band", align="centre", smallest=LEAST_NAME)
    page.counted(total, page.words.number(sheet.total), "body", sheet.seat, ground="band")
    column_heads(page, counts, "band")


def _row(page: Page, row: Rect, line: Line, sheets: tuple[Standing, ...], name_w: int, sizes: tuple[int, int]) -> None:
    match = page.view.match
    if match is None:
        return
    ground = "paper" if line.kind == "box" else "band"
    if line.kind != "box":
        page.panel(row, ground, radius=0)
    page.add(Stroke(Rect(row.x, row.bottom - 1, row.w, 1), "line", 1))
    name, columns = row.left(name_w)
    inner = name.inset(page.of(0.12), 1)
    hint = HINTS.get(line.box) if match.game.dice == 6 else None
    if hint is not None and name.w >= page.of(2.2):
        tag, inner = inner.right_part(page.of(0.55), page.of(0.05))
        page.text(tag, hint, "tiny", ink="soft", ground=ground, align="right", smallest=page.of(0.22))
    bold = line.kind == "total"
    page.text(inner, _word(page, match, line), sizes[0], bold=bold, ground=ground, smallest=page.of(0.22))
    for sheet, spot in zip(sheets, columns.columns(len(sheets)), strict=True):
        cells = spot.right_part(spot.w - _rule(page))[0].columns(len(sheet.columns))
        for number, cell in enumerate(cells, start=1):
            page.add(Stroke(Rect(cell.x, cell.y, 1, cell.h), "line", 1))
            text = _text(page, line, sheet, number)
            if text == STRUCK:
                mark = cell.centred(round(cell.w * 0.66), max(4, round(cell.h * 0.4)))
                page.add(Stroke(mark, "ink", max(2, page.of(0.05)), rising=True))
            elif text:
                inside = cell.inset(2, 1)
                page.text(inside, text, sizes[1], bold=True, ground=ground, align="centre", smallest=page.of(0.2))


def _digits(page: Page, lines: tuple[Line, ...], sheets: tuple[Standing, ...]) -> Mapping[str, int]:
    """The most digits in any cell of each kind of line."""
    found: dict[str, int] = {}
    for line in lines:
        for sheet in sheets:
            for number in range(1, len(sheet.columns) + 1):
                found[line.kind] = max(found.get(line.kind, 1), len(_text(page, line, sheet, number)))
    return found


def _text(page: Page, line: Line, sheet: Standing, number: int) -> str:
    """What stands in a cell of a sheet that is no longer written on."""
    column, say = sheet.columns[number - 1], page.words.number
    match line.kind:
        case "box" if line.box in column.boxes:
            return say(column.boxes[line.box]) if column.boxes[line.box] else STRUCK
        case "bonus-box" if line.box in column.boxes:
            return say(column.boxes[line.box])
        case "upper-sum":
            return say(column.upper_sum)
        case "upper-bonus":
            return say(column.upper_bonus) if column.upper_bonus else "–"
        case "chips" if number == len(sheet.columns):
            return say(sheet.chips)
        case "total":
            return say(column.total if len(sheet.columns) > 1 else sheet.total)
    return ""


def _word(page: Page, match: Match, line: Line) -> str:
    if line.kind in ("box", "bonus-box"):
        return page.words.box(match.game, line.box)
    return page.words.ui(line.kind)
