"""The owner's setup: what can be chosen for the whole table, and the ways to camera, buttons, touch and check-up."""

from collections.abc import Sequence
from typing import TypeVar

from display.intent import Intent, Look
from display.page import Page
from display.rect import Rect
from display.words import LANGUAGES

_Value = TypeVar("_Value")

TURNS = (0, 90, 180, 270)
BRIGHTNESS_STEP = 10


def lay_setup(page: Page) -> None:
    """Every choice with its value on a card to be touched; the pages behind it as buttons below."""
    ui, desk = page.words.ui, page.view.desk
    area = page.bar(ui("setup"), Look("open", None)).inset(page.gap * 2, page.gap)
    if page.notice is not None:
        said, area = area.top(page.of(0.76), page.gap // 2)
        page.said(said, page.notice)
    across = 2 if page.upright else 4
    gap = page.gap
    choices: list[tuple[str, str, Intent, str]] = [
        (ui("language"), page.words.name, Look("language", _next(LANGUAGES, desk.language)), "speech"),
        (ui("colours"), ui("night" if desk.night else "day"), Look("night", not desk.night), "moon"),
        (
            ui("rotate"),
            ui("degrees", n=page.words.number(desk.rotate)),
            Look("rotate", _next(TURNS, desk.rotate)),
            "turn-round",
        ),
        _switch(page, "auto-confirm", desk.auto_confirm),
        _switch(page, "sound", desk.sound),
        _switch(page, "speech", desk.speech),
        _switch(page, "motion", desk.motion),
    ]
    pages: list[tuple[str, Intent, str]] = [
        (ui("setup-camera"), Look("open", "setup-camera"), "camera"),
        (ui("setup-buttons"), Look("open", "setup-buttons"), "dot"),
        (ui("setup-touch"), Look("open", "setup-touch"), "hold"),
        (ui("setup-checks"), Look("open", "setup-checks"), "check"),
    ]
    ways, area = area.foot(page.of(1.3) * (2 if page.upright else 1) + (gap if page.upright else 0), gap * 2)
    cells = [cell for row in ways.rows(2 if page.upright else 1, gap) for cell in row.columns(across, gap)]
    for (label, intent, sign), cell in zip(pages, cells, strict=True):
        page.button(cell, label, intent, sign=sign)
    rows = -(-(len(choices) + 1) // across)
    area = area.top(min(area.h, page.of(2.4) * rows))[0]
    cells = [cell for row in area.rows(rows, gap) for cell in row.columns(across, gap)]
    for (name, value, intent, sign), cell in zip(choices, cells, strict=False):
        _choice(page, cell, name, value, intent, sign)
    if page.view.setup.backlight:
        _brightness(page, cells[len(choices)])


def _switch(page: Page, key: str, on: bool) -> tuple[str, str, Intent, str]:
    ui = page.words.ui
    return ui(key), ui("on" if on else "off"), Look(key, not on), "check" if on else "ring"


def _choice(page: Page, cell: Rect, name: str, value: str, intent: Intent, sign: str) -> None:
    page.panel(cell, "paper", "line", max(1, page.of(0.03)), intent=intent)
    inner = cell.inset(page.of(0.14), page.of(0.1))
    head, below = inner.top(round(inner.h * 0.5), page.of(0.04))
    page.text(head, name, "small", ink="soft", ground="paper", lines=2, smallest=page.of(0.26))
    spot, text = below.left(page.of(0.44), page.of(0.14))
    page.sign(spot.centred(page.of(0.42), page.of(0.42)), sign, "accent", "paper")
    page.text(text, value, "large", bold=True, ground="paper", smallest=page.of(0.34))


def _brightness(page: Page, cell: Rect) -> None:
    """One step darker, the value, one step brighter."""
    ui, now = page.words.ui, page.view.desk.brightness
    page.panel(cell, "paper", "line", max(1, page.of(0.03)))
    less, rest = cell.left(page.of(1.02))
    more, middle = rest.right_part(page.of(1.02))
    for spot, sign, to in ((less, "minus", now - BRIGHTNESS_STEP), (more, "plus", now + BRIGHTNESS_STEP)):
        intent = Look("brightness", to) if BRIGHTNESS_STEP <= to <= 100 else None
        page.panel(spot, "band", "line", 1, intent=intent)
        page.sign(spot.centred(page.of(0.45), page.of(0.45)), sign, "ink" if intent is not None else "soft", "band")
    head, below = middle.inset(page.of(0.06), page.of(0.1)).top(round(middle.h * 0.42))
    page.text(
        head, ui("brightness"), "small", ink="soft", ground="paper", align="centre", lines=2, smallest=page.of(0.2)
    )
    value = ui("percent", n=page.words.number(now))
    page.text(below, value, "large", bold=True, ground="paper", align="centre", smallest=page.of(0.3))


def _next(values: Sequence[_Value], now: _Value) -> _Value:
    return values[(values.index(now) + 1) % len(values)] if now in values else values[0]
