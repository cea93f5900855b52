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
    wide, high = view.picture.wide, view.picture.high
    inside = area.inset(page.of(0.06))
    scale = min(inside.w / wide, inside.h / high)
    marks = tuple(
        Mark(die.centre, die.size, die.angle, die.value, die.asked, held=False)
        for die in view.setup.sight
        if die.centre is not None
    )
    spot = inside.centred(round(wide * scale), round(high * scale))
    now = view.setup.calibrating
    outline = now.outline if now is not None else ()
    page.add(Photo(spot, view.picture, marks, outline=outline))


def _words(page: Page, area: Rect) -> None:
    ui, setup = page.words.ui, page.view.setup
    area = page.flow(area, setup.camera, "small", lines=2)
    if setup.calibrates:
        foot, area = area.foot(page.of(1.2), page.gap)
        _deeds(page, foot, setup.calibrating)
    if setup.calibrating is not None:
        _step(page, area, setup.calibrating)
        return
    dice = " ".join("?" if die.value is None else page.words.number(die.value) for die in setup.sight)
    area = page.flow(area, page.words.tray(page.view.tray), "body", bold=True, lines=2)
    area = page.flow(area, ui("reads", dice=dice) if dice else ui("reads-nothing"), "body", lines=2)
    if dice:
        said = page.words.notice(setup.troubles[0]) if setup.troubles else ui("reads-sure")
        area = page.flow(area, said, "small", ink="soft", lines=2)
    if setup.calibrates:
        page.flow(area, ui("calibrate-how"), "small", lines=4)


def _deeds(page: Page, area: Rect, now: Calibrating | None) -> None:
    """Begin, or stop what goes on; and where print on the ground is taken for dice, to say that the tray is empty."""
    ui = page.words.ui
    if now is None or now.done:
        page.button(area, ui("calibrate"), Calibrate(), main=True, sign="camera")
        return
    stop, empty = area.columns(2, page.gap)
    if now.snag == "dice-in-the-tray":
        page.button(empty, ui("tray-is-empty"), Calibrate(insist=True), sign="check")
    page.button(stop, ui("stop"), Calibrate(on=False), sign="cross")


def _step(page: Page, area: Rect, now: Calibrating) -> None:
    """What to do now, what holds it up, and how far this step has come."""
    words = page.words
    if not now.done:
        bar, area = area.foot(page.of(0.34), page.gap)
        page.panel(bar, "band", "line", 1, radius=bar.h // 2)
        done = bar.left(round(bar.w * min(max(now.part, 0.0), 1.0)))[0]
        page.panel(done, "main", radius=bar.h // 2)
    area = page.flow(area, words.calibration(now.ask), "body", bold=True, lines=3, smallest=0.28)
    for step in (now.snag,) if now.snag is not None else now.advice:
        area = page.flow(area, words.calibration(step), "small", lines=3, smallest=0.22)
