"""The dice pad: a throw entered by finger, face by face. Without a camera the table is a full score keeper by it."""

from collections.abc import Sequence

from display.desk import current
from display.intent import Intent, Look
from display.page import Page
from display.rect import Rect
from display.standing import pad_room


def lay_pad(page: Page, area: Rect) -> None:
    """Six faces to touch for a throw; the last one touched can be taken back."""
    leave = page.view.tray != "no-camera"
    touched = len(current(page.view).pad)
    left = pad_room(page.view) - touched
    rim = min(page.of(0.15), (area.h - 2 * page.unit - page.of(0.08)) // 2)  # a low pane keeps its faces a finger high
    bar, faces = area.inset(rim).right_part(page.of(1.1), page.of(0.1))
    page.same(("pad", area), lambda: _lay_pad(page, area, faces), still=True)
    page.same(("pad-keys", bar, leave, touched, left), lambda: _lay_keys(page, bar, touched, left, leave=leave))


def _lay_pad(page: Page, area: Rect, faces: Rect) -> None:
    page.panel(area, "tray")
    lay_faces(page, faces, [Look("face", face) for face in range(1, 7)])


def _lay_keys(page: Page, bar: Rect, touched: int, left: int, *, leave: bool) -> None:
    keys = bar.rows(2, page.of(0.08))
    erase = Look("erase-face") if touched else None
    page.button(keys[0], "", erase, sign="erase")
    if leave:
        page.button(keys[1], "", Look("screen", "play"), sign="cross")
    else:
        page.text(keys[1], str(left), "title", bold=True, ink="on-tray", ground="tray", align="centre")


def lay_faces(page: Page, area: Rect, intents: Sequence[Intent], known: int | None = None) -> None:
    """Six faces to touch, in two rows of three."""
    rows = area.rows(2, page.of(0.08))
    cells = [cell for row in rows for cell in row.columns(3, page.of(0.08))]
    for face, (cell, intent) in enumerate(zip(cells, intents, strict=True), start=1):
        chosen = face == known
        page.panel(cell, "paper", "ink" if chosen else "line", page.of(0.07 if chosen else 0.03), intent=intent)
        side = min(cell.w, cell.h) - page.of(0.26)
        page.die(cell.centred(side, side), face)
