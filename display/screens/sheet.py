"""The score sheet: every box of one player, with what the dice on the table would score in the free ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from display.desk import current
from display.intent import Enter, Intent, Look
from display.lettering import fit, fit_all, fit_apart, line_height
from display.page import Page
from display.rect import Rect
from display.scene import Ring, Stroke
from display.standing import (
    Line,
    Standing,
    can_enter,
    column_count,
    entries,
    lower_lines,
    multipliers,
    reading_waits,
    sheet_on_turn,
    standing,
    upper_lines,
)
from rules import Match, Option

NAME, CELL = 1.75, 1.0
"""Least width, in touches, of a box's name and of a cell that is touched."""
LEAST_SIGNED = 0.72
"""Least width, in touches, of a cell with room for a sign by its number; narrower ones show it on the large sheet."""
NAME_LOW = 2.3
"""Least width, in touches, of a box's name in rows too low for two lines."""
LEAST_COLUMN, LEAST_ROW = 0.65, 0.48
"""In touches: where the columns of two banks would be narrower, one bank has wider ones if its rows are no lower."""
LEAST_NUMBER = 0.24
"""Least height, in touches, of the digits in a narrow column."""
HINTS = {"full-house": "3+2", "house": "3+3", "tower": "4+2"}
"""The dice a Maxi box wants, beside its word: Hus is another box in Swedish than in Danish."""


@dataclass(frozen=True)
class Plan:
    """How the lines of a sheet are shared out over banks. `direct`: every cell is large enough to be touched."""

    banks: tuple[tuple[Line, ...], ...]
    head: int
    row: int
    direct: bool


class Written(NamedTuple):
    """What stands in a cell; a struck box shows its stroke instead of the text."""

    text: str
    bold: bool = True
    struck: bool = False


NOTHING = Written("")


class Offer(NamedTuple):
    """What the dice would bring in a free box."""

    points: int
    signs: tuple[str, ...]


class Row(NamedTuple):
    """One line of the sheet: all of it, its name, and its cell in each column."""

    line: Line
    rect: Rect
    name: Rect
    cells: tuple[Rect, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """Where everything of a sheet stands, worked out once for each game and size. `wide`: a whole row is touched, not
    its cell."""

    area: Rect
    plan: Plan
    banks: tuple[Rect, ...]
    name_w: int
    rows: tuple[Row, ...]
    wide: bool


def plan(page: Page, match: Match, size: tuple[int, int]) -> Plan:
    """Banks of rows as high as a finger where there is room; else two banks of low rows, only to be read."""
    return page.once(("plan", size), match.in_force, lambda: _plan(page, match, size))


def _plan(page: Page, match: Match, size: tuple[int, int]) -> Plan:
    upper, lower, total = upper_lines(match), lower_lines(match), (Line("total"),)
    least_head = page.of(0.58)
    head = max(page.of(0.66), 2 * line_height(page.letters("tiny"), bold=True) + 2)  # a name may need two lines
    most = (size[1] - least_head) // page.unit
    cells = column_count(match)
    for parts in (1, 2, 3):
        if (1 + parts) * page.of(NAME + cells * CELL) > size[0]:
            break
        shared = [((*upper, *total), *_shared(lower, parts)), (upper, *_shared((*lower, *total), parts))]
        if not upper:
            shared = [_shared((*lower, *total), 1 + parts)]
        banks = min(shared, key=lambda banks: max(len(bank) for bank in banks))
        rows = max(len(bank) for bank in banks)
        if rows <= most:
            row = min(max(page.unit, (size[1] - head) // rows), page.of(1.3))
            return Plan(banks, min(size[1] - row * rows, page.of(1.0)), row, direct=True)
    lines = (*upper, *lower, *total)
    cell = (size[0] // 2 - page.of(NAME)) // cells
    wide = cell < page.of(LEAST_COLUMN) and (size[1] - head) // len(lines) >= page.of(LEAST_ROW)
    banks = _shared(lines, 1 if wide else 2)
    return Plan(banks, head, (size[1] - head) // len(banks[0]), direct=False)


def _shared(lines: tuple[Line, ...], parts: int) -> tuple[tuple[Line, ...], ...]:
    """The lines in so many banks, the first ones as long as they need to be."""
    deep = -(-len(lines) // parts)
    return tuple(lines[n * deep : (n + 1) * deep] for n in range(parts))


def wanted_width(page: Page, match: Match, height: int, most: int) -> int:
    """How wide the sheet likes to be, at most `most`."""
    cells = column_count(match)
    banks = plan(page, match, (most, height))
    each = page.of(3.0 + 1.4) if cells == 1 else page.of(2.1 + cells * CELL)
    if len(banks.banks) > 2:
        each = page.of(2.3 + 1.05)
    if not banks.direct:
        each = page.of(NAME_LOW + cells) if len(banks.banks) == 1 else page.of(1.95 + cells * 0.8)
    return min(most, each * len(banks.banks))


def lay_sheet(page: Page, area: Rect) -> None:
    """The sheet of the player looked at, else of the player on turn."""
    match = page.view.match
    if match is None:
        return
    desk = current(page.view)
    own = sheet_on_turn(match)
    shown = standing(match, desk.shown_player or own)
    grid = page.once(("grid", area), match.in_force, lambda: _grid(page, match, area))
    hint = _hint_of_bonus(page, match, shown)
    page.same(("lines", grid, hint), lambda: _lay_lines(page, match, grid, hint), still=True)
    if not grid.plan.direct and not reading_waits(page.view):  # a throw that waits covers the large sheet
        page.panel(grid.area, None, radius=0, intent=Look("large", True))
    ground = "band" if shown.player == own else "ask"
    heads = ("heads", grid, shown.player, shown.seat, ground)
    page.same(heads, lambda: _lay_heads(page, match, grid, shown, ground), still=True)
    lay_cells(page, grid, shown, live=shown.player == own and can_enter(page.view))


def lay_cells(page: Page, grid: Grid, shown: Standing, *, live: bool) -> None:
    """What stands in the cells of a sheet; where it is `live`, in the free ones what the dice would bring there."""
    match = page.view.match
    for number, column in enumerate(shown.columns, start=1):
        whole = (shown.chips, shown.total) if number == len(shown.columns) else ()
        page.same(("written", grid, number, *whole), partial(_lay_written, page, grid, shown, number), column)
    if live and match is not None:
        found, box = entries(match), current(page.view).box
        page.same(("open", grid, box), lambda: _lay_open(page, grid, found, box), found)


def _grid(page: Page, match: Match, area: Rect) -> Grid:
    layout = plan(page, match, (area.w, area.h))
    banks = area.columns(len(layout.banks))
    cells = column_count(match)
    if cells == 1 and len(banks) < 3:
        cell = page.of(1.4)
    else:
        cell = _cell_width(page, banks[0].w, cells, NAME if len(banks) > 1 else NAME_LOW)
    name_w = banks[0].w - cell * cells
    return Grid(area, layout, banks, name_w, ruled(layout, banks, name_w, cells), wide=cells == 1)


def ruled(layout: Plan, banks: Sequence[Rect], name_w: int, cells: int) -> tuple[Row, ...]:
    """The rows of all banks."""
    rows = []
    for bank, lines in zip(banks, layout.banks, strict=True):
        _, rest = bank.top(layout.head)
        for place, line in enumerate(lines):
            row = Rect(rest.x, rest.y + place * layout.row, rest.w, layout.row)
            name, columns = row.left(name_w)
            rows.append(Row(line, row, name, columns.columns(cells)))
    return tuple(rows)


def _size_of_names(page: Page, match: Match, layout: Plan, name_w: int) -> int:
    """All names alike; in low rows each as large as it can be."""
    if not layout.direct:
        return page.letters("small")
    names = tuple(_name(page, match, line) for bank in layout.banks for line in bank)
    return fit_all(names, (name_w - page.of(0.32), layout.row - 2), page.letters("body"), page.of(0.26), most_lines=2)


def lines_between(page: Page, columns: Sequence[Rect]) -> None:
    """The rules between a bank's columns, from its first row to its last."""
    for column in columns:
        page.add(Stroke(Rect(column.x, column.y, 1, column.h), "line", 1))


def _cell_width(page: Page, bank: int, cells: int, name: float) -> int:
    room = bank - page.of(name)
    return max(1, min(page.of(1.3), room // cells))


def _name(page: Page, match: Match, line: Line) -> str:
    if line.kind in ("box", "bonus-box"):
        return page.words.box(match.game, line.box)
    return page.words.ui(line.kind)


def _lay_heads(page: Page, match: Match, grid: Grid, shown: Standing, ground: str) -> None:
    """The top of each bank: whose sheet it is, and what each column counts."""
    single = len(multipliers(match)) == 1
    heads = [bank.top(grid.plan.head)[0] for bank in grid.banks]
    if single and len(heads) > 1 and _is_long(page, heads[0], shown.player):
        heads = [heads[0].joined(heads[1]), *heads[2:]]  # the game's own name gives way
    for number, area in enumerate(heads):
        page.panel(area, ground, radius=0)
        page.add(Stroke(Rect(area.x, area.bottom - 1, area.w, 1), "line", 1))
        if number:
            page.add(Stroke(Rect(area.x, area.y, 1, area.h), "line", 1))
        name = area if single else area.left(grid.name_w)[0]
        inner = name.inset(page.of(0.16 if single else 0.12), 0)
        if number == 0:
            page.named(inner, shown.player, "body" if single else "small", shown.seat, bold=True, ground=ground)
        elif single and number == 1 and len(heads) == len(grid.banks):
            page.text(inner, page.words.game(match.game), "body", ground=ground, ink="soft")
        if not single:
            column_heads(page, area.left(grid.name_w)[1], ground)


def _is_long(page: Page, head: Rect, name: str) -> bool:
    """Whether the name would be shortened in this head with its mark."""
    least = page.letters("tiny")
    room = (head.w - page.of(0.32 + 0.56), head.h)
    return fit(name, room, least, least, bold=True, most_lines=2)[2]


def column_heads(page: Page, area: Rect, ground: str) -> None:
    """What each column counts; where all count the same, the way it is filled: down, up or freely."""
    match = page.view.match
    if match is None:
        return
    counts = multipliers(match)
    same = len(set(counts)) == 1
    for count, order, cell in zip(counts, match.in_force.order, area.columns(len(counts)), strict=True):
        if same:
            page.sign(cell.centred(page.of(0.4), page.of(0.4)), f"fill-{order}", "ink", ground)
        else:
            page.text(cell, f"×{count}", "small", bold=True, ground=ground, align="centre")


def _lay_lines(page: Page, match: Match, grid: Grid, hint: str | None) -> None:
    """The sheet as it is printed."""
    layout, area = grid.plan, grid.area
    size = _size_of_names(page, match, layout, grid.name_w)
    page.panel(area, "paper", "line", 1, radius=0)
    for row in grid.rows:
        said = hint if row.line.kind == "upper-bonus" else HINTS.get(row.line.box) if match.game.dice == 6 else None
        key = ("name", match.game.id, row, size, said)
        page.same(key, partial(_lay_name, page, row.rect, row.name, _name(page, match, row.line), row.line, size, said))
    for number, (bank, lines) in enumerate(zip(grid.banks, layout.banks, strict=True)):
        _, rest = bank.top(layout.head)
        lines_between(page, rest.left(grid.name_w)[1].top(layout.row * len(lines))[0].columns(len(grid.rows[0].cells)))
        if number:
            page.add(Stroke(Rect(bank.x, bank.y, 1, bank.h), "line", 1))


def _lay_written(page: Page, grid: Grid, shown: Standing, number: int) -> None:
    """What stands in a column of the sheet."""
    boxes = shown.columns[number - 1].boxes
    for line, _, _, cells in grid.rows:
        if line.kind != "box" or line.box in boxes:
            what = _written(page, line, shown, number)
            if what.text or what.struck:
                _cell(page, cells[number - 1], line, number, what, None, None)


def _lay_open(page: Page, grid: Grid, found: Mapping[tuple[str, int], Option], box: tuple[str, int] | None) -> None:
    """What the dice would bring in every free box, with a frame where the keys point."""
    direct = grid.plan.direct
    for line, row, _, cells in grid.rows:
        if line.kind != "box":
            continue
        if direct and grid.wide and (line.box, 1) in found:
            page.panel(row, None, radius=0, intent=Enter(line.box, 1))
        for number, cell in enumerate(cells, start=1):
            option = found.get((line.box, number))
            if option is not None:
                touch = Enter(line.box, number) if direct and not grid.wide else None
                _cell(page, cell, line, number, NOTHING, option, touch)
        if box is not None and box[0] == line.box and box in found:
            where = row if grid.wide else cells[box[1] - 1]
            page.add(Ring(where.inset(1), "focus", max(3, page.of(0.08)), page.of(0.1)))
            lines_between(page, cells)  # above the frame


def _lay_name(page: Page, row: Rect, name: Rect, label: str, line: Line, size: int, hint: str | None) -> None:
    """A line of the sheet without its cells."""
    own = line.kind != "box"
    ground = "band" if own else "paper"
    if own:
        page.panel(row, ground, radius=0)
    page.add(Stroke(Rect(row.x, row.bottom - 1, row.w, 1), "line", 1))
    inner = name.inset(page.of(0.16), 1)
    if hint is not None and name.w >= page.of(2.2):
        tag, inner = inner.right_part(page.of(0.55 if line.kind == "box" else 1.0), page.of(0.05))
        page.text(tag, hint, "tiny", ink="soft", ground=ground, align="right", lines=2, smallest=page.of(0.24))
    bold = line.kind == "total"
    page.text(inner, label, size, bold=bold, ground=ground, lines=2, smallest=page.of(0.26))


def _hint_of_bonus(page: Page, match: Match, shown: Standing) -> str | None:
    """What the bonus's number says, over or under par; before and after that the sum wanted."""
    if len(shown.columns) > 1 or not match.in_force.bonus:
        return None
    column = shown.columns[0]
    if column.upper_bonus or column.par is None or not column.upper_sum:
        return page.words.number(match.in_force.threshold)
    return page.words.ui("over-par" if column.par > 0 else "under-par" if column.par < 0 else "at-par")


def _cell(
    page: Page,
    cell: Rect,
    line: Line,
    number: int,
    what: Written,
    option: Option | None,
    touch: Intent | None,
) -> None:
    """One cell: what stands in it, else what the dice would bring there."""
    offer = Offer(option.points, _effects(option)) if option is not None else None
    key = ("cell", cell, line, number, what, offer, touch)
    page.same(key, lambda: _lay_cell(page, cell, line, number, what, offer, touch))


def _lay_cell(
    page: Page,
    cell: Rect,
    line: Line,
    number: int,
    what: Written,
    offer: Offer | None,
    touch: Intent | None,
) -> None:
    large = "large" if cell.h >= page.of(0.9) else "body" if cell.h >= page.of(0.6) else "small"
    inside = cell.inset(2, 1)
    least = page.of(LEAST_NUMBER)
    if line.kind != "box":
        if what.text:
            size = fit_apart(len(what.text), cell.w, inside.h, page.letters(large), least, what.bold)
            page.text(inside, what.text, size, bold=what.bold, ground="band", align="centre", smallest=least)
        return
    if what.struck:
        mark = cell.centred(round(cell.w * 0.66), max(4, round(cell.h * 0.4)))
        page.add(Stroke(mark, "ink", max(2, page.of(0.06)), rising=True, box=(line.box, number)))
        return
    if what.text:
        place = (line.box, number)
        size = fit_apart(len(what.text), cell.w, inside.h, page.letters(large), least, bold=True)
        page.text(inside, what.text, size, bold=True, ground="paper", align="centre", box=place, smallest=least)
        return
    if offer is None:
        return
    pad = max(2, page.of(0.05))
    box = cell.inset(pad, pad)
    worth = offer.points > 0
    if worth:
        page.panel(box, "open", "open-edge", max(1, page.of(0.03)))
    if touch is not None:
        page.panel(cell, None, radius=0, intent=touch)
    signs = offer.signs
    text = box.inset(2, 0)
    ground = "open" if worth else "paper"
    if signs and cell.w >= page.of(LEAST_SIGNED):
        side = page.of(0.3 if cell.w >= page.of(1.25) else 0.26)
        strip, text = text.right_part(side + 1)
        alone = len(signs) == 1 and cell.w >= page.of(1.25)
        for name, spot in zip(signs, (strip,) if alone else strip.rows(2), strict=False):
            page.sign(spot.centred(side, side), name, "ink", ground)
    points = page.words.number(offer.points)
    size = fit_apart(len(points), cell.w, text.h, page.letters(large if worth else "body"), least)
    page.text(text, points, size, ink="ink" if worth else "soft", ground=ground, align="centre", smallest=least)


def _effects(option: Option) -> tuple[str, ...]:
    """The signs of what an entry brings besides its points, at most two: a star for a joker, a plus for a bonus won, a
    warning for the upper bonus put out of reach."""
    if not option.joker and not option.bonus_effect:
        return ()
    names = {name for name, _ in option.bonus_effect}
    found = []
    if option.joker:
        found.append("star")
    if names & {"reached", "yahtzee-bonus", "extra-bonus", "chip"}:
        found.append("plus")
    if "lost" in names:
        found.append("warn")
    return tuple(found[:2])


def _written(page: Page, line: Line, shown: Standing, number: int) -> Written:
    """What stands in a line of a column."""
    column = shown.columns[number - 1]
    words = page.words
    last = number == len(shown.columns)
    text = ""
    match line.kind:
        case "box" | "bonus-box":
            points = column.boxes.get(line.box)
            text = words.number(points) if points is not None else ""
            return Written(text, struck=points == 0 and line.kind == "box")
        case "upper-sum":
            text = words.number(column.upper_sum) if column.boxes else ""
        case "upper-bonus":
            if column.upper_bonus:
                return Written(words.number(column.upper_bonus))
            if column.par is not None and column.upper_sum:
                text = words.signed(column.par)
            elif column.boxes and column.par is None and column.upper_sum:
                text = "–"
            return Written(text, bold=False)
        case "chips":
            text = words.number(shown.chips) if last and shown.chips else ""
        case _:
            text = words.number(column.total if len(shown.columns) > 1 else shown.total)
    return Written(text)
