"""The menu: what is rarely wanted. It covers the screen, and its cross leads back."""

from display.intent import Intent, Look, Redo, Undo
from display.page import Page
from display.standing import pad_room

Deed = tuple[str, Intent | None, str]


def lay_menu(page: Page) -> None:
    """Two or three large buttons side by side: the game's first, then the table's."""
    match = page.view.match
    area = page.bar(page.words.ui("menu"), Look("open", None)).inset(page.gap * 2, page.gap)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), page.gap)
        page.said(said, page.notice)
    across = 2 if page.upright else 3
    deeds = (_of_the_game(page) if match is not None else []) + _of_the_table(page)
    rows = -(-len(deeds) // across)
    area = area.top(page.of(2.0) * rows + page.gap * (rows - 1))[0]
    cells = [cell for row in area.rows(rows, page.gap) for cell in row.columns(across, page.gap)]
    for (label, intent, sign), cell in zip(deeds, cells, strict=False):
        page.button(cell, label, intent, sign=sign)


def _of_the_game(page: Page) -> list[Deed]:
    match, ui = page.view.match, page.words.ui
    if match is None:
        return []
    return [
        (_named(page, "undo"), Undo() if match.can_undo else None, "undo"),
        (_named(page, "redo"), Redo() if match.can_redo else None, "redo"),
        (ui("pad"), Look("screen", "pad") if pad_room(page.view) else None, "dice"),
        (ui("house-rules"), Look("open", "rules"), "pen"),
        (ui("players"), Look("open", "players"), "people"),
        (ui("end-game-menu"), Look("open", "end"), "cross"),
    ]


def _of_the_table(page: Page) -> list[Deed]:
    desk, ui = page.view.desk, page.words.ui
    aside = page.view.aside
    count = f"{ui('aside-games')}: {page.words.number(len(aside))}" if aside else ui("aside-games")
    guard = "lock" if page.view.locked else None
    return [
        (count, Look("open", "aside") if aside else None, "aside"),
        (page.words.name, Look("open", "language"), "speech"),
        (ui("day") if desk.night else ui("night"), Look("night", not desk.night), "moon"),
        (ui("turn-round"), Look("turned", not desk.turned), "turn-round"),
        (ui("auto-confirm"), Look("auto-confirm", not desk.auto_confirm), "check" if desk.auto_confirm else "ring"),
        (ui("setup"), Look("open", "setup"), guard or "setup"),
        (ui("switch-off"), Look("open", "off"), guard or "power"),
    ]


def _named(page: Page, deed: str) -> str:
    """Undo or redo, and what: Undo: Anna, Full house."""
    match, word = page.view.match, page.words.ui(deed)
    if match is None:
        return word
    event = match.can_undo if deed == "undo" else match.can_redo
    before = match.previous if deed == "undo" else match
    if event is None or before is None:
        return word
    what = page.words.did(match.game, event)
    who = before.player if before.player is not None and what and not getattr(event, "player", None) else None
    said = f"{who}, {what}" if who else what
    return f"{word}: {said}" if said else word
