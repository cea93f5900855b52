"""The sheet over the whole screen, for games with more cells than fit beside the dice: every cell is a finger high."""

from display.desk import current
from display.intent import Enter, Look, Undo
from display.lettering import fit_all
from display.page import Page
from display.rect import Rect
from display.scene import Ring, Stroke
from display.screens.sheet import NAME, column_heads, draw_cell, lines_between
from display.standing import (
    Line,
    can_enter,
    column_count,
    entries,
    sheet_on_turn,
    slots,
    standing,
)


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
    _strip(page, strip, shown.player)
    if page.notice is not None:
        said, area = area.top(page.of(0.74))
        page.said(said, page.notice)
    lines = tuple(Line("box", box.id) for box in match.game.boxes if box.section != "bonus")
    cells = column_count(match)
    parts = next(
        (n for n in (1, 2, 3, 4) if -(-len(lines) // n) * page.unit + page.of(0.5) <= area.h),
        4,
    )
    deep = -(-len(lines) // parts)
    banks = area.columns(parts)
    row_h = min((area.h - page.of(0.5)) // deep, page.of(1.5))
    cell_w = min(page.of(1.5), (banks[0].w - page.of(NAME)) // cells)
    name_w = banks[0].w - cell_w * cells
    names = tuple(page.words.box(match.game, line.box) for line in lines)
    size = fit_all(names, (name_w - page.of(0.2), row_h - 2), page.letters("body"), page.letters("tiny"), most_lines=2)
    found = entries(match) if live else {}
    page.panel(area, "paper", radius=0)
    for part, bank in enumerate(banks):
        head, rest = bank.top(page.of(0.5))
        page.panel(head, "band", radius=0)
        column_heads(page, head.right_part(cell_w * cells)[0], "band")
        for place, line in enumerate(lines[part * deep : (part + 1) * deep]):
            row = Rect(rest.x, rest.y + place * row_h, rest.w, row_h)
            page.add(Stroke(Rect(row.x, row.bottom - 1, row.w, 1), "line", 1))
            name, cells_area = row.left(name_w)
            label = page.words.box(match.game, line.box)
            page.text(name.inset(page.of(0.1), 1), label, size, ground="paper", lines=2)
            for number, cell in enumerate(cells_area.columns(cells), start=1):
                option = found.get((line.box, number))
                touch = Enter(line.box, number) if option is not None else None
                draw_cell(page, cell, line, shown, number, option, touch)
                if desk.box == (line.box, number) and option is not None:
                    page.add(Ring(cell.inset(1), "focus", max(3, page.of(0.08)), page.of(0.1)))
        deep_here = len(lines[part * deep : (part + 1) * deep])
        lines_between(page, rest.left(name_w)[1].top(row_h * deep_here)[0].columns(cells))
        if part:
            page.add(Stroke(Rect(bank.x, bank.y, 2, bank.h), "ink", 2))


def _strip(page: Page, area: Rect, player: str) -> None:
    page.panel(area, "turn", radius=0)
    inner = area.inset(page.gap, page.of(0.07))
    back, rest = inner.left(page.of(2.0), page.gap)
    page.button(back, page.words.ui("back"), Look("large", False), sign="back")
    undo, rest = rest.right_part(page.of(2.0), page.gap)
    match = page.view.match
    page.button(undo, page.words.ui("undo"), Undo() if match and match.can_undo else None, sign="undo")
    rest = page.warned(rest)
    dice = slots(page.view)
    wide = min(page.of(0.8), rest.w // max(1, len(dice)) * 2 // 3)
    shown, name = rest.right_part(wide * len(dice), page.gap)
    for slot, cell in zip(dice, shown.columns(max(1, len(dice))), strict=False):
        side = min(cell.w, cell.h) - page.of(0.06)
        page.die(cell.centred(side, side), slot.value, empty=slot.empty)
    page.text(name, player, "large", bold=True, ink="on-turn", ground="turn", lines=2)
