"""Switching off: asked first, then a sentence until it is dark."""

from display.intent import CloseProgram, Look, SwitchOff
from display.page import Page


def lay_off(page: Page) -> None:
    """Going on is the strongest; the game is kept whatever is chosen."""
    ui = page.words.ui
    area = page.bar(ui("switch-off"), Look("open", None)).inset(page.gap * 2)
    area = area.centred(min(area.w, page.of(10)), area.h)
    said, area = area.top(page.of(1.1), page.gap)
    if page.notice is not None:
        page.said(said, page.notice)
    else:
        page.text(said, ui("off-about"), "body", align="centre", lines=2)
    rows = area.centred(area.w, min(area.h, page.of(5.4))).rows(3, page.gap * 2)
    page.button(rows[0], ui("off-no"), Look("open", None), main=True, sign="back", size="large")
    page.button(rows[1], ui("off-yes"), SwitchOff() if page.view.off == "here" else None, sign="power")
    page.button(rows[2], ui("close-program"), CloseProgram(), sign="cross")


def lay_going(page: Page) -> None:
    """Nothing to touch any more."""
    page.panel(page.whole, "turn", radius=0)
    area = page.whole.centred(page.whole.w - 2 * page.of(0.5), page.of(3))
    sign, text = area.top(page.of(1.2), page.gap)
    page.sign(sign.centred(page.of(1.1), page.of(1.1)), "power", "on-turn", "turn")
    page.text(
        text, page.words.ui("off-going"), "title", bold=True, ink="on-turn", ground="turn", align="centre", lines=2
    )
