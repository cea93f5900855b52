"""Pip candidates: round spots, darker or lighter than the ring around them, at every scale a tray can hold.

Found as extremes of differences of Gaussians over octaves (a bounded number per layer), then measured one by one:
rays from the middle find the edge, an ellipse is fitted to it, and the colours inside and around are taken.
"""

from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.reading import Image

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]

_ANGLES = np.arange(tuning.RAYS) * (2 * np.pi / tuning.RAYS)
_RAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_EIGHT = _RAY[:: tuning.RAYS // 8]
# A disc of this radius answers most strongly to the blob filter.
_SPOT_RADIUS = 1.8 * tuning.BLOB_SIGMA
_SQUARE = np.ones((3, 3), np.uint8)
# Radii where a ray is sampled: not in the very middle, where glints are.
_STEPS = np.arange(0.3, 1.91, 0.16, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Pips:
    """Pip candidates, one per row.

    `centre` (N, 2) x, y in px; `shape` (N, 2, 2) the ellipse as a symmetric matrix S with |S⁻¹(p − centre)| = 1 on
    the edge; `radius` (N,) its geometric mean radius in px; `aspect` (N,) minor over major axis; `wobble` (N,)
    r.m.s. distance of the edge from the ellipse in radii; `dark` (N,) darker than its body; `contrast` (N,) levels
    of the strongest channel; `ring` (N,) share of the surrounding ring that has the body's colour; `colour` and
    `body` (N, 3) blue, green, red levels of the pip and of the ring."""

    centre: Floats
    shape: Floats
    radius: Floats
    aspect: Floats
    wobble: Floats
    dark: Flags
    contrast: Floats
    ring: Floats
    colour: Floats
    body: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def pick(self, which: Indices | Flags) -> "Pips":
        return Pips(*(getattr(self, field.name)[which] for field in fields(self)))

    @property
    def quality(self) -> Floats:
        """How much each looks like a pip, for choosing between answers to the same spot (no unit)."""
        return 2 * self.ring + np.minimum(self.contrast, 120) / 120 + 0.4 * self.aspect - 3 * self.wobble


def no_pips() -> Pips:
    none = np.zeros(0)
    return Pips(
        centre=np.zeros((0, 2)),
        shape=np.zeros((0, 2, 2)),
        radius=none,
        aspect=none,
        wobble=none,
        dark=np.zeros(0, bool),
        contrast=none,
        ring=none,
        colour=np.zeros((0, 3)),
        body=np.zeros((0, 3)),
    )


def find_pips(image: Image) -> Pips:
    """The pip candidates of `image` (H, W, 3), at most `tuning.PIPS_AT_MOST`, best first. Bounded work."""
    octaves = _octaves(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    found = [_measure(image, octaves, *spots) for spots in _spots(octaves)] or [no_pips()]
    pips = Pips(*(np.concatenate([getattr(one, field.name) for one in found]) for field in fields(Pips)))
    plausible = (
        (pips.contrast > tuning.PIP_CONTRAST)
        & (pips.aspect > tuning.PIP_ASPECT)
        & (pips.wobble < tuning.PIP_WOBBLE)
        & (pips.ring > tuning.PIP_RING)
        & (pips.radius > tuning.PIP_RADIUS)
    )
    return _one_per_spot(pips.pick(plausible))


def _octaves(grey: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Each half the size of the one before."""
    octaves = [grey]
    for _ in range(tuning.OCTAVES - 1):
        height, width = octaves[-1].shape
        if min(height, width) < 16:
            break  # nothing that large fits in
        half = cv2.resize(octaves[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        octaves.append(np.asarray(half, np.uint8))
    return octaves


def _spots(octaves: list[NDArray[np.uint8]]) -> list[tuple[int, bool, Floats]]:
    """(octave, dark, centres (N, 2) in px of that octave): the strongest answers of every octave that stand out
    from what surrounds them on all sides."""
    spots = []
    for octave, grey in enumerate(octaves):
        inner = cv2.GaussianBlur(grey, (0, 0), tuning.BLOB_SIGMA)
        outer = cv2.GaussianBlur(grey, (0, 0), tuning.BLOB_SIGMA * tuning.BLOB_RATIO)
        for dark in (True, False):
            # Saturated: the other polarity's half is zero.
            answer = cv2.subtract(outer, inner) if dark else cv2.subtract(inner, outer)
            tops = cv2.bitwise_and(
                cv2.compare(answer, cv2.dilate(answer, _SQUARE), cv2.CMP_EQ),
                cv2.threshold(answer, tuning.BLOB_LEVELS, 255, cv2.THRESH_BINARY)[1],
            )
            if not cv2.countNonZero(tops):
                continue
            centres = np.asarray(cv2.findNonZero(tops), np.int32).reshape(-1, 2)
            lift = _standing_out(np.asarray(inner, np.uint8), centres, dark)
            best = np.argsort(-lift, kind="stable")[: tuning.BLOBS_PER_OCTAVE]
            best = best[lift[best] > tuning.SPOT_LIFT]
            spots.append((octave, dark, centres[best].astype(np.float64)))
    return spots


def _standing_out(grey: NDArray[np.uint8], centres: NDArray[np.int32], dark: bool) -> NDArray[np.int16]:
    """Levels by which each centre differs from 6 of the 8 points around it: beside a pip there may be
    another one or the end of the die, but an edge or a streak differs on two sides only."""
    height, width = grey.shape
    around = np.rint(_EIGHT * _SPOT_RADIUS * 1.75).astype(np.int32)
    columns = np.clip(centres[:, 0, None] + around[None, :, 0], 0, width - 1)
    rows = np.clip(centres[:, 1, None] + around[None, :, 1], 0, height - 1)
    ring = grey[rows, columns].astype(np.int16)
    middle = grey[centres[:, 1], centres[:, 0]].astype(np.int16)
    lift = ring - middle[:, None] if dark else middle[:, None] - ring
    return np.partition(lift, 2, axis=1)[:, 2]


def _measure(image: Image, octaves: list[NDArray[np.uint8]], octave: int, dark: bool, centres: Floats) -> Pips:
    """Measure the ellipse and the colours of each spot. Sampled one octave finer than found, where there is one."""
    finer = max(octave - 1, 0)
    rise = 2.0 ** (octave - finer)
    centre = (centres + 0.5) * rise - 0.5
    shape = np.broadcast_to(np.eye(2) * (_SPOT_RADIUS * rise), (len(centre), 2, 2))
    # A first fit with half the rays finds the middle and the size, and rules most spots out.
    start, begin = centre, shape
    centre, shape, radius, wobble, height = _fit(octaves[finer], dark, start, begin, _RAY[::2])
    worth = (wobble < tuning.FIRST_WOBBLE) & (height > tuning.FIRST_RISE)
    worth &= radius * 2.0**finer > 0.8 * tuning.PIP_RADIUS
    centre, shape, radius, wobble, _ = _fit(octaves[finer], dark, centre[worth], shape[worth], _RAY)
    ragged = np.nonzero(wobble > tuning.RAGGED)[0]
    if len(ragged):
        # A glint in a drilled pip hides its edge: once more without specks, from the spot as it was found.
        how = cv2.MORPH_OPEN if dark else cv2.MORPH_CLOSE
        calm = np.asarray(cv2.morphologyEx(octaves[finer], how, _SQUARE), np.uint8)
        found = np.nonzero(worth)[0][ragged]
        again = _fit(calm, dark, start[found], begin[found], _RAY)
        again = _fit(calm, dark, again[0], again[1], _RAY)
        better = again[3] < wobble[ragged]
        for column, new in zip((centre, shape, radius, wobble), again[:4], strict=True):
            column[ragged[better]] = new[better]
    scale = 2.0**finer
    centre = (centre + 0.5) * scale - 0.5
    shape, radius = shape * scale, radius * scale
    colour = np.median(_around(image, centre, shape, 0.45), axis=1)
    ring = _around(image, centre, shape, 1.5)
    body = np.median(ring, axis=1)
    contrast = np.abs(colour - body).max(axis=1)
    off = np.abs(ring - body[:, None]).max(axis=2)
    alike = (off < (0.35 * contrast + 5)[:, None]).mean(axis=1)
    axes = np.linalg.svd(shape, compute_uv=False) if len(shape) else np.ones((0, 2))
    return Pips(
        centre=centre,
        shape=shape,
        radius=radius,
        aspect=axes[:, 1] / np.maximum(axes[:, 0], 1e-6),
        wobble=wobble,
        dark=np.full(len(radius), dark),
        contrast=contrast,
        ring=alike,
        colour=colour,
        body=body,
    )


def _fit(
    grey: NDArray[np.uint8], dark: bool, centre: Floats, shape: Floats, rays: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Cast `rays` in the frame of `shape` and fit the ellipse to where they cross the edge.

    Returns centre, shape, radius (px of `grey`), wobble (radii) and the height of the edge (levels)."""
    count = len(centre)
    if not count:
        return centre, shape, np.zeros(0), np.zeros(0), np.zeros(0)
    reach = (shape[:, None] @ rays[None, :, :, None])[..., 0].astype(np.float32)
    points = centre.astype(np.float32)[:, None, None] + reach[:, :, None] * _STEPS[None, None, :, None]
    points = points.reshape(count, len(rays) * len(_STEPS), 2)
    levels = sample(grey, points, cv2.INTER_LINEAR).reshape(count, len(rays), len(_STEPS)).astype(np.float32)
    inside = np.median(levels[:, :, _STEPS < 0.45].reshape(count, -1), axis=1)
    outside = np.median(levels[:, :, (_STEPS > 1.4) & (_STEPS < 1.7)].reshape(count, -1), axis=1)
    rise = np.maximum(outside - inside, 1) if dark else np.minimum(outside - inside, -1)
    half = _crossing((levels - inside[:, None, None]) / rise[:, None, None])
    # A ray that misses the edge (a neighbour, the end of the die) must not pull the ellipse along.
    middle = np.median(half, axis=1, keepdims=True)
    clipped = np.clip(half, 0.6 * middle, 1.5 * middle)
    shift = 2 * (clipped[:, :, None] * rays).mean(axis=1)
    # 1/t² of a centred ellipse is a constant plus one wave of double angle.
    edge = clipped[:, :, None] * rays - shift[:, None]
    squared = np.maximum((edge**2).sum(axis=2), 0.04)
    double = (edge[:, :, 0] + 1j * edge[:, :, 1]) ** 2 / squared
    inverse = 1 / squared
    a = np.median(inverse, axis=1)
    wave = 2 * (inverse * double).mean(axis=1)
    wave *= np.minimum(1.0, 0.85 * a / np.maximum(np.abs(wave), 1e-9))
    fitted = 1 / np.sqrt(a[:, None] + (wave.conj()[:, None] * double).real)
    wobble = np.sqrt(np.mean((fitted - np.sqrt(squared)) ** 2, axis=1)) * np.sqrt(a)
    quadratic = np.empty((count, 2, 2))
    quadratic[:, 0, 0], quadratic[:, 1, 1] = a + wave.real, a - wave.real
    quadratic[:, 0, 1] = quadratic[:, 1, 0] = wave.imag
    inverse_shape = np.linalg.inv(shape)
    whole = np.swapaxes(inverse_shape, 1, 2) @ quadratic @ inverse_shape
    values, vectors = np.linalg.eigh(whole)
    axes = np.clip(1 / np.sqrt(np.maximum(values, 1e-6)), 0.5, 200.0)
    new_shape = (vectors * axes[:, None, :]) @ np.swapaxes(vectors, 1, 2)
    new_centre = centre + np.einsum("nij,nj->ni", shape, np.clip(shift, -0.8, 0.8))
    return new_centre, new_shape, np.sqrt(axes[:, 0] * axes[:, 1]), wobble, np.abs(rise).astype(np.float64)


def _crossing(share: NDArray[np.float32]) -> Floats:
    """Where each ray first rises above one half, in the ray's unit; the end of the ray when it never does."""
    above = share > 0.5
    never = ~above.any(axis=2)
    first = np.where(never, share.shape[2] - 1, above.argmax(axis=2))
    after = np.take_along_axis(share, first[:, :, None], axis=2)[:, :, 0]
    before = np.take_along_axis(share, np.maximum(first - 1, 0)[:, :, None], axis=2)[:, :, 0]
    part = np.clip((0.5 - before) / np.maximum(after - before, 1e-3), 0, 1)
    step = float(_STEPS[1] - _STEPS[0])
    return np.where(never, float(_STEPS[-1]), _STEPS[np.maximum(first - 1, 0)] + part * step).astype(np.float64)


def sample(image: Image, points: NDArray[np.float32], how: int) -> Image:
    """Levels or colours at `points` (N, K, 2) x, y in px; outside the picture those of its border."""
    x, y = np.ascontiguousarray(points[..., 0]), np.ascontiguousarray(points[..., 1])
    return np.asarray(cv2.remap(image, x, y, how, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _around(image: Image, centre: Floats, shape: Floats, times: float) -> Floats:
    """Colours (N, RAYS, 3) on the ellipse enlarged `times`, at least a pixel off the edge when outside it."""
    if not len(centre):
        return np.zeros((0, tuning.RAYS, 3))
    reach = np.einsum("nij,rj->nri", shape, _RAY)
    points = centre[:, None] + reach * times
    if times > 1:
        points = points + reach / np.maximum(np.linalg.norm(reach, axis=2, keepdims=True), 1e-6) * 0.8
    return sample(image, points.astype(np.float32), cv2.INTER_NEAREST).astype(np.float64)


def _one_per_spot(pips: Pips) -> Pips:
    """The best answer of those that lie on one another with about the same size."""
    pips = pips.pick(np.argsort(-pips.quality, kind="stable")[: 3 * tuning.PIPS_AT_MOST])
    x, y = pips.centre.T.astype(np.float32)
    apart = np.hypot(x[:, None] - x[None], y[:, None] - y[None])
    radius = pips.radius.astype(np.float32)
    larger, smaller = np.maximum(radius[:, None], radius[None]), np.minimum(radius[:, None], radius[None])
    same = (apart < tuning.SAME_PIP * larger) & (larger < 1.8 * smaller)
    # Shades inside a pip are no pips of their own; a pip inside something much larger may be one.
    within = (apart + 0.8 * smaller < 1.15 * larger) & (larger < 3.2 * smaller)
    same |= within & (pips.dark[:, None] == pips.dark[None]) & (radius[:, None] > radius[None])
    kept: list[int] = []
    gone = np.zeros(len(pips), bool)
    for index in range(len(pips)):
        if not gone[index]:
            kept.append(index)
            gone |= same[index]
            if len(kept) == tuning.PIPS_AT_MOST:
                break
    return pips.pick(np.array(kept, np.intp))
