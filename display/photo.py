"""The camera's picture on the screen, with the outline of every die that was read."""

import math
from functools import lru_cache

import pygame

from display.lettering import font
from display.picture import Picture
from display.scene import Mark, Photo
from display.theme import DAY, Colour

FINE = 2
"""Outlines are drawn so many times larger and shrunk, for smooth edges."""
WHITE = (255, 255, 255)
OLDER = 1
"""Pictures of the whole tray that are kept beside the newest: the one that a reading belongs to may be shown longer."""
KEPT = 20
"""Pictures kept at the size they were shown: the tray, and a crop of each die of two throws."""

Part = tuple[int, int, int, int]


def draw_photo(surface: pygame.Surface, photo: Photo) -> None:
    """The picture or its part, filling its rectangle, and the marks that belong to it."""
    size = (photo.rect.w, photo.rect.h)
    picture = photo.picture
    part = photo.part or (0, 0, picture.wide, picture.high)
    known = _SHOWN.get((picture.number, part, size))
    if known is None or known[0] is not picture.pixels:
        known = (picture.pixels, _scaled(picture, part, size))
        _make_room(picture.number)
        _SHOWN[picture.number, part, size] = known
    surface.blit(known[1], (photo.rect.x, photo.rect.y))
    if photo.marks:
        surface.blit(_marks(photo.marks, part, size), (photo.rect.x, photo.rect.y))
    if len(photo.outline) > 2:
        surface.blit(_outlined(photo.outline, part, size), (photo.rect.x, photo.rect.y))


_SHOWN: dict[tuple[int, Part, tuple[int, int]], tuple[bytes, pygame.Surface]] = {}
"""The last pictures at the size they were shown. A camera that starts again counts from 0: so the pixels tell too."""


def _make_room(number: int) -> None:
    """For a picture of that number: where the tray is shown as it comes, no older picture of it comes again."""
    old = [key for key in _SHOWN if key[0] >= 0 and key[0] != number] if number >= 0 else []
    for key in old[: -OLDER or None]:
        del _SHOWN[key]
    while len(_SHOWN) >= KEPT:
        _SHOWN.pop(next(iter(_SHOWN)))


def _scaled(picture: Picture, part: Part, size: tuple[int, int]) -> pygame.Surface:
    """The part at that size; beyond the picture's edge it is dark."""
    x, y, w, h = part
    cut = pygame.Surface((max(1, w), max(1, h)))
    cut.blit(pygame.image.frombuffer(picture.pixels, (picture.wide, picture.high), "RGB"), (-x, -y))
    return pygame.transform.smoothscale(cut, size)


@lru_cache(maxsize=2)
def _outlined(outline: tuple[tuple[float, float], ...], part: Part, size: tuple[int, int]) -> pygame.Surface:
    """The rim of the tray, light on a dark edge: seen on any ground."""
    scale = size[0] / part[2]
    corners = [((x - part[0]) * scale, (y - part[1]) * scale) for x, y in outline]
    made = pygame.Surface(size, pygame.SRCALPHA)
    for colour, pen in ((DAY["main"], 7), (WHITE, 3)):
        pygame.draw.lines(made, colour, True, corners, pen)
    return made


@lru_cache(maxsize=4)
def _marks(marks: tuple[Mark, ...], part: Part, size: tuple[int, int]) -> pygame.Surface:
    """The outlines of the read dice, each with its value on a small card on the side away from the others."""
    scale = size[0] / part[2]
    places = [((m.centre[0] - part[0]) * scale, (m.centre[1] - part[1]) * scale) for m in marks]
    fine = pygame.Surface((size[0] * FINE, size[1] * FINE), pygame.SRCALPHA)
    for mark, (x, y) in zip(marks, places, strict=True):
        half = mark.size * scale * 0.62 * FINE
        corners = []
        for turn in (45, 135, 225, 315):
            angle = math.radians(mark.angle + turn)
            reach = half * math.sqrt(2)
            corners.append((x * FINE + reach * math.cos(angle), y * FINE + reach * math.sin(angle)))
        pen = max(3, round(half * 0.09))
        _outline(fine, WHITE, corners, pen + 2 * FINE)
        _outline(fine, _role(mark), corners, pen)
    made = pygame.transform.smoothscale(fine, size)
    middle_x = sum(x for x, _ in places) / len(places)
    middle_y = sum(y for _, y in places) / len(places)
    for mark, (x, y) in zip(marks, places, strict=True):
        text = "?" if mark.value is None else f"{mark.value}?" if mark.asked else str(mark.value)
        letters = max(13, min(round(mark.size * scale * 0.62), size[1] // 7))
        drawn = font(letters, True).render(text, True, WHITE)
        card = drawn.get_rect().inflate(round(drawn.get_height() * 0.5), 0)
        away = pygame.Vector2(x - middle_x, y - middle_y)
        away = away.normalize() if away.length() > 1 else pygame.Vector2(0, -1)
        reach = mark.size * scale * 0.75 + card.h / 2
        card.center = (round(x + away.x * reach), round(y + away.y * reach))
        card.clamp_ip(made.get_rect())
        made.blit(_card(card.w, card.h, _role(mark)), card)
        made.blit(drawn, drawn.get_rect(center=card.center))
    return made


def _role(mark: Mark) -> Colour:
    return DAY["ask-edge" if mark.asked else "held-edge" if mark.held else "main"]


def _outline(surface: pygame.Surface, colour: Colour, corners: list[tuple[float, float]], pen: int) -> None:
    for one, other in zip(corners, corners[1:] + corners[:1], strict=True):
        along = pygame.Vector2(other) - pygame.Vector2(one)
        across = along.normalize().rotate(90) * (pen / 2) if along.length() else pygame.Vector2()
        pygame.draw.polygon(surface, colour, [one + across, other + across, other - across, one - across])
        pygame.draw.circle(surface, colour, one, pen / 2)


@lru_cache(maxsize=32)
def _card(w: int, h: int, colour: Colour) -> pygame.Surface:
    made = pygame.Surface((w * 4, h * 4), pygame.SRCALPHA)
    made.fill((*colour, 0))
    pygame.draw.rect(made, WHITE, made.get_rect(), border_radius=h)
    pygame.draw.rect(made, colour, made.get_rect().inflate(-10, -10), border_radius=h)
    return pygame.transform.smoothscale(made, (w, h))
