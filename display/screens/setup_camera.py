"""The camera in the setup: its picture as it is now, what the reader sees in it, and how it is calibrated."""

from display.intent import Calibrate, Look
from display.page import Page
from display.rect import Rect
from display.scene import Mark, Photo
from display.view import Calibrating


def lay_camera(page: Page) -> None:
    """The picture as large as it goes, words and the calibration beside it; upright, below it."""
    area = page.bar(page.words.ui("setup-camera"), Look("open", "setup")).inset(page.gap * 2)
    if page.upright:
        picture, side = area.top(round(area.w * 0.75), page.gap * 2)
    else:
        side, picture = area.right_part(min(page.of(5.6), round(area.w * 0.42)), page.gap * 2)
    _picture(page, picture)
    _words(page, side)


def _picture(page: Page, area: Rect) -> None:
    view = page.view
    page.panel(area, "tray")
    if view.picture is None:
        page.text(
            area.inset(page.of(0.3)),
            page.words.tray("no-camera"),
            "body",
            ink="on-tray",
            ground="tray",
            align="centre",
        )
        return
    high, wide = view.picture.pixels.shape[:2]
    inside = area.inset(page.of(0.06))
    scale = min(inside.w / wide, inside.h / high)
    marks = tuple(
        Mark(die.centre, die.size, die.angle, die.value, die.asked, held=False)
        for die in view.setup.sight
        if die.centre is not None
    )
    spot = inside.centred(round(wide * scale), round(high * scale))
    page.add(Photo(spot, view.picture.number, marks, None, view.picture.pixels))


def _words(page: Page, area: Rect) -> None:
    ui, setup = page.words.ui, page.view.setup
    dice = " ".join("?" if die.value is None else page.words.number(die.value) for die in setup.sight)
    area = page.flow(area, setup.camera, "small", lines=2)
    area = page.flow(area, page.words.tray(page.view.tray), "body", bold=True, lines=2)
    area = page.flow(area, ui("reads", dice=dice) if dice else ui("reads-nothing"), "body", lines=2)
    if dice:
        said = page.words.notice(setup.troubles[0]) if setup.troubles else ui("reads-sure")
        area = page.flow(area, said, "small", ink="soft", lines=2)
    if setup.calibrates or setup.calibrating is not None:
        _calibration(page, area, setup.calibrating)


def _calibration(page: Page, area: Rect, now: Calibrating | None) -> None:
    ui = page.words.ui
    button, area = area.foot(page.of(1.2), page.gap)
    running = now is not None and now.state == "running"
    page.button(button, ui("calibrate"), None if running else Calibrate(), main=not running, sign="camera")
    if now is None:
        page.flow(area, ui("calibrate-how"), "small", lines=4)
        return
    words = {"running": "calibrating", "done": "calibrated", "failed": "not-calibrated"}[now.state]
    if running:
        bar, area = area.foot(page.of(0.34), page.gap)
        page.panel(bar, "band", "line", 1, radius=bar.h // 2)
        done = bar.left(round(bar.w * min(max(now.part, 0.0), 1.0)))[0]
        page.panel(done, "main", radius=bar.h // 2)
    area = page.flow(area, ui(words), "body", bold=True, lines=3, smallest=0.28)
    if now.said:
        page.flow(area, now.said, "small", lines=3, smallest=0.22)
