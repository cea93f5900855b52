"""Which of the dice lie level: the foreshortening of their faces against the one view that they all are in.

A camera sees each spot of the ground under its own angle, more slanted the further it lies from the point below the
camera. For a level face at p the slope of the ray is n(p) = n₀ + (p − p₀) / f with the focal length f in pixels, and
its sides are shortened along n by cos α, tan α = |n| (pinhole camera; Hartley & Zisserman, Multiple View Geometry,
2nd ed., ch. 6). One die gives n₀ up to its sign, a few focal lengths cover phones, webcams and pictures cut out of
larger ones; the best of these views is the one that the dice lie in."""

from collections.abc import Callable, Sequence

import numpy as np

from vision import tuning
from vision.arrays import Floats


def out_of_level(centres: Floats, tilts: Floats, allowed: Floats, longest: int) -> Floats:
    """(N,) how far each face is from level, in what is `allowed` (N,) for it: beyond 1 it leans. `centres` (N, 2) px,
    `tilts` (N, 2) as in `Faces.tilt`, `longest` the long side of the picture in px."""
    views = [(tilts, lambda start, moved: _tilt(start + moved), starts) for starts in _slopes(tilts)]
    return _off(centres, allowed, longest, views)


def out_of_slope(centres: Floats, aslant: Floats, longest: int) -> Floats:
    """(N,) the slope (tangent of the angle) by which each face is off the one it would have if it lay level, by how
    `aslant` (N, 2) it is seen, as in `NetFace`; the rest as above."""
    squared = np.minimum((aslant**2).sum(axis=1, keepdims=True), tuning.ASLANT_MOST**2)
    slopes = aslant / np.sqrt(1 - squared)
    views = [(slopes, lambda start, moved: start + moved, slopes)]
    spread = np.full(len(centres), tuning.ASLANT_SPREAD)
    return np.asarray(_off(centres, spread, longest, views) * spread)


def _off(
    centres: Floats,
    allowed: Floats,
    longest: int,
    views: Sequence[tuple[Floats, Callable[[Floats, Floats], Floats], Floats]],
) -> Floats:
    """(N,) how far each die is off the best of the `views`: what was measured (N, 2), what a level face would show at
    a place that is moved, and the slopes (N, 2) to start from."""
    best = np.zeros(len(centres))
    if len(centres) < 2:
        return best  # nothing to compare it with
    least = np.inf
    for focal in tuning.FOCALS:
        moved = (centres[:, None] - centres[None]) / (focal * longest)  # (N, N, 2): of each seen from each
        for measured, foretold, starts in views:
            off = np.linalg.norm(measured[:, None] - foretold(starts[None], moved), axis=2) / allowed[:, None]
            # One face may lean: what counts is what most of them say.
            cost = np.minimum(off, 1.5).sum(axis=0)
            at = int(cost.argmin())
            if cost[at] < least - 1e-9:
                least, best = float(cost[at]), off[:, at]
    return best


def _slopes(tilts: Floats) -> Sequence[Floats]:
    """The two (N, 2) slopes under which faces of those tilts may be seen."""
    length = np.linalg.norm(tilts, axis=1)
    slope = np.sqrt(np.maximum(np.exp(2 * length) - 1, 0.0))
    along = np.arctan2(-tilts[:, 1], -tilts[:, 0]) / 2
    one = np.stack([np.cos(along), np.sin(along)], axis=1) * slope[:, None]
    return one, -one


def _tilt(slopes: Floats) -> Floats:
    """(…, 2) tilts, as in `Faces.tilt`, of level faces seen under the slopes (…, 2): longer across the slope."""
    squared = (slopes**2).sum(axis=-1)
    shortened = 0.5 * np.log1p(squared) / np.maximum(squared, 1e-12)
    x, y = slopes[..., 0], slopes[..., 1]
    return np.asarray(-np.stack([x**2 - y**2, 2 * x * y], axis=-1) * shortened[..., None])
