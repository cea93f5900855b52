"""Who plays the game on the table: somebody leaves, somebody joins."""

from display.desk import current
from display.intent import JoinTable, LeaveTable, Look
from display.page import Page
from display.rect import Rect
from display.seating import MOST_PLAYERS


def lay_players(page: Page) -> None:
    """Those at the table, each with a cross; below them those who might join."""
    match, ui, gap = page.view.match, page.words.ui, page.gap
    if match is None:
        return
    area = page.bar(ui("players"), Look("open", None)).inset(gap * 2)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), gap)
        page.said(said, page.notice)
    across = 2 if page.upright else 3
    here = match.players
    rows = max(1, -(-len(here) // across))
    top, area = area.top(page.of(1.12) * rows, gap)
    for name, cell in zip(here, _cells(page, top, rows, across), strict=False):
        _player(page, cell, name, match.seat_of(name) or 0)
    title, area = area.top(page.of(0.55), gap // 2)
    if match.phase in ("over", "throw-off") or len(here) >= MOST_PLAYERS:
        return
    page.text(title, ui("who-joins"), "body", bold=True)
    places = _cells(page, area, max(1, area.h // page.of(1.12)), across)
    page.button(places.pop(0), ui("add-player"), Look("type", "join"), sign="plus")
    known = [name for name in page.view.remembered if match.seat_of(name) is None]
    if len(known) > len(places) > 0:
        last = places.pop()
        first = (current(page.view).page * len(places)) % len(known) if places else 0
        known = known[first : first + len(places)]
        page.button(last, ui("more"), Look("page", current(page.view).page + 1), sign="next")
    for name, cell in zip(known, places, strict=False):
        page.panel(cell, "table", "soft", max(1, page.of(0.03)), intent=JoinTable(name))
        spot, inner = cell.inset(page.of(0.15), 0).left(page.of(0.34), page.of(0.1))
        page.sign(spot.centred(page.of(0.34), page.of(0.34)), "plus", "ink", "table")
        page.text(inner, name, "body", lines=2)


def _cells(page: Page, area: Rect, rows: int, across: int) -> list[Rect]:
    step = page.of(1.12)
    lines = [Rect(area.x, area.y + row * step, area.w, page.of(1.04)) for row in range(rows)]
    return [cell for line in lines for cell in line.columns(across, page.gap)]


def _player(page: Page, cell: Rect, name: str, seat: int) -> None:
    page.panel(cell, "paper", "line", 1)
    cross, inner = cell.right_part(page.of(1.04))
    page.panel(cross, None, radius=0, intent=Look("leaving", name))
    page.sign(cross.centred(page.of(0.44), page.of(0.44)), "cross", "ink", "paper")
    mark, inner = inner.inset(page.of(0.12), 0).left(page.of(0.5), page.of(0.1))
    page.mark(mark, seat)
    page.text(inner, name, "body", bold=True, ground="paper", lines=2)


def lay_leave(page: Page) -> None:
    """Asks before a player leaves."""
    ui, name = page.words.ui, current(page.view).leaving
    if name is None:
        return
    area = page.bar(ui("leave-title"), Look("open", None)).inset(page.gap * 2)
    area = area.centred(min(area.w, page.of(11)), min(area.h, page.of(6.2)))
    who, area = area.top(page.of(0.95))
    page.text(who, name, "title", bold=True, align="centre")
    said, area = area.top(page.of(1.1), page.gap)
    page.text(said, ui("leave-about"), "body", align="centre", ink="soft", lines=2)
    stays, leaves = area.rows(2, page.gap * 2)
    page.button(stays, ui("stays"), Look("open", "players"), main=True, sign="back", size="large")
    page.button(leaves, ui("leaves"), LeaveTable(name), sign="cross")
