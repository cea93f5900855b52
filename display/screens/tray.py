"""What lies in the tray: the camera's picture with what was read, a die asked about, or the dice pad."""

from display.desk import current
from display.intent import Look, Mend
from display.page import Page
from display.rect import Rect
from display.scene import Mark, Photo
from display.screens.pad import lay_faces, lay_pad
from display.standing import asked_slot, pane, reading_waits, slots


def lay_tray(page: Page, area: Rect) -> None:
    """The pane in the tray's place."""
    match pane(page.view):
        case "asked":
            _asked(page, area)
        case "pad":
            lay_pad(page, area)
        case _:
            _picture(page, area)


def _picture(page: Page, area: Rect) -> None:
    view = page.view
    page.panel(area, "tray")
    if view.picture is not None and view.tray != "no-camera":
        wide, high = view.picture.wide, view.picture.high
        inside = area.inset(page.of(0.05))
        part = _around(page, inside, wide, high)
        spot = _fitted(inside, part[2], part[3]) if part is not None else _fitted(inside, wide, high)
        page.add(Photo(spot, view.picture, _marks(page), part))
        return
    words, rest = area.foot(page.of(0.62))
    sign = rest.centred(page.of(1.1), page.of(1.1))
    page.sign(sign, "dice", "on-tray", "tray")
    text = page.words.tray(view.tray)
    page.text(words.inset(page.of(0.15), 0), text, "small", ink="on-tray", ground="tray", align="centre")


def _around(page: Page, area: Rect, wide: int, high: int) -> tuple[int, int, int, int] | None:
    """While a reading waits: the part of the picture with its dice, so that anyone can see the reading is true."""
    dice = [die for die in page.view.seen if die.centre is not None and die.size > 0]
    if not dice:
        return None
    rim = 1.9 * max(die.size for die in dice)
    x0, y0 = min(die.centre[0] for die in dice if die.centre), min(die.centre[1] for die in dice if die.centre)
    x1, y1 = max(die.centre[0] for die in dice if die.centre), max(die.centre[1] for die in dice if die.centre)
    w, h = max(x1 - x0 + 2 * rim, wide / 3), max(y1 - y0 + 2 * rim, high / 3)
    w, h = max(w, h * area.w / area.h), max(h, w * area.h / area.w)
    w, h = min(w, wide), min(h, high)
    x = min(max(0.0, (x0 + x1 - w) / 2), wide - w)
    y = min(max(0.0, (y0 + y1 - h) / 2), high - h)
    return round(x), round(y), round(w), round(h)


def _fitted(area: Rect, width: int, height: int) -> Rect:
    """The picture's own shape, as large as the area allows."""
    scale = min(area.w / width, area.h / height)
    return area.centred(round(width * scale), round(height * scale))


def _marks(page: Page) -> tuple[Mark, ...]:
    return tuple(
        Mark(die.centre, die.size, die.angle, die.value, die.asked or die.value is None, die.held)
        for die in page.view.seen
        if die.centre is not None
    )


def _asked(page: Page, area: Rect) -> None:
    """One die by itself: its picture, the question, and six faces to answer with."""
    slot = asked_slot(page.view) or 1
    page.panel(area, "ask", "ask-edge", page.of(0.05))
    inside = area.inset(page.of(0.15))
    desk = current(page.view)
    low = area.h < page.of(3.2)  # the sentence above the tray asks already
    if not low:
        title, inside = inside.top(page.of(0.9 if desk.slot is not None else 0.6), page.of(0.08))
        if desk.slot is not None:
            _leave(page, Rect(area.right - page.unit, area.y, page.unit, page.unit))
            title, _ = title.left(title.w - page.unit)
        page.text(title, page.words.ui("which-face"), "body", bold=True, ground="ask", lines=2)
    side = min(inside.h, round(inside.w * 0.36), inside.w - page.of(3.35))
    crop, faces = inside.left(side, page.gap)
    if low and desk.slot is not None:
        _leave(page, Rect(crop.x, crop.y, crop.w, page.unit))
        _, crop = crop.top(page.unit)
    side = min(crop.w, crop.h)
    _crop(page, crop.centred(side, side), slot)
    known = next((spot.value for spot in slots(page.view) if spot.number == slot), None)
    lay_faces(page, faces, [Mend(slot, face) for face in range(1, 7)], known)


def _leave(page: Page, area: Rect) -> None:
    page.panel(area, None, radius=0, intent=Look("slot", None))
    page.sign(area.centred(page.of(0.5), page.of(0.5)), "cross", "ink", "ask")


def _crop(page: Page, area: Rect, slot: int) -> None:
    view = page.view
    shown = next((spot for spot in slots(view) if spot.number == slot), None)
    if shown is not None and shown.crop is not None:
        page.add(Photo(area, shown.crop))
        return
    if view.picture is not None and reading_waits(view):
        die = view.seen[slot - 1]
        if die.centre is not None and die.size > 0:
            side = round(die.size * 1.9)
            part = (round(die.centre[0] - side / 2), round(die.centre[1] - side / 2), side, side)
            page.add(Photo(area, view.picture, part=part))
            return
    side = min(area.w, page.of(1.4))
    page.die(area.centred(side, side), shown.value if shown else None, asked=True)
