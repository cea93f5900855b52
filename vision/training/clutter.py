"""Things on the ground that are no dice: drawn flat into the ground's texture, with a hint of relief."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.noise import Floats, Rng, chance, colour, floats, grey, log_uniform, pick

FRACTION = 8  # drawing in eighths of a pixel
SHIFT = 3
Colour = tuple[float, float, float]
Bytes = NDArray[np.uint8]  # text and smooth edges are drawn in bytes only
Thing = Callable[[Rng, Bytes, tuple[float, float], float], None]
"""(generator, texture drawn into, place in pixels, pixels per die side)"""


def _ink(value: Floats) -> Colour:
    """As OpenCV draws it: 0–255."""
    blue, green, red = (float(c) for c in np.clip(value, 0, 1) * 255)
    return blue, green, red


def _spot(x: float, y: float) -> tuple[int, int]:
    return round(x * FRACTION), round(y * FRACTION)


def _disc(image: Bytes, x: float, y: float, radius: float, ink: Floats) -> None:
    cv2.circle(image, _spot(x, y), max(2, round(radius * FRACTION)), _ink(ink), -1, cv2.LINE_AA, SHIFT)


def _metal(rng: Rng) -> Floats:
    return pick(rng, (grey(rng.uniform(0.35, 0.9)), floats(0.25, 0.5, 0.7), floats(0.3, 0.42, 0.6)))


def _raised_disc(rng: Rng, image: Bytes, x: float, y: float, radius: float, ink: Floats) -> None:
    """A disc with its shadow and a lit rim."""
    angle = rng.uniform(0, 6.3)
    dx, dy = np.cos(angle) * radius * 0.09, np.sin(angle) * radius * 0.09
    _disc(image, x - 1.5 * dx, y - 1.5 * dy, radius * 1.03, ink * np.float32(0.2))
    _disc(image, x, y, radius, np.clip(ink * np.float32(1.25), 0, 1.2))
    _disc(image, x - dx * 0.7, y - dy * 0.7, radius * 0.93, ink)


def coin(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    x, y = place
    radius, ink = die * rng.uniform(0.35, 0.9), _metal(rng)
    _raised_disc(rng, image, x, y, radius, ink)
    cv2.circle(image, _spot(x, y), round(radius * 0.85 * FRACTION), _ink(ink * np.float32(0.7)), 1, cv2.LINE_AA, SHIFT)
    if chance(rng, 0.4):
        _disc(image, x, y, radius * rng.uniform(0.5, 0.7), _metal(rng))
    text = str(rng.choice(list("125&ERMK8"))) + ("0" if chance(rng, 0.4) else "")
    size = radius / 30
    corner = (int(x - 10 * size * len(text)), int(y + 10 * size))
    cv2.putText(
        image,
        text,
        corner,
        int(rng.integers(0, 4)),
        size,
        _ink(ink * np.float32(0.55)),
        max(1, int(size * 2)),
        cv2.LINE_AA,
    )


def button(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    x, y = place
    radius, ink = die * rng.uniform(0.3, 0.6), colour(rng)
    _raised_disc(rng, image, x, y, radius, ink)
    _disc(image, x, y, radius * 0.72, ink * np.float32(0.85))
    holes = int(pick(rng, (2, 4)))
    turn = rng.uniform(0, 6.3)
    for k in range(holes):
        angle = turn + 2 * np.pi * k / holes
        _disc(
            image,
            x + np.cos(angle) * radius * 0.22,
            y + np.sin(angle) * radius * 0.22,
            radius * 0.09,
            ink * np.float32(0.15),
        )


def screw(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    x, y = place
    radius, ink = die * rng.uniform(0.08, 0.4), _metal(rng)
    _raised_disc(rng, image, x, y, radius, ink)
    turn = rng.uniform(0, 3.2)
    for angle in (turn,) if chance(rng, 0.4) else (turn, turn + np.pi / 2):
        dx, dy = np.cos(angle) * radius * 0.7, np.sin(angle) * radius * 0.7
        cv2.line(
            image,
            _spot(x - dx, y - dy),
            _spot(x + dx, y + dy),
            _ink(ink * np.float32(0.2)),
            max(1, int(radius * 0.2)),
            cv2.LINE_AA,
            SHIFT,
        )


def hole(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    for _ in range(int(rng.integers(1, 4))):
        x, y = (c + rng.normal(0, die * 0.4) for c in place)
        radius = die * log_uniform(rng, 0.04, 0.3)
        if chance(rng, 0.5):
            _disc(image, x, y, radius * 1.25, _metal(rng))
        _disc(image, x, y, radius, grey(rng.uniform(0, 0.15)))


def text(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    letters = "".join(rng.choice(list("ABDEGHOQRSWaego0123456789.:%&!?*"), int(rng.integers(1, 9))))
    size = die / 30 * log_uniform(rng, 0.3, 2.5)
    ink, font, corner = _ink(colour(rng)), int(rng.integers(0, 8)), (int(place[0]), int(place[1]))
    for line in range(int(rng.integers(1, 4))):
        at = (corner[0], corner[1] + int(line * size * 34))
        cv2.putText(image, letters, at, font, size, ink, max(1, int(size * rng.uniform(1, 4))), cv2.LINE_AA)


def card(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    """A sheet, a box or a book with an edge, print on it and a shadow."""
    size = (die * rng.uniform(0.8, 6), die * rng.uniform(0.8, 6))
    angle = rng.uniform(0, 180)
    ink = colour(rng) if chance(rng, 0.6) else grey(rng.uniform(0.6, 1))
    offset = die * rng.uniform(0.02, 0.15)
    corners = cv2.boxPoints(((place[0] + offset, place[1] + offset), size, angle))
    cv2.fillConvexPoly(image, (corners * FRACTION).astype(np.int32), _ink(ink * np.float32(0.2)), cv2.LINE_AA, SHIFT)
    corners = cv2.boxPoints((place, size, angle))
    cv2.fillConvexPoly(image, (corners * FRACTION).astype(np.int32), _ink(ink), cv2.LINE_AA, SHIFT)
    if chance(rng, 0.6):
        text(rng, image, (place[0] - size[0] / 4, place[1]), die)


def dots(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    """Spots as big and as far apart as pips, but in no die's order."""
    ink, radius = colour(rng), die * rng.uniform(0.05, 0.14)
    for _ in range(int(rng.integers(1, 9))):
        x, y = (c + rng.normal(0, die * 0.5) for c in place)
        _disc(image, x, y, radius * rng.uniform(0.8, 1.2), ink)


def line(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    """A pencil, cable, seam or stick."""
    angle, length = rng.uniform(0, 6.3), die * rng.uniform(1, 12)
    ink, width = colour(rng), max(1, int(die * log_uniform(rng, 0.02, 0.35)))
    points = np.cumsum(np.column_stack([
        np.cos(angle + rng.normal(0, 0.3, 6).cumsum()), np.sin(angle + rng.normal(0, 0.3, 6).cumsum()),
    ]) * length / 6, axis=0) + np.array(place)  # fmt: skip
    path = [np.round(points * FRACTION).astype(np.int32)]
    cv2.polylines(image, [path[0] + np.int32(die * 0.6)], False, _ink(ink * np.float32(0.2)), width, cv2.LINE_AA, SHIFT)
    cv2.polylines(image, path, False, _ink(ink), width, cv2.LINE_AA, SHIFT)
    if width > 4:
        cv2.polylines(
            image,
            path,
            False,
            _ink(np.clip(ink * np.float32(1.4) + np.float32(0.05), 0, 1)),
            width // 3,
            cv2.LINE_AA,
            SHIFT,
        )


def patch(rng: Rng, image: Bytes, place: tuple[float, float], die: float) -> None:
    """A crumb, a stain, a toy: any convex shape."""
    size = die * log_uniform(rng, 0.03, 2)
    points = np.array(place) + rng.normal(0, size, (int(rng.integers(3, 9)), 2))
    hull = cv2.convexHull((points * FRACTION).astype(np.int32))
    cv2.fillConvexPoly(image, hull, _ink(colour(rng)), cv2.LINE_AA, SHIFT)


THINGS: tuple[Thing, ...] = (coin, button, screw, hole, text, text, card, dots, dots, line, line, patch, patch)


def scatter(rng: Rng, image: Floats, die: float) -> Floats:
    """The texture with a few things on it, mostly none or some, seldom a mess."""
    if chance(rng, 0.35):
        return image
    canvas = np.ascontiguousarray(np.clip(image * 255, 0, 255).astype(np.uint8))
    kinds = [pick(rng, THINGS) for _ in range(int(rng.integers(1, 5)))]
    for _ in range(int(log_uniform(rng, 1, 22))):
        place = (float(rng.uniform(-0.05, 1.05) * canvas.shape[1]), float(rng.uniform(-0.05, 1.05) * canvas.shape[0]))
        pick(rng, kinds)(rng, canvas, place, die)
    return canvas.astype(np.float32) / np.float32(255)
