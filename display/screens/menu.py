"""The menu: what is rarely wanted. It covers the screen, and its cross leads back."""

from display.intent import Intent, Look, NewGame, Redo, Undo
from display.page import Page
from display.rect import Rect
from display.standing import pad_room
from display.words import LANGUAGES, words


def lay_menu(page: Page) -> None:
    """Undo and redo, dice by finger, light or dark, the languages, the end of the game."""
    match = page.view.match
    rest = _bar(page, page.words.ui("menu"))
    gap = page.gap
    across = 2 if page.upright else 3
    ui = page.words.ui
    night = page.view.desk.night
    deeds: list[tuple[str, Intent | None, str]] = [
        (ui("undo"), Undo() if match and match.can_undo else None, "undo"),
        (ui("redo"), Redo() if match and match.can_redo else None, "redo"),
        (ui("pad"), Look("screen", "pad") if pad_room(page.view) else None, "dice"),
        (ui("day") if night else ui("night"), Look("night", not night), "moon"),
        (ui("new-game"), Look("open", "end"), "play"),
        (ui("back"), Look("open", None), "back"),
    ]
    rows = -(-len(deeds) // across)
    top, below = rest.top(page.of(1.3) * rows + gap * (rows - 1), gap * 2)
    cells = [cell for row in top.rows(rows, gap) for cell in row.columns(across, gap)]
    for (label, intent, sign), cell in zip(deeds, cells, strict=False):
        page.button(cell, label, intent, sign=sign)
    title, below = below.top(page.of(0.55), gap)
    page.text(title, ui("language"), "body", bold=True)
    rows = -(-len(LANGUAGES) // across)
    area, _ = below.top(page.of(1.2) * rows + gap * (rows - 1))
    cells = [cell for row in area.rows(rows, gap) for cell in row.columns(across, gap)]
    for code, cell in zip(LANGUAGES, cells, strict=False):
        chosen = code == page.view.desk.language
        page.button(cell, words(code).name, Look("language", code), sign="check" if chosen else None, chosen=chosen)


def lay_end(page: Page) -> None:
    """Asks before a game is put away."""
    rest = _bar(page, page.words.ui("end-game"))
    area = rest.centred(min(rest.w, page.of(9)), page.of(1.6))
    keep, end = area.columns(2, page.gap)
    page.button(keep, page.words.ui("end-no"), Look("open", None), main=True, sign="back")
    page.button(end, page.words.ui("end-yes"), NewGame(), sign="cross")


def _bar(page: Page, title: str) -> Rect:
    bar, rest = page.whole.top(page.of(1.1))
    page.panel(bar, "turn", radius=0)
    leave, text = bar.right_part(page.of(1.3))
    page.panel(leave, None, radius=0, intent=Look("open", None))
    page.sign(leave.centred(page.of(0.55), page.of(0.55)), "cross", "on-turn", "turn")
    page.text(text.inset(page.of(0.25), 0), title, "title", bold=True, ink="on-turn", ground="turn")
    if page.notice is not None:
        said, rest = rest.top(page.of(0.9))
        page.said(said.inset(page.gap * 2, page.of(0.07)), page.notice)
    return rest.inset(page.gap * 2)
