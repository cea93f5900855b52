"""Dice drawn with OpenCV for tests of single stages: flat, seen from straight above, nothing but body and pips."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}


@dataclass(frozen=True)
class Drawn:
    value: int
    x: float
    y: float
    side: float = 60.0
    angle: float = 20.0
    body: tuple[int, int, int] = (225, 235, 240)
    pip: tuple[int, int, int] = (25, 25, 30)
    pip_radius: float = 0.085
    """In sides."""
    spread: float = 0.26
    """Of the corner pips from the middle, in sides."""
    ring: float = 0.0
    """Of a pip's radius, within which it has the body's colour."""
    lean: float = 0.0
    """Degrees out of level: the face is seen shorter one way."""


def tray(
    dice: Sequence[Drawn],
    size: tuple[int, int] = (800, 450),
    ground: tuple[int, int, int] = (70, 95, 45),
    noise: float = 3.0,
    blur: float = 0.7,
    seed: int = 0,
) -> Image:
    """A picture (height, width, 3) of `dice` on an even ground; `size` is width, height."""
    rng = np.random.default_rng(seed)
    scale = 4
    big = np.full((size[1] * scale, size[0] * scale, 3), ground, np.uint8)
    for die in dice:
        turn = np.deg2rad(die.angle)
        axes = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        middle = np.array([die.x, die.y])

        def at(u: float, v: float, axes: NDArray[np.float64] = axes, die: Drawn = die) -> list[int]:
            short = np.cos(np.deg2rad(die.lean))
            point = (np.array([die.x, die.y]) + axes @ (np.array([u, v * short]) * die.side) + 0.5) * scale
            return [round(float(c)) for c in point]

        corner = 0.13  # radius of the rounded corners, in sides
        reach = 0.5 - corner
        hull = [at(a * reach, b * reach) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        thick = round(2 * corner * die.side * scale)
        cv2.fillPoly(big, [np.array(hull, np.int32)], die.body, cv2.LINE_AA)
        cv2.polylines(big, [np.array(hull, np.int32)], isClosed=True, color=die.body, thickness=thick)
        for u, v in PLACES[die.value]:
            radius = die.pip_radius * die.side * scale
            place = at(u * die.spread, v * die.spread)
            cv2.circle(big, place, max(1, round(radius)), die.pip, -1, cv2.LINE_AA)
            if die.ring:
                cv2.circle(big, place, round(die.ring * radius), die.body, -1, cv2.LINE_AA)
        assert middle.shape == (2,)
    small = cv2.GaussianBlur(cv2.resize(big, size, interpolation=cv2.INTER_AREA), (0, 0), blur)
    noisy = small.astype(np.float64) + rng.normal(0, noise, small.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)
