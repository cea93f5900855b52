"""The touch test: five points, asked for one after the other, so that a screen mounted otherwise shows itself."""

from display.desk import POINTS, current
from display.intent import Look
from display.page import Page
from display.rect import Rect


def lay_touch(page: Page) -> None:
    """A point in each corner and one in the middle; words above and the way back below them."""
    ui, desk = page.words.ui, current(page.view)
    side = page.of(1.5)
    top, rest = page.whole.top(side)
    foot, middle = rest.foot(side)
    corners = (top.left(side)[0], top.right_part(side)[0], foot.right_part(side)[0], foot.left(side)[0])
    for number, spot in enumerate((*corners, middle.centred(side, side)), start=1):
        _point(page, spot, number)
    between = page.warned(Rect(top.x + side, top.y, top.w - 2 * side, top.h).inset(page.gap, page.gap))
    done = len(desk.tried) == POINTS
    words = ui("touch-right") if done else ui("touch-astray") if desk.astray else ui("touch-five")
    page.text(between, words, "body", bold=True, align="centre", lines=3, smallest=page.of(0.26))
    back = Rect(foot.x + side, foot.y, foot.w - 2 * side, foot.h).centred(page.of(4.4), page.of(1.2))
    page.button(back, ui("back"), Look("open", "setup"), main=done, sign="back")


def _point(page: Page, spot: Rect, number: int) -> None:
    desk = current(page.view)
    tried, wanted, astray = str(number) in desk.tried, number == len(desk.tried) + 1, desk.astray == str(number)
    ground = "notice" if astray else "main" if wanted else "paper"
    page.panel(spot, None, radius=0, intent=Look("touched", number))
    page.panel(spot.inset(page.of(0.1)), ground, "line", 1)
    sign = "check" if tried else "cross" if astray else "plus"
    ink = "on-notice" if astray else "on-main" if wanted else "ink"
    page.sign(spot.centred(page.of(0.7), page.of(0.7)), sign, ink, ground)
