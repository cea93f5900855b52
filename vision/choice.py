"""What the pip reader makes of its hypotheses: how much each deserves, with one die size and view shared by all.

Each hypothesis gets a credit from 0 to 1 for how much it looks like the top face of a die by itself; then the frame's
die size and tilt decide how much of it stays.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision import tuning
from vision.arrays import Flags, Floats, Indices, inv2
from vision.body import ROUNDED, Bodies, in_square
from vision.lattice import Faces, evenness, least_of, mean_of, most_of
from vision.pips import Pips

_TURNS = np.array([
    [[np.cos(turn) * share, -np.sin(turn) * share], [np.sin(turn) * share, np.cos(turn) * share]]
    for turn in np.deg2rad(np.arange(0, 90, 7.5))
    for share in (1.0, 0.92)
])  # fmt: skip


@dataclass(frozen=True, eq=False)
class Choice:
    """`faces` the hypotheses with the sizes that the whole frame gave them; `chosen` the rows taken, none before both
    readers have said what they see;
    `credit` (M,) of all, `alone` (M,) without regard to what the frame's dice share;
    `side` the frame's die size in px (0 when nothing was found)
    and `tilt` (2,) its foreshortening as in `Faces.tilt`."""

    faces: Faces
    chosen: Indices
    credit: Floats
    alone: Floats
    side: float
    tilt: Floats


def ramp(x: Floats, low: float | Floats, high: float | Floats) -> Floats:
    """0 at `low`, 1 at `high`, straight between; `low` may be the larger."""
    return np.clip((x - low) / (np.asarray(high) - low), 0.0, 1.0)


def prune(pips: Pips, faces: Faces) -> Faces:
    """The hypotheses whose pips alone make sense, at most `tuning.FACES_AT_MOST` of each value: only their
    bodies are looked at."""
    credit = pip_credit(pips, faces)
    rank = credit * np.sqrt(np.minimum(least_of(faces, pips.contrast), 100))
    rank[credit < tuning.CREDIT_WORTH_A_LOOK] = -1
    kept = []
    for value, limit in enumerate(tuning.FACES_AT_MOST):
        of_value = np.nonzero((faces.value == value) & (rank > 0))[0]
        kept.append(of_value[np.argsort(-rank[of_value], kind="stable")[:limit]])
    return faces.pick(np.concatenate(kept))


def pip_credit(pips: Pips, faces: Faces) -> Floats:
    """(M,): do these pips lie and look like the pips of one face?"""
    value = faces.value
    radius = mean_of(pips, faces, pips.radius)
    credit = 1 - ramp(faces.misfit, 0.07, 0.2)
    credit *= ramp(mean_of(pips, faces, pips.aspect), 0.42, 0.66)
    credit *= 0.2 + 0.8 * ramp(least_of(faces, pips.contrast), *tuning.FAINT)
    credit *= ramp(mean_of(pips, faces, pips.ring), 0.5, 0.78)
    credit *= 1 - 0.9 * ramp(mean_of(pips, faces, pips.wobble), 0.08, 0.2)
    credit *= 1 - 0.95 * ramp(most_of(faces, pips.radius) / least_of(faces, pips.radius), 1.38, 1.75)
    credit *= ramp(evenness(pips, faces), 0.33, 0.58)
    share = radius / faces.side
    low, high = tuning.PIP_PER_SIDE
    credit *= np.where(value == 1, 1.0, ramp(share, low, low * 1.4) * ramp(share, high, high * 0.8))
    trust = np.clip(radius / tuning.TRUSTED_RADIUS, 0, 1)
    square = tuning.SQUARE[0] * trust + tuning.SQUARE[1] * (1 - trust)
    loose = np.where(value == 6, tuning.SIX_NARROW, square)
    credit *= np.where(value >= 4, 1 - ramp(faces.stretch, 0.78 * loose, 1.1 * loose), 1.0)
    # The columns of a six are never further apart than its rows are long; two sixes side by side can look so.
    return np.asarray(credit * np.where(value == 6, ramp(faces.stretch, 0.72, 0.88), 1.0))


def body_credit(pips: Pips, faces: Faces, bodies: Bodies, crowded: Flags) -> Floats:
    """(M,): is there a body of that size and colour under the pips? Rays that are `crowded` (M, BODY_RAYS) run into
    a neighbouring die and say nothing about where this one ends."""
    value = faces.value
    reach = bodies.reach
    covered = (reach > 0.82).mean(axis=1)
    ended = ((reach > 0.82) & (reach < 1.38)).sum(axis=1) / np.maximum((~crowded).sum(axis=1), 1)
    ended = np.where((~crowded).sum(axis=1) < tuning.FREE_RAYS, 0.5, np.minimum(ended, 1))
    credit = ramp(covered, 0.64, 0.9) * (0.12 + 0.88 * ramp(ended, 0.25, 0.7))
    credit *= np.array([1.0, 0.3, 0.08, 0.02])[np.minimum(bodies.extra, 3)]
    credit *= 1 - 0.8 * _two_bodies(faces, bodies)
    credit *= ramp(faces.side, *tuning.SMALLEST_DIE)
    radius_share = mean_of(pips, faces, pips.radius) / faces.side
    half = tuning.BODY_RAYS // 2
    capped = np.where(crowded, 1.0, np.minimum(reach, 2.0))
    lop = np.abs(capped[:, :half] - capped[:, half:]).mean(axis=1)
    one = ramp(ended, 0.45, 0.8) * (1 - ramp(lop, 0.32, 0.65))
    one *= np.where(crowded.mean(axis=1) > 0.2, 1.0, ramp(bodies.step, 0.05, 0.2))
    one *= ramp(radius_share, 0.27, 0.2)
    few = 1 - 0.8 * ramp(lop, 0.45, 0.85)
    return credit * np.where(value == 1, one, np.where(value <= 3, few, 1.0))


def _two_bodies(faces: Faces, bodies: Bodies) -> Floats:
    """(M,): does the colour under the pips drift as between two bodies? So does a shadow whose edge lies across a face,
    but five or six pips are seldom in their places on two."""
    even = np.where(faces.value >= 5, tuning.SHADED, tuning.EVEN)
    return ramp(bodies.uneven, even, even + tuning.UNEVEN)


def crowded_rays(faces: Faces, bodies: Bodies, strong: Flags) -> Flags:
    """(M, BODY_RAYS): rays that leave the face and run into one of the `strong` faces beside it."""
    beyond = faces.centre[:, None] + (bodies.border - faces.centre[:, None]) * 1.3
    open_ = bodies.reach > 1.3
    crowded = np.zeros(open_.shape, bool)
    rows, rays = np.nonzero(open_)
    ends = beyond[rows, rays]
    met = np.zeros(len(rows), bool)
    side, inverse = faces.side, inv2(faces.half)
    for index in np.nonzero(strong)[0]:
        place = np.abs((ends - faces.centre[index]) @ inverse[index].T)
        off = faces.centre - faces.centre[index]
        apart = np.hypot(off[:, 0], off[:, 1]) > 0.6 * side[index]
        met |= (np.maximum(place[:, 0], place[:, 1]) < 1.12) & apart[rows]
    crowded[rows, rays] = met
    return crowded


def whole_credit(pips: Pips, faces: Faces, bodies: Bodies, fitting: Floats) -> Floats:
    """(M,): a face whose pips are all part of a larger face that fits too is most likely that larger face. `fitting`
    (M,) is how well each agrees with what the frame's dice share, its `pip_credit` included."""
    covered = (bodies.reach > 0.82).mean(axis=1)
    # A two or three that spans two dice has a gap under it; many pips in their places hardly come by chance.
    on_body = np.where(faces.value <= 3, ramp(covered, 0.85, 0.97), ramp(covered, 0.6, 0.85))
    on_body *= 1 - _two_bodies(faces, bodies)
    larger = fitting * on_body * (1 - ramp(faces.misfit, 0.05, 0.11))
    has = np.zeros((len(faces), len(pips)), np.float32)
    rows = np.nonzero(faces.pips >= 0)
    has[rows[0], faces.pips[rows]] = 1
    size = has.sum(axis=1)
    part = (has @ has.T >= size[:, None]) & (size[None] > size[:, None])
    # The pip of a one and one of its neighbour's always make a pair; its own outline tells the one from half a two.
    part &= ~((size[:, None] == 1) & (size[None] == 2))
    return np.asarray(1 - 0.9 * np.where(part, larger[None], 0).max(axis=1))


def choose(pips: Pips, faces: Faces, bodies: Bodies) -> Choice:
    """What each hypothesis deserves, given what the dice of one frame share. None is chosen yet."""
    if not len(faces):
        return Choice(faces, np.zeros(0, np.intp), np.zeros(0), np.zeros(0), 0.0, np.zeros(2))
    by_pips = pip_credit(pips, faces)
    by_body = body_credit(pips, faces, bodies, np.zeros(bodies.reach.shape, bool))
    alone = by_pips * by_body * whole_credit(pips, faces, bodies, by_pips)
    side = _shared_side(pips, faces, alone)
    tilt = _shared_tilt(pips, faces, faces.tilt, alone)
    faces, bodies = _sized_ones(faces, bodies, alone, side, tilt)
    off, tilts = np.abs(np.log(faces.side / side)), faces.tilt
    crowded = crowded_rays(faces, bodies, (alone > 0.5) & (off < 0.3) & (faces.value > 1))
    sized = 1 - 0.85 * ramp(off, 0.18, 0.6)
    fitting = sized * (1 - 0.93 * ramp(np.hypot(*(tilts - tilt).T), 0.25, 0.7))
    by_body = body_credit(pips, faces, bodies, crowded)
    alone = by_pips * by_body * whole_credit(pips, faces, bodies, by_pips * fitting**2)
    tilt = _shared_tilt(pips, faces, tilts, alone)
    credit = alone * sized * (1 - 0.93 * ramp(np.hypot(*(tilts - tilt).T), 0.25, 0.7))
    return Choice(faces, np.zeros(0, np.intp), credit, alone, side, tilt)


def _sized_ones(faces: Faces, bodies: Bodies, credit: Floats, side: float, tilt: Floats) -> tuple[Faces, Bodies]:
    """Give the ones whose outline does not show their size (neighbours, side faces) the size that the other dice have,
    turned so that it fits the outline best."""
    if not ((credit > 0.5) & (faces.value > 1)).any():
        return faces, bodies
    rows = np.nonzero((faces.value == 1) & (credit < 0.9))[0]
    if not len(rows):
        return faces, bodies
    tried = faces.pick(rows)
    ends = bodies.ends[rows]
    squares = _tilted_squares(side, tilt)
    # (squares, 2, rows · rays): where the ends lie in each square.
    place = np.abs(inv2(squares) @ (ends - tried.centre[:, None]).reshape(-1, 2).T)
    reach = np.maximum(np.maximum(place[:, 0], place[:, 1]), np.hypot(place[:, 0], place[:, 1]) / ROUNDED)
    reach = reach.reshape(len(squares), len(rows), -1)
    short = reach < 0.85
    fit = ((reach > 0.85) & (reach < 1.2)).mean(axis=2) - 2 * short.mean(axis=2)
    half = squares[fit.argmax(axis=0)]
    reach, border = in_square(replace(tried, half=half), ends)
    halves, reaches, borders = faces.half.copy(), bodies.reach.copy(), bodies.border.copy()
    halves[rows], reaches[rows], borders[rows] = half, reach, border
    return replace(faces, half=halves), replace(bodies, reach=reaches, border=borders)


def _tilted_squares(side: float, tilt: Floats) -> Floats:
    """(K, 2, 2) half axes of squares of `side` px and a little less, turned all ways on a plane seen under `tilt`."""
    length = float(np.hypot(*tilt))
    double = np.arctan2(tilt[1], tilt[0])
    cos, sin = np.cos(double / 2), np.sin(double / 2)
    along = np.array([[cos, -sin], [sin, cos]])
    stretch = along @ np.diag([np.exp(length / 2), np.exp(-length / 2)]) @ along.T
    return np.asarray(stretch @ _TURNS * (side / 2))


def _say(pips: Pips, faces: Faces, credit: Floats) -> Floats:
    """How much each hypothesis has to say about what the frame's dice share: many strong pips say most."""
    weight = credit**2 * faces.value * np.minimum(least_of(faces, pips.contrast), 100)
    return np.asarray(weight * np.array([0.0, 0.15, 0.4, 1.0, 1.0, 1.0, 1.0])[faces.value])


def _shared_side(pips: Pips, faces: Faces, credit: Floats) -> float:
    """The side that the credible hypotheses vote for, those of many strong pips most."""
    weight = _say(pips, faces, credit)
    log = np.log(faces.side)
    votes = (np.exp(-0.5 * ((log[:, None] - log[None]) / 0.15) ** 2) * weight[None]).sum(axis=1)
    return float(faces.side[int(votes.argmax())])


def _shared_tilt(pips: Pips, faces: Faces, tilt: Floats, credit: Floats) -> Floats:
    """(2,): the foreshortening that the top faces of the frame share, as they all lie level in one picture. `tilt`
    (M, 2) is that of each."""
    weight = _say(pips, faces, credit) * np.exp(-0.5 * (np.hypot(*tilt.T) / 0.4) ** 2)
    apart = np.hypot(tilt[:, None, 0] - tilt[None, :, 0], tilt[:, None, 1] - tilt[None, :, 1])
    votes = (np.exp(-0.5 * (apart / 0.15) ** 2) * weight[None]).sum(axis=1)
    near = np.exp(-0.5 * (apart[int(votes.argmax())] / 0.15) ** 2) * weight
    return np.asarray((tilt * near[:, None]).sum(axis=0) / max(float(near.sum()), 1e-9))
