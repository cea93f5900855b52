"""Lamps, what stands in their way, and what glossy dice mirror."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Doubles
from vision.training.noise import Floats, Rng, chance, floats, log_uniform, pick


@dataclass(frozen=True, eq=False)
class Screen:
    """Something out of the picture that shades part of the ground: its edge may cross a face."""

    shape: Literal["edge", "strip", "bars", "disc"]
    normal: Floats
    offset: float
    width: float
    soft: float
    depth: float
    """Share of the lamp's light that it takes away."""

    def lit(self, ground: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N,) share of the light that reaches the points whose light ray meets the ground at (N, 2)."""
        along = ground @ self.normal - np.float32(self.offset)
        if self.shape == "strip":
            along = np.abs(along) - np.float32(self.width)
        elif self.shape == "bars":
            along = np.abs((along / np.float32(2 * self.width)) % 1 - np.float32(0.5)) * np.float32(
                2 * self.width
            ) - np.float32(self.width / 2)
        elif self.shape == "disc":
            along = np.hypot(
                ground[..., 0] - self.normal[0] * self.offset, ground[..., 1] - self.normal[1] * self.offset
            ) - np.float32(self.width)
        edge = np.clip(along / np.float32(self.soft) * np.float32(0.5) + np.float32(0.5), 0, 1)
        return np.asarray(1 - np.float32(self.depth) * (1 - edge), np.float32)


@dataclass(frozen=True, eq=False)
class Lamp:
    """`towards` is the unit vector to the lamp, `light` (3,) its strength on a surface that faces it."""

    towards: Floats
    light: Floats
    soft: float
    """Blur of the shadows' edges, die sides."""
    screen: Screen | None


@dataclass(frozen=True, eq=False)
class Mirrored:
    """A window or a lamp that glossy faces mirror: a lobe around a direction."""

    towards: Floats
    narrow: float
    light: float


@dataclass(frozen=True, eq=False)
class Lighting:
    ambient: Floats
    lamps: tuple[Lamp, ...]
    mirrored: tuple[Mirrored, ...]


def _direction(rng: Rng, low: float, high: float) -> Floats:
    vector = np.array([rng.normal(), rng.normal(), rng.uniform(low, high)])
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def draw_lighting(rng: Rng) -> Lighting:
    """Light that makes white on the ground about 1, sometimes with hard low lamps and shading screens."""
    lamps = []
    for _ in range(int(rng.integers(1, 4))):
        screen = None
        if chance(rng, 0.22):
            angle = rng.uniform(0, 2 * np.pi)
            screen = Screen(
                pick(rng, ("edge", "strip", "bars", "disc", "edge", "strip")),
                floats(np.cos(angle), np.sin(angle)), float(rng.normal(0, 2.0)),
                log_uniform(rng, 0.15, 3.0), log_uniform(rng, 0.01, 0.8), rng.uniform(0.5, 1.0),
            )  # fmt: skip
        tint = (1 + 0.15 * rng.normal(0, 1, 3)).clip(0.5, 1.5).astype(np.float32)
        lamps.append((_direction(rng, 0.35, 2.5), rng.uniform(0.15, 0.9) * tint, log_uniform(rng, 0.008, 0.4), screen))
    ambient = np.full(3, rng.uniform(0.12, 0.8), np.float32)
    total = ambient + sum(float(towards[2]) * light for towards, light, _, _ in lamps)
    gain = np.float32(rng.uniform(0.8, 1.2) / float(np.mean(total)))
    mirrored = tuple(
        Mirrored(
            _direction(rng, 0.3, 4), log_uniform(rng, 2.5, 200), rng.uniform(0.1, 1.8 if chance(rng, 0.25) else 0.9)
        )
        for _ in range(int(rng.integers(0, 4)))
    )
    return Lighting(
        ambient * gain,
        tuple(Lamp(t, np.asarray(light * gain, np.float32), soft, screen) for t, light, soft, screen in lamps),
        mirrored,
    )


def shaded_across(rng: Rng, lighting: Lighting, turn: Doubles, place: Doubles) -> Lighting:
    """The same light with something in the way of its strongest lamp whose shadow's edge lies across the upper face of
    the die of `turn` (3, 3) and `place` (3,): along one of its sides every other time."""
    lamps = sorted(lighting.lamps, key=lambda lamp: -float(lamp.light.mean() * lamp.towards[2]))
    towards = lamps[0].towards
    if chance(rng, 0.5):
        angle = rng.uniform(0, 2 * np.pi)
    else:
        side = turn[:2, int(np.abs(turn[2]).argsort()[int(rng.integers(2))])]
        angle = float(np.arctan2(side[1], side[0])) + rng.normal(0, 0.06) + (np.pi if chance(rng, 0.5) else 0.0)
    normal = floats(np.cos(angle), np.sin(angle))
    top = place[:2] - towards[:2] / towards[2] * (place[2] + 0.5)
    screen = Screen(
        "edge", normal, float(normal @ top) + rng.uniform(-0.35, 0.35), 1.0, log_uniform(rng, 0.01, 0.15),
        rng.uniform(0.75, 1.0),
    )  # fmt: skip
    rest = np.float32(log_uniform(rng, 0.3, 1.0))  # of all other light: shadows of one strong lamp are dark
    others = tuple(replace(lamp, light=lamp.light * rest) for lamp in lamps[1:])
    lit = replace(lamps[0], screen=screen, light=lamps[0].light * np.float32(1.5 - 0.5 * float(rest)))
    return Lighting(lighting.ambient * rest, (lit, *others), lighting.mirrored)
