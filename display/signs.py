"""Small drawn signs, so that no sign depends on a font having it. Each draws on a square of side 100."""

import itertools
from collections.abc import Callable, Mapping

import pygame

from display.theme import Colour

Draw = Callable[[pygame.Surface, Colour], None]


def _undo(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.arc(s, c, (24, 30, 58, 52), -1.9, 1.75, 10)
    pygame.draw.polygon(s, c, [(10, 37), (44, 12), (44, 60)])


def _redo(s: pygame.Surface, c: Colour) -> None:
    other = pygame.Surface((100, 100), pygame.SRCALPHA)
    _undo(other, c)
    s.blit(pygame.transform.flip(other, True, False), (0, 0))


def _check(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(14, 54), (40, 80), (86, 24)], 14)


def _cross(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(24, 24), (76, 76)], 12)
    _line(s, c, [(76, 24), (24, 76)], 12)


def _plus(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(50, 18), (50, 82)], 12)
    _line(s, c, [(18, 50), (82, 50)], 12)


def _minus(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(18, 50), (82, 50)], 12)


def _menu(s: pygame.Surface, c: Colour) -> None:
    for y in (26, 50, 74):
        _line(s, c, [(16, y), (84, y)], 11)


def _pen(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(14, 86), (20, 62), (62, 20), (80, 38), (38, 80)])
    pygame.draw.polygon(s, c, [(67, 15), (75, 8), (92, 25), (85, 33)])


def _erase(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(6, 50), (32, 22), (94, 22), (94, 78), (32, 78)], 9)
    _line(s, c, [(50, 40), (74, 62)], 9)
    _line(s, c, [(74, 40), (50, 62)], 9)


def _play(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(26, 14), (86, 50), (26, 86)])


def _token(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.circle(s, c, (50, 50), 44, 10)
    pygame.draw.circle(s, c, (50, 50), 24)


def _dot(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.circle(s, c, (50, 50), 40)


def _ring(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.circle(s, c, (50, 50), 40, 11)


def _dice(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (12, 12, 76, 76), 9, 18)
    for x, y in ((32, 32), (68, 32), (50, 50), (32, 68), (68, 68)):
        pygame.draw.circle(s, c, (x, y), 8)


def _back(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(60, 18), (28, 50), (60, 82)], 13)


def _next(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(40, 18), (72, 50), (40, 82)], 13)


def _up(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(20, 62), (50, 30), (80, 62)], 13)


def _arrow(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(50, 12), (50, 84)], 12)
    _line(s, c, [(22, 56), (50, 86), (78, 56)], 12)


def _arrow_up(s: pygame.Surface, c: Colour) -> None:
    other = pygame.Surface((100, 100), pygame.SRCALPHA)
    _arrow(other, c)
    s.blit(pygame.transform.flip(other, False, True), (0, 0))


def _free(s: pygame.Surface, c: Colour) -> None:
    _line(s, c, [(50, 14), (50, 86)], 11)
    _line(s, c, [(26, 38), (50, 13), (74, 38)], 11)
    _line(s, c, [(26, 62), (50, 87), (74, 62)], 11)


def _round(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.arc(s, c, (18, 18, 64, 64), 0.5, 2.9, 10)
    pygame.draw.arc(s, c, (18, 18, 64, 64), 3.64, 6.04, 10)
    pygame.draw.polygon(s, c, [(6, 46), (38, 46), (22, 66)])
    pygame.draw.polygon(s, c, [(94, 54), (62, 54), (78, 34)])


def _saving(s: pygame.Surface, c: Colour) -> None:
    for x in (16, 50, 84):
        pygame.draw.circle(s, c, (x, 50), 12)


def _star(s: pygame.Surface, c: Colour) -> None:
    points = [
        (50, 6),
        (61, 37),
        (94, 38),
        (68, 58),
        (77, 90),
        (50, 71),
        (23, 90),
        (32, 58),
        (6, 38),
        (39, 37),
    ]
    pygame.draw.polygon(s, c, points)


def _crown(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(10, 80), (6, 28), (30, 50), (50, 16), (70, 50), (94, 28), (90, 80)])


def _turn(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(20, 14), (86, 50), (20, 86), (34, 50)])


def _warn(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(50, 8), (96, 90), (4, 90)], 9)
    _line(s, c, [(50, 38), (50, 62)], 10)
    pygame.draw.circle(s, c, (50, 76), 6)


def _hold(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(50, 16), (88, 62), (64, 62), (64, 88), (36, 88), (36, 62), (12, 62)])


def _speech(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (8, 14, 84, 54), 9, 16)
    pygame.draw.polygon(s, c, [(26, 64), (50, 64), (26, 92)])


def _moon(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.circle(s, c, (50, 50), 38)
    pygame.draw.circle(s, (0, 0, 0, 0), (66, 40), 30)


def _camera(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (8, 26, 84, 58), 9, 12)
    pygame.draw.polygon(s, c, [(32, 26), (40, 12), (60, 12), (68, 26)])
    pygame.draw.circle(s, c, (50, 54), 18, 9)


def _shift(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(50, 12), (90, 56), (66, 56), (66, 86), (34, 86), (34, 56), (10, 56)], 9)


def _square(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (15, 15, 70, 70))


def _triangle(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(50, 8), (96, 88), (4, 88)])


def _diamond(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(50, 2), (90, 50), (50, 98), (10, 50)])


def _thick_plus(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (36, 8, 28, 84))
    pygame.draw.rect(s, c, (8, 36, 84, 28))


def _hourglass(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.polygon(s, c, [(12, 8), (88, 8), (12, 92), (88, 92)])


def _thick_ring(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.circle(s, c, (50, 50), 42, 19)


def _people(s: pygame.Surface, c: Colour) -> None:
    for x, y in ((32, 34), (70, 34)):
        pygame.draw.circle(s, c, (x, y), 16)
        pygame.draw.rect(s, c, (x - 22, y + 22, 44, 34), border_top_left_radius=20, border_top_right_radius=20)


def _aside(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (14, 40, 72, 48), 9, 8)
    _line(s, c, [(24, 26), (76, 26)], 9)
    _line(s, c, [(34, 11), (66, 11)], 9)


def _power(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.arc(s, c, (14, 18, 72, 72), 2.2, 7.22, 11)
    _line(s, c, [(50, 12), (50, 48)], 11)


def _lock(s: pygame.Surface, c: Colour) -> None:
    pygame.draw.rect(s, c, (18, 44, 64, 46), border_radius=9)
    pygame.draw.arc(s, c, (29, 10, 42, 62), 0.0, 3.1416, 10)


def _sliders(s: pygame.Surface, c: Colour) -> None:
    for y, x in ((24, 66), (50, 32), (76, 56)):
        _line(s, c, [(12, y), (88, y)], 9)
        pygame.draw.circle(s, c, (x, y), 13)


def _line(s: pygame.Surface, c: Colour, points: list[tuple[int, int]], width: int) -> None:
    """A thick line with round ends and joints."""
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        along = pygame.Vector2(x1 - x0, y1 - y0)
        across = along.normalize().rotate(90) * (width / 2)
        corners = [(x0 + across.x, y0 + across.y), (x1 + across.x, y1 + across.y)]
        corners += [(x1 - across.x, y1 - across.y), (x0 - across.x, y0 - across.y)]
        pygame.draw.polygon(s, c, corners)
    for x, y in points:
        pygame.draw.circle(s, c, (x, y), width / 2)


SIGNS: Mapping[str, Draw] = {
    "undo": _undo,
    "redo": _redo,
    "check": _check,
    "cross": _cross,
    "plus": _plus,
    "minus": _minus,
    "menu": _menu,
    "pen": _pen,
    "erase": _erase,
    "play": _play,
    "token": _token,
    "dot": _dot,
    "ring": _ring,
    "dice": _dice,
    "back": _back,
    "next": _next,
    "up": _up,
    "fill-down": _arrow,
    "fill-up": _arrow_up,
    "fill-free": _free,
    "turn-round": _round,
    "saving": _saving,
    "star": _star,
    "crown": _crown,
    "turn": _turn,
    "warn": _warn,
    "hold": _hold,
    "speech": _speech,
    "moon": _moon,
    "camera": _camera,
    "shift": _shift,
    "people": _people,
    "aside": _aside,
    "power": _power,
    "lock": _lock,
    "setup": _sliders,
    "mark-0": _dot,
    "mark-1": _square,
    "mark-2": _triangle,
    "mark-3": _diamond,
    "mark-4": _star,
    "mark-5": _thick_plus,
    "mark-6": _thick_ring,
    "mark-7": _hourglass,
}
