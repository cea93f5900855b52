"""The sheet over the whole screen, for games with more cells than fit beside the dice: every cell is a finger high."""

from display.desk import current
from display.intent import Look, Undo
from display.lettering import fit_all
from display.page import Page
from display.rect import Rect
from display.scene import Stroke
from display.screens.sheet import NAME, Grid, Plan, column_heads, lay_cells, lines_between, ruled
from display.standing import (
    Line,
    alarms,
    can_enter,
    column_count,
    sheet_on_turn,
    slots,
    standing,
)
from rules import Match


def lay_large(page: Page) -> None:
    """Dice and player in one strip, below it every box of every column."""
    match = page.view.match
    if match is None:
        return
    desk = current(page.view)
    own = sheet_on_turn(match)
    shown = standing(match, desk.shown_player or own)
    live = shown.player == own and can_enter(page.view)
    strip, area = page.whole.top(page.of(1.16))
    _strip(page, strip, shown.player, shown.seat)
    if page.notice is not None:
        said, area = area.top(page.of(0.74))
        page.said(said, page.notice)
    grid = page.once(("large", area), match.in_force, lambda: _grid(page, match, area))
    page.same(("large", grid), lambda: _lay_lines(page, match, grid))
    lay_cells(page, grid, shown, live=live)


def _grid(page: Page, match: Match, area: Rect) -> Grid:
    lines = tuple(Line("box", box.id) for box in match.game.boxes if box.section != "bonus")
    cells = column_count(match)
    head = page.of(0.5)
    parts = next((n for n in (1, 2, 3, 4) if -(-len(lines) // n) * page.unit + head <= area.h), 4)
    deep = -(-len(lines) // parts)
    banks = area.columns(parts)
    cell_w = min(page.of(1.5), (banks[0].w - page.of(NAME)) // cells)
    name_w = banks[0].w - cell_w * cells
    shared = tuple(lines[part * deep : (part + 1) * deep] for part in range(parts))
    layout = Plan(shared, head, min((area.h - head) // deep, page.of(1.5)), direct=True)
    return Grid(area, layout, banks, name_w, ruled(layout, banks, name_w, cells), wide=False)


def _lay_lines(page: Page, match: Match, grid: Grid) -> None:
    """The sheet as it is printed."""
    layout = grid.plan
    names = tuple(page.words.box(match.game, row.line.box) for row in grid.rows)
    room = (grid.name_w - page.of(0.2), layout.row - 2)
    size = fit_all(names, room, page.letters("body"), page.letters("tiny"), most_lines=2)
    page.panel(grid.area, "paper", radius=0)
    for bank in grid.banks:
        head, _ = bank.top(layout.head)
        page.panel(head, "band", radius=0)
        column_heads(page, head.right_part(grid.banks[0].w - grid.name_w)[0], "band")
    for row, label in zip(grid.rows, names, strict=True):
        page.add(Stroke(Rect(row.rect.x, row.rect.bottom - 1, row.rect.w, 1), "line", 1))
        page.text(row.name.inset(page.of(0.1), 1), label, size, ground="paper", lines=2)
    for number, (bank, lines) in enumerate(zip(grid.banks, layout.banks, strict=True)):
        columns = bank.top(layout.head)[1].left(grid.name_w)[1].top(layout.row * len(lines))[0]
        lines_between(page, columns.columns(column_count(match)))
        if number:
            page.add(Stroke(Rect(bank.x, bank.y, 2, bank.h), "ink", 2))


def _strip(page: Page, area: Rect, player: str, seat: int) -> None:
    match = page.view.match
    undo = match is not None and match.can_undo is not None
    dice = tuple((slot.value, slot.empty) for slot in slots(page.view))
    key = ("strip", area, player, seat, undo, dice, alarms(page.view), current(page.view).open)
    page.same(key, lambda: _lay_strip(page, area, (player, seat), dice, undo=undo))


def _lay_strip(
    page: Page, area: Rect, player: tuple[str, int], dice: tuple[tuple[int | None, bool], ...], *, undo: bool
) -> None:
    page.panel(area, "turn", radius=0)
    inner = area.inset(page.gap, page.of(0.07))
    back, rest = inner.left(page.of(2.0), page.gap)
    page.button(back, page.words.ui("back"), Look("large", False), sign="back")
    take_back, rest = rest.right_part(page.of(2.0), page.gap)
    page.button(take_back, page.words.ui("undo"), Undo() if undo else None, sign="undo")
    rest = page.warned(rest)
    wide = min(page.of(0.8), rest.w // max(1, len(dice)) * 2 // 3)
    shown, name = rest.right_part(wide * len(dice), page.gap)
    for (value, empty), cell in zip(dice, shown.columns(max(1, len(dice))), strict=False):
        side = min(cell.w, cell.h) - page.of(0.06)
        page.die(cell.centred(side, side), value, empty=empty)
    page.named(name, player[0], "large", player[1], bold=True, ink="on-turn", ground="turn")
