"""Asks before a game leaves the table: it can be put aside and kept, or ended."""

from display.intent import Look, NewGame, PutAside
from display.page import Page


def lay_end(page: Page) -> None:
    """Going on is the first and the strongest of the three."""
    match, ui = page.view.match, page.words.ui
    area = page.bar(ui("end-game"), Look("open", None)).inset(page.gap * 2)
    over = match is None or match.phase == "over"
    rows = area.centred(min(area.w, page.of(10)), min(area.h, page.of(5.4))).rows(3, page.gap * 2)
    page.button(rows[0], ui("end-no"), Look("open", None), main=True, sign="back", size="large")
    page.button(rows[1], ui("put-aside"), None if over else PutAside(), sign="aside")
    page.button(rows[2], ui("end-yes"), NewGame(), sign="cross")
