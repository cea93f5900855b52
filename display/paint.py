"""Scene to pixels. Everything drawn twice alike is kept, so a redraw is mostly copying."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import pygame

from display.kept import Kept
from display.lettering import drawable, even_digits, font
from display.photo import draw_photo
from display.rect import Rect
from display.scene import (
    DrawnDie,
    Lettering,
    Panel,
    Part,
    Photo,
    Ring,
    Scene,
    Sign,
    Stroke,
    Thing,
    joined,
)
from display.signs import SIGNS
from display.theme import DAY, NIGHT, Colour

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
FINE = 4
"""Round shapes are drawn so many times larger and shrunk, for smooth edges."""

ROOM_PER_PIXEL = 8
"""Bytes kept for each pixel of the screen: of all screens, the one with most pixels takes five."""
KEPT = Kept(ROOM_PER_PIXEL * 1920 * 1080)

ALIGNED = 16
"""Pixels in a line of the processor's cache."""
LARGE = 2000
"""Pixels of a rectangle that may be worth copying."""
ROWS = 32
"""Height of what is copied: few copies, and what is read stays in the cache."""


def keep_for(size: tuple[int, int]) -> None:
    """From now on as much is kept as screens of this size need."""
    KEPT.room = ROOM_PER_PIXEL * size[0] * size[1]


def paint(surface: pygame.Surface, scene: Scene, within: Iterable[Rect] | None = None) -> None:
    """Draws the scene, or only what lies within some rectangles of it."""
    night = scene.night
    areas = [Rect(0, 0, *scene.size)] if within is None else within
    seen: list[Thing | Part] = []
    boxes: list[pygame.Rect] = []
    for part in scene.parts:
        if part.still:
            seen.append(part)
            boxes.append(part.box)
        else:
            seen.extend(part.seen)
            boxes.extend(part.boxes)
    table = _colour(scene.ground, night)
    for area in areas:
        box = pygame.Rect(area)
        surface.set_clip(box)
        places = box.collidelistall(boxes)
        first = len(places) - 1
        while first >= 0 and not _covers(seen[places[first]], boxes[places[first]], box):
            first -= 1
        if first < 0:
            _fill(surface, table, box)
        for place in places[max(first, 0) :]:
            thing = seen[place]
            DRAWN[type(thing)](surface, thing, boxes[place], night)
    surface.set_clip(None)


def _covers(thing: Thing | Part, box: pygame.Rect, area: pygame.Rect) -> bool:
    """Whether nothing beneath this thing is seen in the area."""
    if isinstance(thing, Part):
        return bool(box.contains(area))
    if not isinstance(thing, Panel) or thing.fill is None:
        return False
    rim = 2 * max(thing.width, thing.radius)
    return bool(box.inflate(-rim, -rim).contains(area))


def changed(old: Scene, new: Scene) -> list[Rect]:
    """The rectangles in which two scenes of one size differ."""
    if old.night != new.night or old.ground != new.ground:
        return [Rect(0, 0, *new.size)]
    # Much of a screen is laid out once and stays the very same: that needs no comparing.
    both = {id(part) for part in old.parts} & {id(part) for part in new.parts}
    before, after = ([part for part in scene.parts if id(part) not in both] for scene in (old, new))
    return [Rect(*area) for area in joined((*_only(before, after), *_only(after, before)))]


def _only(parts: list[Part], others: list[Part]) -> Iterator[pygame.Rect]:
    """Where something is painted that is in none of the other parts."""
    known = frozenset[int]().union(*(part.ids for part in others))
    alike: set[Thing] | None = None
    for part in parts:
        left = part.ids - known
        if len(left) == len(part.ids) and part.kept:
            yield from part.areas
        elif left:
            if alike is None and not part.kept:
                alike = {thing for other in others if not other.kept for thing in other.seen}
            for thing, box in zip(part.seen, part.boxes, strict=True):
                if id(thing) in left and (part.kept or not alike or thing not in alike):
                    yield box


def _colour(role: str, night: bool) -> Colour:
    return (NIGHT if night else DAY)[role]


def _fill(surface: pygame.Surface, colour: Colour, box: pygame.Rect) -> None:
    """SDL fills past the processor's cache, and where a rectangle begins within a line of it, slowly: copying takes
    half to a fifth of the time there."""
    area = box.clip(surface.get_clip())
    if area.x % ALIGNED == 0 or area.w * area.h < LARGE:
        surface.fill(colour, area)
        return
    plain, (x, y, w, h) = _plain(surface.get_width(), colour), area
    strips = [(plain, (x, top), (0, 0, w, min(ROWS, y + h - top))) for top in range(y, y + h, ROWS)]
    surface.blits(strips, doreturn=False)


@KEPT.once
def _plain(w: int, colour: Colour) -> pygame.Surface:
    made = pygame.Surface((w, ROWS))
    made.fill(colour)
    return made


def _filled(surface: pygame.Surface, thing: Panel, box: pygame.Rect, night: bool) -> None:
    fill, edge, width = thing.fill, thing.edge, thing.width
    if thing.radius == 0 and fill is not None:
        if edge is not None and width:
            _fill(surface, _colour(edge, night), box)
            box = box.inflate(-2 * width, -2 * width)
        _fill(surface, _colour(fill, night), box)
    else:
        surface.blit(_panel(box.w, box.h, fill, edge, width, thing.radius, night), box)


def _signed(surface: pygame.Surface, thing: Sign, box: pygame.Rect, night: bool) -> None:
    surface.blit(_sign(thing.name, box.w, _colour(thing.ink, night)), box)


def _photo(surface: pygame.Surface, thing: Photo, box: pygame.Rect, night: bool) -> None:
    draw_photo(surface, thing)


def _stroke(surface: pygame.Surface, thing: Stroke, box: pygame.Rect, night: bool) -> None:
    if thing.rising:
        surface.blit(_slash(box.w, box.h, thing.width, _colour(thing.ink, night)), box)
    else:
        surface.fill(_colour(thing.ink, night), box)


def _ring(surface: pygame.Surface, thing: Ring, box: pygame.Rect, night: bool) -> None:
    surface.blit(_panel(box.w, box.h, None, thing.ink, thing.width, thing.radius, night), box)


def _copied(surface: pygame.Surface, part: Part, box: pygame.Rect, night: bool) -> None:
    surface.blit(_whole(part, night), box)


@KEPT.once
def _whole(part: Part, night: bool) -> pygame.Surface:
    """A still part as one picture."""
    made = pygame.Surface(part.box.size)
    x, y = part.box.topleft
    scene = Scene(part.box.size, (Part(tuple(_moved(thing, -x, -y) for thing in part.seen)),), night)
    paint(made, scene)
    return made


def _moved(thing: Thing, dx: int, dy: int) -> Thing:
    return replace(thing, rect=thing.rect.moved(dx, dy))


def _swift(made: pygame.Surface) -> pygame.Surface:
    """Packed, so that what is solid is copied and what is clear is skipped: five times as fast to draw."""
    made.set_alpha(255, pygame.RLEACCEL)
    return made


@KEPT.once
def _panel(w: int, h: int, fill: str | None, edge: str | None, width: int, radius: int, night: bool) -> pygame.Surface:
    made = pygame.Surface((w, h), pygame.SRCALPHA)
    if w == 0 or h == 0:
        return made
    radius = min(radius, w // 2, h // 2)
    if radius == 0:
        if edge is not None and width:
            made.fill(_colour(edge, night))
            inner = pygame.Rect(width, width, max(0, w - 2 * width), max(0, h - 2 * width))
            made.fill(_colour(fill, night) if fill else (0, 0, 0, 0), inner)
        elif fill is not None:
            made.fill(_colour(fill, night))
        return _swift(made)
    # Only the corners are drawn finely; the rest is straight.
    corner = _corner(radius, _colour(fill, night) if fill else None, _colour(edge, night) if edge else None, width)
    if fill is not None:
        made.fill(_colour(fill, night))
    if edge is not None and width:
        colour = _colour(edge, night)
        for side in ((0, 0, w, width), (0, h - width, w, width), (0, 0, width, h), (w - width, 0, width, h)):
            made.fill(colour, side)
    for flip_x, flip_y in ((False, False), (True, False), (False, True), (True, True)):
        x, y = (w - radius if flip_x else 0), (h - radius if flip_y else 0)
        made.fill((0, 0, 0, 0), (x, y, radius, radius))
        made.blit(pygame.transform.flip(corner, flip_x, flip_y), (x, y))
    return _swift(made)


@KEPT.once
def _corner(radius: int, fill: Colour | None, edge: Colour | None, width: int) -> pygame.Surface:
    """The upper left corner of a rounded rectangle."""
    side = radius * FINE
    made = pygame.Surface((side, side), pygame.SRCALPHA)
    ground = edge if edge is not None and width else fill
    if ground is not None:
        made.fill((*ground, 0))
        pygame.draw.circle(made, ground, (side, side), side)
    if edge is not None and width:
        inner = max(0, side - width * FINE)
        pygame.draw.circle(made, fill if fill is not None else (*edge, 0), (side, side), inner)
    return pygame.transform.smoothscale(made, (radius, radius))


@KEPT.once
def _line_of(text: str, size: int, bold: bool, colour: Colour) -> pygame.Surface:
    return _swift(font(size, bold).render(drawable(text), True, colour))


def _letters(surface: pygame.Surface, thing: Lettering, box: pygame.Rect, night: bool) -> None:
    size, bold, colour = thing.size, thing.bold, _colour(thing.ink, night)
    for line, place in zip(thing.lines, thing.placed, strict=True):
        # Numbers are too many to be kept: drawing and packing a new one takes five times as long as copying it.
        if line.isascii() and line.isdecimal() and even_digits(size, bold):
            x = place.x
            for digit in line:
                drawn = _line_of(digit, size, bold, colour)
                surface.blit(drawn, (x, place.y))
                x += drawn.get_width()
        else:
            surface.blit(_line_of(line, size, bold, colour), place)
        if thing.struck:
            surface.fill(colour, (place.x, place.centery, place.w, max(1, size // 12)))


@KEPT.once
def _sign(name: str, side: int, colour: Colour) -> pygame.Surface:
    large = pygame.Surface((100, 100), pygame.SRCALPHA)
    large.fill((*colour, 0))
    SIGNS[name](large, colour)
    return _swift(pygame.transform.smoothscale(large, (side, side)))


@KEPT.once
def _slash(w: int, h: int, width: int, colour: Colour) -> pygame.Surface:
    """A stroke from the lower left to the upper right, as a pen draws it."""
    large = pygame.Surface((w * FINE, h * FINE), pygame.SRCALPHA)
    large.fill((*colour, 0))
    pen = width * FINE / 2
    ends = ((pen, h * FINE - pen), (w * FINE - pen, pen))
    along = pygame.Vector2(ends[1]) - pygame.Vector2(ends[0])
    across = along.normalize().rotate(90) * pen if along.length() else pygame.Vector2()
    points = [pygame.Vector2(ends[0]) + across, pygame.Vector2(ends[1]) + across]
    points += [pygame.Vector2(ends[1]) - across, pygame.Vector2(ends[0]) - across]
    pygame.draw.polygon(large, colour, points)
    for end in ends:
        pygame.draw.circle(large, colour, end, pen)
    return _swift(pygame.transform.smoothscale(large, (w, h)))


def _die(surface: pygame.Surface, thing: DrawnDie, box: pygame.Rect, night: bool) -> None:
    """A die in its box; in a row with a shelf a held one is raised onto it."""
    side = min(box.w, round(box.h * 0.82)) if thing.shelf else min(box.w, box.h)
    x = box.centerx - side // 2
    y = box.y + (box.h - side) // 2
    if thing.shelf and thing.held:
        y = box.y
        shelf = pygame.Rect(x, box.y + side + 3, side, max(4, (box.bottom - box.y - side) // 2))
        surface.blit(_panel(shelf.w, shelf.h, "held-edge", None, 0, shelf.h // 2, night), shelf)
    elif thing.shelf:
        y = box.bottom - side
    kind = "empty" if thing.empty else "asked" if thing.asked else "held" if thing.held else "plain"
    surface.blit(_drawn_die(side, thing.value, kind, night), (x, y))


@KEPT.once
def _drawn_die(side: int, value: int | None, kind: str, night: bool) -> pygame.Surface:
    fill, edge, width = {
        "plain": ("die", "die-edge", 0.022),
        "held": ("held", "held-edge", 0.07),
        "asked": ("ask", "ask-edge", 0.07),
        "empty": ("blank", "line", 0.022),
    }[kind]
    large = side * FINE
    made = pygame.Surface((large, large), pygame.SRCALPHA)
    made.fill((*_colour(edge, night), 0))
    whole = made.get_rect()
    radius = round(large * 0.2)
    pygame.draw.rect(made, _colour(edge, night), whole, border_radius=radius)
    pen = max(FINE, round(large * width))
    pygame.draw.rect(made, _colour(fill, night), whole.inflate(-2 * pen, -2 * pen), border_radius=max(1, radius - pen))
    pip = _colour("ink" if kind in ("held", "asked") else "pip", night)
    for dx, dy in PIPS.get(value or 0, ()):
        centre = (large / 2 + dx * large * 0.255, large / 2 + dy * large * 0.255)
        pygame.draw.circle(made, pip, centre, large * 0.098)
    small = pygame.transform.smoothscale(made, (side, side))
    if kind == "asked" and value is None:
        question = font(max(8, round(side * 0.74)), True).render("?", True, _colour("ink", night))
        small.blit(question, question.get_rect(center=(side // 2, side // 2)))
    elif kind == "asked":
        badge = round(side * 0.36)
        spot = pygame.Rect(side - badge, 0, badge, badge)
        small.blit(_panel(badge, badge, "ask-edge", None, 0, badge // 2, night), spot)
        question = font(max(8, round(badge * 0.8)), True).render("?", True, _colour("ask", night))
        small.blit(question, question.get_rect(center=spot.center))
    return _swift(small)


DRAWN: Mapping[type, Callable[..., None]] = {
    Panel: _filled,
    Lettering: _letters,
    Sign: _signed,
    DrawnDie: _die,
    Photo: _photo,
    Stroke: _stroke,
    Ring: _ring,
    Part: _copied,
}
"""How each kind of thing is drawn: on a surface, in its rectangle, by night or by day."""
