"""The dice as they stand: drawn, and beside each what the camera saw of it, so that anyone can see it is true."""

from dataclasses import dataclass

from display.desk import current
from display.intent import Hold, Intent, Look
from display.page import Page
from display.rect import Rect
from display.scene import Photo
from display.screens.tray import lay_tray
from display.standing import Slot, pane, reading_waits, slots

SHELF = 0.82
"""Side of a die over the height of its place: what is left is how far a held one is raised."""
PICTURE = 1.7
"""Least height, in touches, at which the tray's whole picture is worth its place above the pairs."""


@dataclass(frozen=True)
class Pairs:
    """How pairs of crop and die are shared out: so many across in so many rows, the crop above its die or `beside` it,
    both with this `side` in pixels."""

    across: int
    rows: int
    beside: bool
    side: int


def arranged(page: Page, count: int, size: tuple[int, int]) -> Pairs:
    """The way to lay `count` pairs in an area of this size that shows them largest; one row unless two are much
    larger, as the buttons stand in a row too."""
    wide, high = size
    between = page.of(0.06)
    ways = []
    for rows in (1, 2, 3):
        across = -(-count // rows)
        w, h = wide // across - page.of(0.1), high // rows - between
        ways.append(Pairs(across, rows, False, min(w, round((h - between) / (1 + 1 / SHELF)))))
        ways.append(Pairs(across, rows, True, min((w - between) // 2, round(h * SHELF))))
    best = max(way.side for way in ways)
    return next(way for way in ways if way.side * 1.12 >= best)


def paired(page: Page) -> bool:
    """Whether the camera's crops stand beside the dice now; not while it has something newer to show."""
    view = page.view
    return (
        pane(view) == "picture"
        and view.tray not in ("hand", "moving")
        and any(slot.crop is not None for slot in slots(view))
    )


def lay_pairs(page: Page, area: Rect) -> None:
    """Every die of the throw beside its crop; above them the whole tray where there is room for both."""
    shown = slots(page.view)
    pairs = arranged(page, max(len(shown), 5 if len(shown) > 1 else 1), (area.w, area.h))
    between = page.of(0.06)
    place_h = round(pairs.side / SHELF)
    cell_h = max(page.unit, place_h if pairs.beside else pairs.side + between + place_h)
    cells, above = area.foot((cell_h + between) * pairs.rows)
    if above.h >= page.of(PICTURE):
        picture, _ = above.top(above.h - page.gap // 2)
        lay_tray(page, picture)
    else:
        cells = area.centred(area.w, cells.h)
    rows = [cells.rows(pairs.rows)[row] for row in range(pairs.rows)]
    for row, line in enumerate(rows):
        here = shown[row * pairs.across : (row + 1) * pairs.across]
        room = line.columns(pairs.across)
        offset = (line.w - room[0].w * len(here)) // 2 if pairs.rows > 1 or len(here) < pairs.across else 0
        for slot, cell in zip(here, room, strict=False):
            _pair(page, cell.moved(offset, 0), slot, pairs)


def _pair(page: Page, cell: Rect, slot: Slot, pairs: Pairs) -> None:
    intent = meaning(page, slot)
    if intent is not None:
        page.panel(cell, None, radius=0, intent=intent)
    between = page.of(0.06)
    place_h = round(pairs.side / SHELF)
    if pairs.beside:
        inside = cell.centred(2 * pairs.side + between, place_h)
        left, right = inside.left(pairs.side, between)
        crop, _ = left.foot(pairs.side)
        _crop(page, crop, slot)
        _die(page, right, slot, None)
        return
    inside = cell.centred(pairs.side, pairs.side + between + place_h)
    crop, place = inside.top(pairs.side, between)
    _crop(page, crop, slot)
    _die(page, place, slot, None)


def _crop(page: Page, area: Rect, slot: Slot) -> None:
    """What the camera saw; nothing of a die that is out of its sight."""
    if slot.crop is None:
        page.panel(area, "blank", "line", max(1, page.of(0.03)))
        return
    page.add(Photo(area, slot.crop))


def lay_dice(page: Page, area: Rect) -> None:
    """The dice alone, in a row."""
    shown = slots(page.view)
    if not shown:
        return
    dice = tuple((slot, meaning(page, slot)) for slot in shown)
    key = tuple((slot.number, slot.value, slot.held, slot.asked, slot.empty, means) for slot, means in dice)
    page.same(("dice", area, key), lambda: _lay_row(page, area, dice))


def _lay_row(page: Page, area: Rect, dice: tuple[tuple[Slot, Intent | None], ...]) -> None:
    cells = area.columns(max(len(dice), 5))
    offset = (area.w - cells[0].w * len(dice)) // 2 if len(dice) < 5 else 0
    for (slot, means), place in zip(dice, cells, strict=False):
        _die(page, place.moved(offset, 0).inset(page.of(0.05), 0), slot, means)


def meaning(page: Page, slot: Slot) -> Intent | None:
    """What a touch on a die wants: to hold it, or to put it right while a reading waits."""
    view = page.view
    desk = current(view)
    if desk.changing or (reading_waits(view) and not slot.empty):
        return Look("slot", slot.number)
    if view.match is not None and view.match.phase == "choose" and view.match.throws_left and not desk.pad:
        return Hold(slot.number)
    return None


def _die(page: Page, area: Rect, slot: Slot, intent: Intent | None) -> None:
    key = ("die", area, slot.value, slot.held, slot.asked, slot.empty, intent)
    page.same(
        key,
        lambda: page.die(
            area, slot.value, held=slot.held, asked=slot.asked, empty=slot.empty, shelf=True, intent=intent
        ),
    )
