"""The owner's PIN, before the setup and the page to switch off."""

from display.desk import LONGEST_PIN, current
from display.intent import Look, Unlock
from display.page import Page


def lay_pin(page: Page) -> None:
    """A keypad; what is written shows as dots."""
    ui, gap, desk = page.words.ui, page.gap, current(page.view)
    area = page.bar(ui("pin"), Look("open", None)).inset(gap * 2)
    said, area = area.top(page.of(0.8), gap)
    if page.notice is not None:
        page.said(said, page.notice)
    else:
        page.text(said, ui("pin-about"), "body", ink="soft", lines=2)
    area = area.centred(min(area.w, page.of(8)), min(area.h, page.of(9)))
    shown, keys = area.top(page.of(1.0), gap)
    page.panel(shown, "paper", "ink", max(2, page.of(0.04)))
    dots = shown.inset(gap, 0).columns(LONGEST_PIN)
    for place, spot in enumerate(dots[: len(desk.digits)]):
        del place
        page.sign(spot.centred(page.of(0.4), page.of(0.4)), "dot", "ink", "paper")
    rows = keys.rows(4, gap)
    cells = [cell for row in rows for cell in row.columns(3, gap)]
    for digit, cell in zip("123456789", cells, strict=False):
        page.button(cell, page.words.number(int(digit)), Look("digit", digit), size="title")
    page.button(cells[9], "", Look("erase-digit") if desk.digits else None, sign="erase")
    page.button(cells[10], page.words.number(0), Look("digit", "0"), size="title")
    page.button(cells[11], "", Unlock(desk.digits) if desk.digits else None, main=True, sign="check")
