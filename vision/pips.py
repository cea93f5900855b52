"""Pip candidates: round spots, measured one by one.

An ellipse is fitted to the edge of each spot, and the colours inside and around are taken.
"""

from dataclasses import dataclass, fields

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Flags, Floats, Grey, Indices
from vision.frame import Image
from vision.outlines import RAY, Outlines, around, aspect, circles, fit
from vision.spots import RADIUS, Search, Spots, find_spots, halvings

_SQUARE = np.ones((3, 3), np.uint8)


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
    def light(self) -> Floats:
        """(N,) levels: the brightest channel of pip and body, as a lamp lights it or a shadow dims it."""
        return np.asarray(np.maximum(np.maximum(self.colour.max(axis=1), self.body.max(axis=1)), 1.0))

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


def alike_in_shadow(pips: Pips) -> Flags:
    """(N, N): which pips differ by no more than a shadow that one of the two lies in: it dims pip and body by the same
    share."""

    def ratio(column: Floats) -> Floats:
        return np.minimum(column[:, None], column[None]) / np.maximum(column[:, None], column[None])

    alike = ratio(pips.contrast / pips.light) > tuning.SHADOW_ALIKE
    return np.asarray(alike & (ratio(pips.contrast) > tuning.SHADOW_CONTRAST))


def find_pips(image: Image, within: Search | None = None) -> Pips:
    """The pip candidates of `image` (H, W, 3), or of what is `within`, at most `tuning.PIPS_AT_MOST`, best first.
    Bounded work."""
    octaves = halvings(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))
    outlines, dark = _outlines(octaves, find_spots(octaves, within))
    flat = aspect(outlines.shape)
    round_ = np.nonzero(
        (flat > tuning.PIP_ASPECT) & (outlines.wobble < tuning.PIP_WOBBLE) & (outlines.radius > tuning.PIP_RADIUS)
    )[0]
    centre, shape = outlines.centre[round_], outlines.shape[round_]
    colour = _middle_colour(around(image, centre, shape, 0.45))
    ring = around(image, centre, shape, 1.5)
    body = _middle_colour(ring)
    contrast = np.abs(colour - body).max(axis=1)
    off = np.abs(ring - body[:, None]).max(axis=2)
    pips = Pips(
        centre=centre,
        shape=shape,
        radius=outlines.radius[round_],
        aspect=flat[round_],
        wobble=outlines.wobble[round_],
        dark=dark[round_],
        contrast=contrast,
        ring=(off < (0.35 * contrast + 5)[:, None]).mean(axis=1),
        colour=colour,
        body=body,
    )
    return _one_per_spot(pips.pick((pips.contrast > tuning.PIP_CONTRAST) & (pips.ring > tuning.PIP_RING)))


def _outlines(octaves: list[Grey], spots: Spots) -> tuple[Outlines, Flags]:
    """The ellipses of the spots that have one, in px of the first octave, and which of them are dark. Each is sampled
    one octave finer than it was found, where there is one."""
    finer = np.maximum(spots.octave - 1, 0)
    rise: Floats = np.exp2(spots.octave - finer)
    start = circles((spots.centre + 0.5) * rise[:, None] - 0.5, RADIUS * rise)
    # A first fit with half the rays finds the middle and the size, and rules most spots out.
    first = fit(octaves, finer, spots.dark, start, RAY[::2])
    worth = np.nonzero(
        (first.wobble < tuning.FIRST_WOBBLE)
        & (first.rise > tuning.FIRST_RISE)
        & (first.radius * 2.0**finer > 0.8 * tuning.PIP_RADIUS)
    )[0]
    finer, dark = finer[worth], spots.dark[worth]
    found = fit(octaves, finer, dark, first.pick(worth), RAY)
    ragged = np.nonzero(found.wobble > tuning.RAGGED)[0]
    # A glint in a drilled pip hides its edge: once more without specks, from the spot as it was found.
    for pole, how in ((True, cv2.MORPH_OPEN), (False, cv2.MORPH_CLOSE)):
        rows = ragged[dark[ragged] == pole]
        calm = [
            np.asarray(cv2.morphologyEx(grey, how, _SQUARE), np.uint8) if (finer[rows] == octave).any() else grey
            for octave, grey in enumerate(octaves)
        ]
        again = fit(calm, finer[rows], dark[rows], start.pick(worth[rows]), RAY)
        again = fit(calm, finer[rows], dark[rows], again, RAY)
        found = found.where(rows, again, again.wobble < found.wobble[rows])
    scale: Floats = np.exp2(finer)
    return Outlines(
        (found.centre + 0.5) * scale[:, None] - 0.5,
        found.shape * scale[:, None, None],
        found.radius * scale,
        found.wobble,
        found.rise,
    ), dark


def _middle_colour(colours: Image) -> Floats:
    """(N, 3): the median of each channel of `colours` (N, K, 3), K even."""
    ordered = np.sort(colours.transpose(0, 2, 1), axis=2)
    half = colours.shape[1] // 2
    return np.asarray((ordered[:, :, half - 1].astype(np.float64) + ordered[:, :, half]) / 2)


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
