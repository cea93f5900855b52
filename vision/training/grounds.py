"""What dice lie on: textures (T, T, 3) in blue-green-red 0–1, seen straight from above."""

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.noise import Floats, Rng, chance, colour, floats, grey, layered_noise, log_uniform, smooth_noise

Ground = Callable[[Rng, int, float], Floats]
"""(generator, T, pixels of the texture per die side) → texture"""


def _base(rng: Rng) -> Floats:
    return colour(rng) if chance(rng, 0.6) else grey(rng.uniform(0.02, 0.95))


def _relief(rng: Rng, heights: Floats, strength: float) -> Floats:
    """(T, T, 1) light on a rough surface that a lamp grazes."""
    angle = rng.uniform(0, 2 * np.pi)
    dx, dy = cv2.Sobel(heights, cv2.CV_32F, 1, 0), cv2.Sobel(heights, cv2.CV_32F, 0, 1)
    slope = np.cos(angle) * dx + np.sin(angle) * dy
    slope /= np.float32(slope.std() + 1e-6)
    return np.asarray(np.clip(1 + np.float32(strength) * slope, 0.2, 2.2)[..., None], np.float32)


def plain(rng: Rng, side: int, die: float) -> Floats:
    shade = smooth_noise(rng, side, side, 4)[..., None]
    return _base(rng) * (1 + np.float32(rng.uniform(0, 0.2)) * (shade - 0.5))


def felt(rng: Rng, side: int, die: float) -> Floats:
    image = np.ones((side, side, 3), np.float32) * _base(rng)
    strength = rng.uniform(0.02, 0.4)
    for cells in (5, 20, 60, side / 3):
        share = np.float32(strength * rng.random())
        image = image * (1 + share * (smooth_noise(rng, side, side, cells)[..., None] - 0.5))
    return image * (1 + np.float32(rng.uniform(0, 0.5)) * (rng.random((side, side, 1), dtype=np.float32) - 0.5))


def carpet(rng: Rng, side: int, die: float) -> Floats:
    """Tufts, towels, fleece: lumps with lit and shaded flanks."""
    lump = max(1.2, die * rng.uniform(0.03, 0.22))
    heights = np.asarray(cv2.GaussianBlur(rng.random((side, side), dtype=np.float32), (0, 0), lump / 2), np.float32)
    if chance(rng, 0.4):
        fine = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), 0.8)
        heights = heights + np.float32(0.3 * heights.std()) * np.asarray(fine, np.float32)
    tone = 1 + np.float32(rng.uniform(0, 0.3)) * (layered_noise(rng, side, side, 8)[..., None] - 0.5)
    return _base(rng) * tone * _relief(rng, heights, rng.uniform(0.1, 0.45))


def weave(rng: Rng, side: int, die: float) -> Floats:
    """Cloth and tweed: crossing threads, sometimes in several colours."""
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle, pitch = rng.uniform(0, 6.3), max(2.2, die * log_uniform(rng, 0.04, 0.3))
    u = (np.cos(angle) * x + np.sin(angle) * y) / np.float32(pitch)
    v = (-np.sin(angle) * x + np.cos(angle) * y) / np.float32(pitch * rng.uniform(0.6, 1.6))
    over = (
        np.sin(2 * np.pi * u) * np.sin(2 * np.pi * v) if chance(rng, 0.6) else np.sin(2 * np.pi * (u + np.floor(v) / 2))
    )
    share = (0.5 + 0.5 * over)[..., None] * np.float32(rng.uniform(0.2, 1))
    first = _base(rng)
    second = _base(rng) if chance(rng, 0.5) else first * np.float32(rng.uniform(0.5, 0.9))
    image = first * (1 - share) + second * share
    if chance(rng, 0.5):
        image = image * (0.75 + 0.5 * smooth_noise(rng, side, side, side / max(2.0, pitch))[..., None])
    return np.asarray(image, np.float32)


def wood(rng: Rng, side: int, die: float) -> Floats:
    """Grain, knots and joints of planks."""
    y, x = np.mgrid[:side, :side].astype(np.float32) / np.float32(side)
    for _ in range(int(rng.integers(0, 4))):
        cx, cy, reach = rng.uniform(0, 1), rng.uniform(0, 1), np.float32(rng.uniform(0.02, 0.08))
        bump = np.exp(-(((x - cx) / (4 * reach)) ** 2 + ((y - cy) / reach) ** 2))
        y = y + bump * reach * np.float32(rng.uniform(0.5, 1.5)) * np.sign(y - np.float32(cy))
    grain = layered_noise(rng, side * 2, 4, 2, 1)  # a long strip of values across the grain
    strip = cv2.resize(
        rng.random((int(rng.integers(10, 70)), 3), dtype=np.float32), (8, side * 2), interpolation=cv2.INTER_CUBIC
    )
    strip = 0.7 * strip + 0.3 * cv2.resize(grain, (8, side * 2))
    wander = smooth_noise(rng, side, side, 3) * np.float32(log_uniform(rng, 0.006, 0.12))
    rings = cv2.remap(strip, x * 7, np.clip((y * 0.8 + wander), 0, 1) * (side * 2 - 1), cv2.INTER_LINEAR)[..., None]
    light = (
        floats(rng.uniform(0.2, 0.6), rng.uniform(0.4, 0.75), rng.uniform(0.55, 0.95))
        if chance(rng, 0.75)
        else _base(rng)
    )
    dark = light * floats(0.45, 0.6, 0.7) * np.float32(rng.uniform(0.6, 1.1))
    image = dark + (light - dark) * rings * np.float32(rng.uniform(0.5, 1.2)) + np.float32(0.2) * (light - dark)
    canvas = np.ascontiguousarray(image, np.float32)
    for _ in range(int(rng.integers(0, 4)) if chance(rng, 0.5) else 0):
        spot = (int(rng.integers(side)), int(rng.integers(side)))
        size = (max(1, int(die * rng.uniform(0.05, 0.5))), max(1, int(die * rng.uniform(0.04, 0.25))))
        tone = [float(c) for c in dark * np.float32(rng.uniform(0.3, 0.9))]
        cv2.ellipse(canvas, spot, size, 0, 0, 360, tone, -1, cv2.LINE_AA)
        cv2.ellipse(
            canvas, spot, (size[0] // 2 + 1, size[1] // 2 + 1), 0, 0, 360, [c * 0.6 for c in tone], -1, cv2.LINE_AA
        )
    if chance(rng, 0.4):
        plank = max(8, int(die * rng.uniform(1, 5)))
        for row in range(int(rng.integers(plank)), side, plank):
            cv2.line(
                canvas, (0, row), (side, row), [float(c) * 0.4 for c in dark], int(rng.integers(1, 4)), cv2.LINE_AA
            )
    return canvas * (0.95 + 0.1 * rng.random((side, side, 1), dtype=np.float32))


def tiles(rng: Rng, side: int, die: float) -> Floats:
    """Tiles, squared paper, stripes, checks."""
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle, pitch, line = rng.uniform(0, 6.3), die * log_uniform(rng, 0.15, 3), rng.uniform(0.03, 0.4)
    u = (np.cos(angle) * x + np.sin(angle) * y) / np.float32(pitch)
    v = (-np.sin(angle) * x + np.cos(angle) * y) / np.float32(pitch * rng.uniform(0.5, 2))
    kind = rng.random()
    if kind < 0.5:
        mask = (u % 1 < line) | (v % 1 < line)
    elif kind < 0.75:
        mask = (u % 1 < 0.5) ^ (v % 1 < 0.5)
    else:
        mask = u % 1 < line
    share = np.asarray(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), rng.uniform(0.5, 2)), np.float32)[..., None]
    return plain(rng, side, die) * (1 - share) + _base(rng) * share


def granules(rng: Rng, side: int, die: float) -> Floats:
    """Cork, granite, chipboard, sand."""
    image = np.ones((side, side, 3), np.float32) * _base(rng)
    for _ in range(int(rng.integers(1, 4))):
        grain = max(1.0, die * log_uniform(rng, 0.02, 0.15))
        lumps = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), grain)
        share = np.clip((lumps / np.float32(lumps.std()) - np.float32(rng.uniform(0.3, 1.6))) * 4, 0, 1)[..., None]
        tone = _base(rng) if chance(rng, 0.3) else image.mean((0, 1)) * np.float32(rng.uniform(0.4, 1.5))
        image = image * (1 - share) + tone * share
    return image


def leather(rng: Rng, side: int, die: float) -> Floats:
    """Leather, vinyl, plaster: wrinkles between cells."""
    cell = max(2.0, die * log_uniform(rng, 0.04, 0.25))
    lumps = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), cell / 2)
    wrinkles = np.abs(lumps / np.float32(lumps.std()))
    tone = 1 + np.float32(rng.uniform(0, 0.4)) * (smooth_noise(rng, side, side, 5)[..., None] - 0.5)
    return _base(rng) * tone * _relief(rng, np.minimum(wrinkles, 0.5), rng.uniform(0.05, 0.3))


def dotted(rng: Rng, side: int, die: float) -> Floats:
    """Printed dots in rows, at random, or as holes of a grid."""
    image = np.ascontiguousarray(np.clip(plain(rng, side, die) * 255, 0, 255).astype(np.uint8))
    pitch = die * rng.uniform(0.2, 0.9)
    radius = pitch * rng.uniform(0.1, 0.4)
    tone = [float(c) for c in _base(rng) * 255]
    jitter = pitch * (rng.uniform(0, 0.5) if chance(rng, 0.5) else 0.0)
    angle = rng.uniform(0, 1.6)
    for a in np.arange(-side, 2 * side, pitch):
        for b in np.arange(-side, 2 * side, pitch * rng.uniform(0.95, 1.05)):
            x, y = np.cos(angle) * a - np.sin(angle) * b, np.sin(angle) * a + np.cos(angle) * b
            if -5 < x < side + 5 and -5 < y < side + 5:
                spot = (int((x + rng.normal(0, jitter)) * 8), int((y + rng.normal(0, jitter)) * 8))
                cv2.circle(image, spot, max(4, int(radius * 8)), tone, -1, cv2.LINE_AA, 3)
    return image.astype(np.float32) / np.float32(255)


TRAINING: tuple[tuple[float, Ground], ...] = (
    (0.17, plain), (0.15, felt), (0.16, carpet), (0.1, weave),
    (0.16, wood), (0.08, tiles), (0.08, granules), (0.05, dotted),
)  # fmt: skip
OTHER: tuple[tuple[float, Ground], ...] = ((0.5, leather), (0.25, wood), (0.25, granules))
"""Of the validation scenes: grounds that training does not know or knows less."""
