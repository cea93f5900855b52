"""In the sheet's place while it is thrown for who begins, or a tie is thrown off: everybody's dice and their sum."""

from display.lots import Lot, lots
from display.page import Page
from display.rect import Rect
from rules import Match


def lay_lots(page: Page, area: Rect, match: Match) -> None:
    """One row each, in turn order; who throws now is marked by a frame and an arrow."""
    rows = lots(match)
    page.panel(area, "paper", radius=0)
    head, area = area.top(page.of(0.9))
    page.panel(head, "band", radius=0)
    title = page.words.ui("lots-begin" if match.phase == "begin" else "lots-off")
    page.text(head.inset(page.of(0.2), 0), title, "large", bold=True, ground="band")
    inside = area.inset(page.of(0.14), page.of(0.1))
    row_h = min(page.of(1.5), inside.h // max(1, len(rows)))
    for place, lot in enumerate(rows):
        _row(page, Rect(inside.x, inside.y + place * row_h, inside.w, row_h).inset(0, page.of(0.04)), lot, match)


def _row(page: Page, row: Rect, lot: Lot, match: Match) -> None:
    due = lot.state == "due"
    ground = "open" if due else "band" if lot.state == "out" else "paper"
    page.panel(row, ground, "open-edge" if due else "line", page.of(0.06) if due else 1)
    inner = row.inset(page.of(0.12), page.of(0.04))
    arrow, inner = inner.left(page.of(0.4), page.of(0.08))
    if due:
        page.sign(arrow.centred(page.of(0.38), page.of(0.38)), "turn", "ink", ground)
    mark, inner = inner.left(page.of(0.5), page.of(0.12))
    page.mark(mark, lot.seat)
    total, inner = inner.right_part(page.of(0.9), page.of(0.1))
    count = match.game.lot_dice
    side = min(page.of(0.7), inner.h, round(inner.w * 0.55) // count)
    dice, name = inner.right_part((side + page.of(0.05)) * count, page.of(0.1))
    if lot.again:
        page.text(dice.joined(total), page.words.ui("throws-again"), "small", ground=ground, align="right", lines=2)
    elif lot.dice:
        for value, cell in zip(lot.dice, dice.columns(count), strict=False):
            page.die(cell.centred(side, side), value)
        page.text(total, page.words.number(sum(lot.dice)), "title", bold=True, ground=ground, align="right")
    ink = "soft" if lot.state == "out" else "ink"
    page.text(name, lot.name, "body", bold=due, ink=ink, ground=ground, lines=2)
