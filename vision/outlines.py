"""Fitting ellipses to the edges of spots, many at once: rays from each middle find where light and dark meet.

The matrices here are 2 × 2, and written out.
"""

from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags, Floats, Grey, Indices, middle_of
from vision.frame import Image

_ANGLES = np.arange(tuning.RAYS) * (2 * np.pi / tuning.RAYS)
RAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
# Radii where a ray is sampled: not in the very middle, where glints are.
_STEPS = np.arange(0.3, 1.91, 0.16, dtype=np.float32)
_INSIDE = slice(0, 1)
_OUTSIDE = slice(7, 9)


@dataclass(frozen=True, eq=False)
class Outlines:
    """One ellipse per row: `centre` (N, 2) px; `shape` (N, 2, 2) the symmetric matrix S with |S⁻¹(p − centre)| = 1 on
    the edge; `radius` (N,) its geometric mean radius in px; `wobble` (N,) r.m.s. distance of the edge from it in radii;
    `rise` (N,) levels between inside and outside, 0 where the spot is on the wrong side of its ring."""

    centre: Floats
    shape: Floats
    radius: Floats
    wobble: Floats
    rise: Floats

    def pick(self, rows: Indices) -> "Outlines":
        return Outlines(*(getattr(self, field.name)[rows] for field in fields(self)))

    def where(self, rows: Indices, other: "Outlines", better: Flags) -> "Outlines":
        """These, but in `rows` those of `other` that are `better`."""
        columns = [getattr(self, field.name).copy() for field in fields(self)]
        for column, field in zip(columns, fields(self), strict=True):
            column[rows[better]] = getattr(other, field.name)[better]
        return Outlines(*columns)


def circles(centre: Floats, radius: Floats) -> Outlines:
    """Circles to begin a fit with."""
    count = len(centre)
    return Outlines(centre, np.eye(2) * radius[:, None, None], radius, np.zeros(count), np.zeros(count))


def fit(pictures: list[Grey], which: Indices, dark: Flags, start: Outlines, rays: Floats) -> Outlines:
    """Cast `rays` (R, 2) from each of `start` and fit the ellipse to where they cross the edge.

    Each row lies in the picture `which` (N,) of `pictures`, sorted by it; `dark` (N,) tells whether it is darker."""
    count = len(start.centre)
    if not count:
        return start
    cos, sin = rays.T
    a, b, d = start.shape[:, 0, 0], start.shape[:, 0, 1], start.shape[:, 1, 1]
    x, y = (np.repeat(one, len(rays)).reshape(count, -1) for one in start.centre.astype(np.float32).T)
    # Steps first, rays last: libraries take longer to begin with a short row than to go through it.
    across = (a[:, None] * cos + b[:, None] * sin).astype(np.float32) * _STEPS[:, None, None] + x
    down = (b[:, None] * cos + d[:, None] * sin).astype(np.float32) * _STEPS[:, None, None] + y
    levels = _levels(pictures, which, across, down)
    levels ^= np.where(dark, 0, 255).astype(np.uint8).repeat(len(rays)).reshape(count, -1)  # from here on all are dark
    inside = middle_of(levels[_INSIDE].transpose(1, 0, 2).reshape(count, -1).astype(np.float32))
    outside = middle_of(levels[_OUTSIDE].transpose(1, 0, 2).reshape(count, -1).astype(np.float32))
    rise = np.maximum(outside - inside, 1)
    half = _crossing(levels, inside, rise)
    # A ray that misses the edge (a neighbour, the end of the die) must not pull the ellipse along.
    middle = middle_of(half)[:, None]
    clipped = np.clip(half, 0.6 * middle, 1.5 * middle)
    shift_x, shift_y = 2 * (clipped @ cos) / len(rays), 2 * (clipped @ sin) / len(rays)
    # 1/t² of a centred ellipse is a constant plus one wave of double angle.
    edge_x, edge_y = clipped * cos - shift_x[:, None], clipped * sin - shift_y[:, None]
    squared = np.maximum(edge_x**2 + edge_y**2, 0.04)
    inverse = 1 / squared
    double_x, double_y = (edge_x**2 - edge_y**2) * inverse, 2 * edge_x * edge_y * inverse
    constant = middle_of(inverse)
    wave_x, wave_y = 2 * (inverse * double_x).mean(axis=1), 2 * (inverse * double_y).mean(axis=1)
    most = np.minimum(1.0, 0.85 * constant / np.maximum(np.hypot(wave_x, wave_y), 1e-9))
    wave_x, wave_y = wave_x * most, wave_y * most
    fitted = 1 / np.sqrt(constant[:, None] + wave_x[:, None] * double_x + wave_y[:, None] * double_y)
    wobble = np.sqrt(((fitted - np.sqrt(squared)) ** 2).mean(axis=1) * constant)
    shift_x, shift_y = np.clip(shift_x, -0.8, 0.8), np.clip(shift_y, -0.8, 0.8)
    centre = start.centre + np.stack([a * shift_x + b * shift_y, b * shift_x + d * shift_y], axis=1)
    shape, radius = _unscaled(start.shape, constant + wave_x, wave_y, constant - wave_x)
    return Outlines(centre, shape, radius, wobble, np.where(rise > 1, rise, 0.0).astype(np.float64))


def _levels(pictures: list[Grey], which: Indices, x: NDArray[np.float32], y: NDArray[np.float32]) -> Grey:
    """(S, N, R) levels at the places of each row (its second axis) in its own picture."""
    steps, _, rays = x.shape
    first = np.searchsorted(which, np.arange(len(pictures) + 1)) * rays
    x, y = x.reshape(steps, -1), y.reshape(steps, -1)
    parts = [
        cv2.remap(picture, x[:, begin:end], y[:, begin:end], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for picture, begin, end in zip(pictures, first[:-1].tolist(), first[1:].tolist(), strict=True)
        if begin < end
    ]
    return np.concatenate(parts, axis=1).astype(np.uint8, copy=False).reshape(steps, -1, rays)


def _crossing(levels: Grey, inside: NDArray[np.floating], rise: NDArray[np.floating]) -> Floats:
    """(N, R): where each ray of `levels` (S, N, R) first rises above one half, in the ray's unit; its end when it never
    does."""
    steps, _, rays = levels.shape
    limit = np.floor(inside + 0.5 * rise).astype(np.uint8).repeat(rays)
    inside, rise = inside.repeat(rays), rise.repeat(rays)
    levels = levels.reshape(steps, -1)
    above = levels > limit
    first, crossed = np.zeros(levels.shape[1], np.uint8), above[0].copy()
    for step in range(1, steps):
        first += ~crossed
        crossed |= above[step]
    first = first.astype(np.intp)
    before = np.maximum(first - 1, 0)
    ray = np.arange(levels.shape[1])
    after_share = (levels[first, ray] - inside) / rise
    before_share = (levels[before, ray] - inside) / rise
    part = np.clip((0.5 - before_share) / np.maximum(after_share - before_share, 1e-3), 0, 1)
    apart = float(_STEPS[1] - _STEPS[0])
    crossing = np.where(crossed, _STEPS[before] + part * apart, float(_STEPS[-1])).astype(np.float64)
    return crossing.reshape(-1, rays)


def _unscaled(shape: Floats, xx: Floats, xy: Floats, yy: Floats) -> tuple[Floats, Floats]:
    """The ellipses with the quadratic forms (xx, xy, yy) in the frames of `shape`: their shapes and mean radii, px."""
    a, b, d = shape[:, 0, 0], shape[:, 0, 1], shape[:, 1, 1]
    volume = a * d - b * b
    p, q, r = d / volume, -b / volume, a / volume
    first, second = xx * p + xy * q, xx * q + xy * r
    third, fourth = xy * p + yy * q, xy * q + yy * r
    whole_xx, whole_xy, whole_yy = p * first + q * third, p * second + q * fourth, q * second + r * fourth
    mean, half = (whole_xx + whole_yy) / 2, (whole_xx - whole_yy) / 2
    swing = np.hypot(half, whole_xy)
    long = np.clip(1 / np.sqrt(np.maximum(mean - swing, 1e-6)), 0.5, 200.0)
    short = np.clip(1 / np.sqrt(np.maximum(mean + swing, 1e-6)), 0.5, 200.0)
    base, turn = (long + short) / 2, (short - long) / 2 / np.maximum(swing, 1e-30)
    new = np.empty((len(a), 2, 2))
    new[:, 0, 0], new[:, 1, 1] = base + turn * half, base - turn * half
    new[:, 0, 1] = new[:, 1, 0] = turn * whole_xy
    return new, np.sqrt(long * short)


def aspect(shape: Floats) -> Floats:
    """(N,): minor over major axis of the ellipses."""
    base = (shape[:, 0, 0] + shape[:, 1, 1]) / 2
    swing = np.hypot((shape[:, 0, 0] - shape[:, 1, 1]) / 2, shape[:, 0, 1])
    return np.asarray((base - swing) / np.maximum(base + swing, 1e-6))


def sample(image: Image, points: NDArray[np.float32], how: int) -> Image:
    """Levels or colours at `points` (N, K, 2) x, y in px; outside the picture those of its border."""
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    return np.asarray(cv2.remap(image, x, y, how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def around(image: Image, centre: Floats, shape: Floats, times: float) -> Image:
    """Colours (N, RAYS, 3) on the ellipse enlarged `times`, at least a pixel off the edge when outside it."""
    if not len(centre):
        return np.zeros((0, tuning.RAYS, 3), np.uint8)
    reach = shape @ RAY.T
    points = centre[:, :, None] + reach * times
    if times > 1:
        points = points + reach / np.maximum(np.hypot(reach[:, 0], reach[:, 1]), 1e-6)[:, None] * 0.8
    x, y = points.astype(np.float32).transpose(1, 0, 2).copy()
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE), np.uint8)
