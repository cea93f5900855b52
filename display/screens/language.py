"""The languages, each by its own name."""

from display.intent import Look
from display.page import Page
from display.words import LANGUAGES, words


def lay_language(page: Page) -> None:
    """One large button each."""
    area = page.bar(page.words.ui("language"), Look("open", None)).inset(page.gap * 2)
    across = 2 if page.upright else 3
    rows = -(-len(LANGUAGES) // across)
    area = area.top(page.of(2.0) * rows + page.gap * (rows - 1))[0]
    cells = [cell for row in area.rows(rows, page.gap) for cell in row.columns(across, page.gap)]
    for code, cell in zip(LANGUAGES, cells, strict=False):
        chosen = code == page.view.desk.language
        sign = "check" if chosen else None
        page.button(cell, words(code).name, Look("language", code), sign=sign, chosen=chosen, size="large")
