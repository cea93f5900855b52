"""Everyone's sheets side by side, as on a paper pad: a line per box, a column per player."""

from dataclasses import dataclass

from display.desk import current
from display.intent import Look
from display.lettering import fit, fit_all, line_height
from display.page import Page
from display.rect import Rect
from display.scene import Stroke
from display.screens.sheet import HINTS, column_heads
from display.standing import Line, Standing, column_count, lower_lines, standings, upper_lines
from rules import Match

NAME = 1.95
"""Least width, in touches, of the boxes' names."""
STRUCK = "/"
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
    """The most players on a page, then the highest rows; a row is at least as high as the smallest letters."""
    cells = column_count(match)
    lines = len(_lines(match))
    head = page.of(1.0 if cells == 1 else 1.62)
    least = line_height(page.letters("tiny"), bold=True) + 3
    found = [Plan(1, 2, head, max(1, (size[1] - head) // -(-lines // 2)))]
    for banks in (1, 2):
        row = min((size[1] - head) // -(-lines // banks), page.of(1.05))
        room = size[0] // banks - page.of(NAME)
        players = min(count, room // (cells * page.of(CELL if cells == 1 else NARROW)))
        if players and row >= least:
            pages = -(-count // players)
            found.append(Plan(-(-count // pages), banks, head, row))
    return max(found, key=lambda one: (one.players, one.row))


def _lines(match: Match) -> tuple[Line, ...]:
    return (*upper_lines(match), *lower_lines(match), Line("total"))


def _lay(page: Page, area: Rect, match: Match, sheets: tuple[Standing, ...], layout: Plan) -> None:
    page.panel(area, "paper", radius=0)
    lines = _lines(match)
    deep = -(-len(lines) // layout.banks)
    cells = column_count(match)
    banks = area.columns(layout.banks)
    room = (min(bank.w for bank in banks) - page.of(NAME)) // (len(sheets) * cells)
    cell = min(room, page.of(1.5 if cells == 1 else 1.0))
    name_w = min(bank.w for bank in banks) - cell * cells * len(sheets)
    words = tuple(_word(page, match, line) for line in lines)
    texts = tuple(_text(page, line, sheet, number + 1) for line in lines for sheet in sheets for number in range(cells))
    sizes = (
        fit_all(words, (name_w - page.of(0.24), layout.row - 2), page.letters("body"), page.of(0.24)),
        fit_all(texts, (cell - page.of(0.1), layout.row - 2), page.letters("large"), page.of(0.24), bold=True),
    )
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
            _row(page, row, line, sheets, name_w, sizes)
        whole = Rect(columns.x, bank.y, columns.w, layout.head + layout.row * deep)
        for spot in whole.columns(len(sheets)):
            page.add(Stroke(Rect(spot.x, spot.y, max(2, page.of(0.04)), spot.h), "ink", 2))
        if number:
            page.add(Stroke(Rect(bank.x, bank.y, max(2, page.of(0.04)), bank.h), "ink", 2))


def _head(page: Page, area: Rect, sheet: Standing, cells: int) -> None:
    """Whose sheet it is; over several columns also its total and what each of them counts."""
    inner = area.inset(page.of(0.1), 0)
    if cells == 1:
        room = (inner.w, inner.h)
        cut = fit(sheet.player, room, page.letters("small"), page.letters("tiny"), bold=True, most_lines=2)[2]
        page.text(inner, sheet.player, "small", bold=True, ground="band", align="centre", lines=1 if cut else 2)
        return
    name, rest = inner.top(page.of(0.54))
    total, _ = rest.top(page.of(0.54))
    page.text(name, sheet.player, "small", bold=True, ground="band", align="centre")
    page.text(total, page.words.number(sheet.total), "body", bold=True, ground="band", align="centre")
    column_heads(page, area.foot(page.of(0.5))[0], "band")


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
        for number, cell in enumerate(spot.columns(len(sheet.columns)), start=1):
            page.add(Stroke(Rect(cell.x, cell.y, 1, cell.h), "line", 1))
            text = _text(page, line, sheet, number)
            if text == STRUCK:
                mark = cell.centred(round(cell.w * 0.66), max(4, round(cell.h * 0.4)))
                page.add(Stroke(mark, "ink", max(2, page.of(0.05)), rising=True))
            elif text:
                inside = cell.inset(2, 1)
                page.text(inside, text, sizes[1], bold=True, ground=ground, align="centre", smallest=page.of(0.2))


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
