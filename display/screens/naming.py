"""A name is written: an on-screen keyboard with every letter of the six languages."""

from display.intent import Intent, JoinTable, Look
from display.page import Page
from display.rect import Rect
from display.screens.teams import team_name
from display.seating import LONGEST_NAME, cased
from display.view import View

LYING = ("qwertyuiopåü", "asdfghjklöäæ", "zxcvbnmøéß-'")
UPRIGHT = ("abcdefgh", "ijklmnop", "qrstuvwx", "yzåäöæøü", "éß-'")
LETTERS = "".join(LYING)


def lay_naming(page: Page) -> None:
    """The name on top, the keys below."""
    typed = page.view.desk.typing or ""
    area = page.whole.inset(page.gap)
    top, keys = area.top(page.of(1.9) if page.upright else page.of(1.5), page.gap)
    page.panel(top, "paper", "ink", max(2, page.of(0.04)))
    leave, field = top.right_part(page.of(1.3))
    page.panel(leave, None, radius=0, intent=Look("stop-typing"))
    page.sign(leave.centred(page.of(0.55), page.of(0.55)), "cross", "ink", "paper")
    inner = page.warned(field).inset(page.of(0.3), page.of(0.08))
    label, name = inner.top(page.of(0.4))
    page.text(label, _whose(page), "small", ink="soft", ground="paper")
    page.text(name, typed + "|" if len(typed) < LONGEST_NAME else typed, "title", bold=True, ground="paper")
    if page.notice is not None:
        said, keys = keys.top(page.of(0.76), page.gap)
        page.said(said, page.notice)
    _keys(page, keys, typed)


def named(view: View) -> Intent | None:
    """What it means that the name is written; None while there is nothing to call anybody by."""
    desk = view.desk
    typed = desk.typing or ""
    if isinstance(desk.naming, int):
        return Look("name-team", typed)
    if not typed.strip():
        return None
    return JoinTable(typed.strip()) if desk.naming == "join" else Look("add-player", typed)


def _whose(page: Page) -> str:
    naming = page.view.desk.naming
    if not isinstance(naming, int):
        return page.words.ui("type-name")
    return page.words.ui("type-team", name=team_name(page, naming))


def _keys(page: Page, area: Rect, typed: str) -> None:
    rows = UPRIGHT if page.upright else LYING
    gap = page.of(0.08)
    count = len(rows) + 1
    height = min((area.h - gap * (count - 1)) // count, page.of(2.0))
    most = max(len(row) for row in rows)
    lines = [Rect(area.x, area.y + n * (height + gap), area.w, height) for n in range(count)]
    for letters, line in zip(rows, lines, strict=False):
        cells = line.columns(most, gap)
        for letter, cell in zip(letters, cells, strict=False):
            _key(page, cell, cased(letter, typed), Look("letter", letter))
        if page.upright and len(letters) < most:
            rest = Rect(cells[len(letters)].x, line.y, line.right - cells[len(letters)].x, line.h)
            page.button(rest, "", Look("erase-letter") if typed else None, sign="erase")
    cells = lines[-1].shares((6, 4) if page.upright else (6, 2, 3.5), gap)
    _space(page, cells[0])
    if not page.upright:
        page.button(cells[1], "", Look("erase-letter") if typed else None, sign="erase")
    page.button(cells[-1], page.words.ui("done"), named(page.view), main=True, sign="check")


def _key(page: Page, cell: Rect, shown: str, intent: Look) -> None:
    page.panel(cell, "paper", "line", 1, intent=intent)
    page.text(cell, shown, "title", ground="paper", align="centre")


def _space(page: Page, cell: Rect) -> None:
    page.panel(cell, "paper", "line", 1, intent=Look("letter", " "))
    bar = cell.centred(round(cell.w * 0.5), page.of(0.12))
    page.panel(bar, "soft", radius=page.of(0.05))
