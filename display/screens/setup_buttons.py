"""The push buttons in the setup: which pin each is wired to, which is down, which were tried; trying one lights it."""

from display.desk import current
from display.intent import Look
from display.page import Page
from display.rect import Rect
from display.view import Wired


def lay_buttons(page: Page) -> None:
    """One card for each wired button."""
    ui, wired = page.words.ui, page.view.setup.wired
    area = page.bar(ui("setup-buttons"), Look("open", "setup")).inset(page.gap * 2)
    if not wired:
        page.text(area.top(page.of(2.4))[0], ui("no-buttons"), "body", lines=4)
        return
    said, area = area.top(page.of(1.1 if page.upright else 0.9), page.gap)
    page.text(said, ui("try-buttons"), "small", lines=3, smallest=page.of(0.25))
    across = 2 if page.upright else 3
    rows = -(-len(wired) // across)
    area = area.top(min(area.h, page.of(2.3) * rows))[0]
    cells = [cell for row in area.rows(rows, page.gap) for cell in row.columns(across, page.gap)]
    for button, cell in zip(wired, cells, strict=False):
        _card(page, cell, button)


def _card(page: Page, cell: Rect, button: Wired) -> None:
    """A button held down fills its card, one that was tried has a mark: shape as well as colour."""
    tried = current(page.view).tried
    ground = "held" if button.down else "paper"
    edge = "held-edge" if button.down else "accent" if button.name in tried else "line"
    page.panel(cell, ground, edge, page.of(0.06), intent=Look("tried", button.name))
    inner = cell.inset(page.of(0.16), page.of(0.1))
    marks, words = inner.right_part(page.of(0.6), page.of(0.1))
    upper, lower = marks.rows(2, page.of(0.04))
    if button.name in tried:
        page.sign(upper.centred(page.of(0.46), page.of(0.46)), "check", "ink", ground)
    if button.lamp is not None:
        lit = tried[-1:] == (button.name,)
        page.sign(lower.centred(page.of(0.4), page.of(0.4)), "dot" if lit else "ring", "ink", ground)
    name, pins = words.top(round(words.h * 0.56))
    page.text(name, _name(page, button.name), "body", bold=True, ground=ground)
    said = f"GPIO {button.pin}" if button.lamp is None else f"GPIO {button.pin}, {button.lamp}"
    page.text(pins, said, "small", ground=ground, smallest=page.of(0.24))


def _name(page: Page, name: str) -> str:
    ui = page.words.ui
    if name.startswith("hold-"):
        return ui("hold-die", n=page.words.number(int(name.removeprefix("hold-"))))
    return ui({"confirm": "confirm-button"}.get(name, name))
