"""The menu: what is rarely wanted. It covers the screen, and its cross leads back."""

from display.intent import Intent, Look, NewGame, Redo, Undo
from display.page import Page
from display.rect import Rect
from display.standing import pad_room
from display.words import LANGUAGES, words
from rules import Event


def lay_menu(page: Page) -> None:
    """Undo and redo, dice by finger, light or dark, the languages, the end of the game."""
    match = page.view.match
    rest = _bar(page, page.words.ui("menu"))
    gap = page.gap
    across = 2 if page.upright else 3
    ui = page.words.ui
    desk = page.view.desk
    undo, redo = (match.can_undo, match.can_redo) if match else (None, None)
    deeds: list[tuple[str, Intent | None, str]] = [
        (_named(page, "undo", undo), Undo() if undo else None, "undo"),
        (_named(page, "redo", redo), Redo() if redo else None, "redo"),
        (ui("pad"), Look("screen", "pad") if pad_room(page.view) else None, "dice"),
        (ui("day") if desk.night else ui("night"), Look("night", not desk.night), "moon"),
        (ui("turn-round"), Look("turned", not desk.turned), "turn-round"),
        (ui("auto-confirm"), Look("auto-confirm", not desk.auto_confirm), "check" if desk.auto_confirm else "ring"),
        (ui("new-game"), Look("open", "end"), "play"),
        (ui("setup"), Look("open", "setup"), "camera"),
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


def _named(page: Page, deed: str, event: Event | None) -> str:
    """Undo or redo, and what: Undo: Full house."""
    word = page.words.ui(deed)
    if event is None or page.view.match is None:
        return word
    what = page.words.did(page.view.match.game, event)
    return f"{word}: {what}" if what else word


def lay_end(page: Page) -> None:
    """Asks before a game is put away."""
    rest = _bar(page, page.words.ui("end-game"))
    area = rest.centred(min(rest.w, page.of(9)), page.of(1.6))
    keep, end = area.columns(2, page.gap)
    page.button(keep, page.words.ui("end-no"), Look("open", None), main=True, sign="back")
    page.button(end, page.words.ui("end-yes"), NewGame(), sign="cross")


def _bar(page: Page, title: str) -> Rect:
    rest = page.bar(title, Look("open", None))
    if page.notice is not None:
        said, rest = rest.top(page.of(0.9))
        page.said(said.inset(page.gap * 2, page.of(0.07)), page.notice)
    return rest.inset(page.gap * 2)
