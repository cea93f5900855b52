"""Face hypotheses: which pips could together be a 1, 2, 3, 4, 5 or 6 seen under an affine view.

A pair of alike pips is a diagonal: with nothing between them a 2, with a pip in the middle a 3. Two diagonals with
one middle are a 4, with a pip in it a 5, with two more pips on opposite sides a 6. A pip alone may be a 1.
"""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags, Floats, Indices, det2, inv2
from vision.pips import Pips, alike_in_shadow


@dataclass(frozen=True, eq=False)
class Faces:
    """Face hypotheses, one per row.

    `value` (M,); `pips` (M, 6) rows of the pips it is made of, −1 beyond; `centre` (M, 2) px; `half` (M, 2, 2) its
    columns lead from the centre to the middles of two neighbouring sides, px; `misfit` (M,) mean distance of the
    pips from their places in half diagonals; `stretch` (M,) longer over shorter side of the pip rectangle."""

    value: Indices
    pips: Indices
    centre: Floats
    half: Floats
    misfit: Floats
    stretch: Floats

    def __len__(self) -> int:
        return len(self.value)

    def pick(self, which: Indices | Flags) -> "Faces":
        return Faces(*(getattr(self, field.name)[which] for field in fields(self)))

    @property
    def side(self) -> Floats:
        """Side of the face in px: of a tilted one, of the square with the same area."""
        return np.asarray(2 * np.sqrt(np.abs(det2(self.half))))

    @property
    def tilt(self) -> Floats:
        """(M, 2) how each face is foreshortened: the logarithm of its aspect as a vector of double angle, so that
        alike views lie near each other and a face seen straight on is (0, 0)."""
        return tilt_of(self.half)


def tilt_of(half: Floats) -> Floats:
    """(M, 2) as `Faces.tilt`, of faces with those half axes (M, 2, 2)."""
    spread = half @ np.swapaxes(half, 1, 2)
    spread = spread / np.sqrt(np.maximum(det2(spread), 1e-9))[:, None, None]
    mean, difference = (spread[:, 0, 0] + spread[:, 1, 1]) / 2, (spread[:, 0, 0] - spread[:, 1, 1]) / 2
    swing = np.hypot(difference, spread[:, 0, 1])
    aspect = np.arccosh(np.maximum(mean, 1.0))
    direction = np.stack([difference, spread[:, 0, 1]], axis=1) / np.maximum(swing, 1e-9)[:, None]
    return np.asarray(direction * aspect[:, None])


def no_faces() -> Faces:
    none = np.zeros(0, np.intp)
    return Faces(
        value=none,
        pips=np.zeros((0, 6), np.intp),
        centre=np.zeros((0, 2)),
        half=np.zeros((0, 2, 2)),
        misfit=np.zeros(0),
        stretch=np.zeros(0),
    )


def join(parts: list[Faces]) -> Faces:
    return Faces(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Faces)))


def mean_of(pips: Pips, faces: Faces, column: Floats) -> Floats:
    """The mean of a column of `pips` over the pips of each face."""
    used = faces.pips >= 0
    values = column[faces.pips]
    shape = used.reshape(used.shape + (1,) * (values.ndim - 2))
    total = np.where(shape, values, 0).sum(axis=1)
    return np.asarray(total / used.sum(axis=1).reshape((-1,) + (1,) * (values.ndim - 2)))


def least_of(faces: Faces, column: Floats) -> Floats:
    return np.asarray(np.where(faces.pips >= 0, column[faces.pips], np.inf).min(axis=1))


def most_of(faces: Faces, column: Floats) -> Floats:
    return np.asarray(np.where(faces.pips >= 0, column[faces.pips], -np.inf).max(axis=1))


def evenness(pips: Pips, faces: Faces) -> Floats:
    """(M,): smallest to largest contrast of the pips of each face, in the share of the light that they are in where a
    shadow's edge may lie across it."""

    def ratio(column: Floats) -> Floats:
        return least_of(faces, column) / np.maximum(most_of(faces, column), 1e-6)

    plain, shaded = ratio(pips.contrast), ratio(pips.contrast / pips.light)
    return np.where(plain > tuning.SHADOW_CONTRAST, np.maximum(plain, shaded), plain)


def find_faces(pips: Pips, side: float | None = None) -> Faces:
    """All hypotheses worth a closer look, at most a few thousand. Where the `side` (px) of the face sought is known,
    also twos and threes whose pips lie close together in its middle, as on some makes."""
    if not len(pips):
        return no_faces()
    alike = _alike(pips)
    pairs, middle = _diagonals(pips, alike)
    few = _twos_and_threes(pips, pairs, middle)
    found = [_ones(pips), few.pick(_apart_enough(pips, few)), _fours_to_sixes(pips, alike, pairs)]
    return join(found if side is None else [*found, _narrow(few, side)])


def _alike(pips: Pips) -> Flags:
    """(N, N): could these two belong to one face?"""

    def ratio(column: Floats) -> Floats:
        return np.minimum(column[:, None], column[None]) / np.maximum(column[:, None], column[None])

    def off(column: Floats) -> Floats:
        return np.asarray(np.abs(column[:, None] - column[None]).max(axis=2))

    contrast = np.minimum(pips.contrast[:, None], pips.contrast[None])
    brighter = np.maximum(pips.contrast[:, None], pips.contrast[None])
    light = pips.light[:, None]
    lit_alike = ratio(pips.contrast) > tuning.ALIKE_CONTRAST
    lit_alike &= off(pips.body) < 0.75 * brighter + 10
    lit_alike &= off(pips.colour) < 0.8 * contrast + 10
    shaded = alike_in_shadow(pips)
    shaded &= np.maximum(off(pips.body / light), off(pips.colour / light)) < tuning.SHADOW_COLOUR
    alike = (pips.dark[:, None] == pips.dark[None]) & (ratio(pips.radius) > 1 / tuning.ALIKE_RADIUS)
    alike &= lit_alike | shaded
    np.fill_diagonal(alike, False)
    return np.asarray(alike)


def _diagonals(pips: Pips, alike: Flags) -> tuple[Indices, Indices]:
    """Pairs (P, 2) that may be diagonals or sides of faces, and (P,) the pip in their middle or −1."""
    apart = _apart(pips.centre, pips.centre)
    radius = np.sqrt(pips.radius[:, None] * pips.radius[None])
    near = alike & (apart > tuning.PAIR_NEAREST * radius) & (apart < tuning.PAIR_FARTHEST * radius)
    ranked = np.where(near, apart, np.inf)
    if len(pips) > tuning.NEIGHBOURS:
        limit = np.partition(ranked, tuning.NEIGHBOURS - 1, axis=1)[:, tuning.NEIGHBOURS - 1]
        near &= (apart <= limit[:, None]) | (apart <= limit[None])
    first, second = np.nonzero(np.triu(near, 1))
    if len(first) > tuning.PAIRS_AT_MOST:
        quality = pips.quality[first] + pips.quality[second] - 0.05 * apart[first, second] / radius[first, second]
        best = np.argsort(-quality, kind="stable")[: tuning.PAIRS_AT_MOST]
        first, second = first[best], second[best]
    pairs = np.stack([first, second], axis=1)
    middles = (pips.centre[first] + pips.centre[second]) / 2
    half = apart[first, second] / 2
    off = _apart(middles, pips.centre)
    off[~(alike[first] & alike[second])] = np.inf
    nearest = off.argmin(axis=1) if len(pairs) else np.zeros(0, np.intp)
    close = off[np.arange(len(pairs)), nearest] < tuning.SPOT * half + tuning.SPOT_PX
    return pairs, np.where(close, nearest, -1)


def _apart(one: Floats, other: Floats) -> NDArray[np.float32]:
    """(N, M) px between `one` (N, 2) and `other` (M, 2); single precision, as these tables are the dearest here."""
    x, y = one.T.astype(np.float32), other.T.astype(np.float32)
    return np.asarray(np.hypot(x[0][:, None] - y[0][None], x[1][:, None] - y[1][None]), np.float32)


def _ones(pips: Pips) -> Faces:
    """Every pip alone. Its size is not known from the pip: the body's outline must tell."""
    count = len(pips)
    rows = np.full((count, 6), -1, np.intp)
    rows[:, 0] = np.arange(count)
    return Faces(
        value=np.ones(count, np.intp),
        pips=rows,
        centre=pips.centre,
        half=mean_shape(pips, np.arange(count)[:, None]) * (tuning.ONE_HALF * pips.radius)[:, None, None],
        misfit=np.zeros(count),
        stretch=np.ones(count),
    )


def _twos_and_threes(pips: Pips, pairs: Indices, middle: Indices) -> Faces:
    apart = np.linalg.norm(pips.centre[pairs[:, 0]] - pips.centre[pairs[:, 1]], axis=1)
    rows = np.full((len(pairs), 6), -1, np.intp)
    rows[:, :2] = pairs
    rows[:, 2] = middle
    three = middle >= 0
    ends = pips.centre[pairs]
    centre = ends.mean(axis=1)
    diagonal = (ends[:, 1] - ends[:, 0]) / 2
    # In the frame where the pips are round the other diagonal stands at right angles to this one.
    shape = mean_shape(pips, pairs)
    upright = (inv2(shape) @ diagonal[:, :, None])[:, :, 0]
    turned = np.stack([-upright[:, 1], upright[:, 0]], axis=1)
    other = np.einsum("nij,nj->ni", shape, turned)
    off = np.linalg.norm(pips.centre[middle] - centre, axis=1) * 2 / np.maximum(apart, 1e-6)
    return Faces(
        value=np.where(three, 3, 2).astype(np.intp),
        pips=rows,
        centre=centre,
        half=_half(diagonal, other),
        misfit=np.where(three, off, 0.0),
        stretch=np.ones(len(pairs)),
    )


def _apart_enough(pips: Pips, few: Faces) -> Flags:
    """(M,): whether the outer pips of twos and threes are as far apart as those of usual makes."""
    ends = few.pips[:, :2]
    apart = np.linalg.norm(pips.centre[ends[:, 0]] - pips.centre[ends[:, 1]], axis=1)
    return np.asarray(apart > tuning.DIAGONAL_SHORTEST * np.sqrt(pips.radius[ends].prod(axis=1)))


def _narrow(few: Faces, side: float) -> Faces:
    """Those twos and threes again that foretell far too small a face, as faces of `side` px."""
    share = few.side / side
    low, high = tuning.NARROW
    narrow = few.pick((share > low) & (share < high))
    return replace(narrow, half=narrow.half * (side / narrow.side)[:, None, None])


def _half(diagonal: Floats, other: Floats) -> Floats:
    """Half axes of the face whose corner pips lie at ±diagonal and ±other from its centre."""
    return np.stack([diagonal + other, diagonal - other], axis=2) * (tuning.FACE_PER_LATTICE / 2)


def _fours_to_sixes(pips: Pips, alike: Flags, pairs: Indices) -> Faces:
    ends = pips.centre[pairs]
    middles = ends.mean(axis=1)
    arms = (ends[:, 1] - ends[:, 0]) / 2
    length = np.linalg.norm(arms, axis=1)
    first, second = np.nonzero(
        np.triu(_apart(middles, middles) < tuning.SPOT * length[:, None] * 1.55 + tuning.SPOT_PX, 1)
    )
    ratio = np.maximum(length[first], length[second]) / np.minimum(length[first], length[second])
    apart = np.linalg.norm(middles[first] - middles[second], axis=1)
    one = (ratio < 2.4) & (apart < tuning.SPOT * np.sqrt(length[first] * length[second]) + tuning.SPOT_PX)
    first, second = first[one], second[one]
    a, b = pairs[first], pairs[second]
    crossing = np.abs(arms[first, 0] * arms[second, 1] - arms[first, 1] * arms[second, 0])
    keep = crossing > 0.4 * length[first] * length[second]
    keep &= (a[:, :1] != b).all(axis=1) & (a[:, 1:] != b).all(axis=1)
    keep &= alike[a[:, 0], b[:, 0]] & alike[a[:, 1], b[:, 1]] & alike[a[:, 0], b[:, 1]] & alike[a[:, 1], b[:, 0]]
    a, b, first, second = a[keep], b[keep], first[keep], second[keep]
    count = len(a)
    rows = np.full((count, 6), -1, np.intp)
    rows[:, :2], rows[:, 2:4] = a, b
    centre = (middles[first] + middles[second]) / 2
    p, q = arms[first], arms[second]
    mean = np.sqrt(length[first] * length[second])
    tolerance = tuning.SPOT * mean + tuning.SPOT_PX
    may = alike[a[:, 0]] & alike[b[:, 0]]
    may[np.arange(count)[:, None], rows[:, :4]] = False

    def nearest(place: Floats) -> tuple[Indices, Floats]:
        off = _apart(place, pips.centre)
        off[~may] = np.inf
        index = off.argmin(axis=1) if count else np.zeros(0, np.intp)
        distance = off[np.arange(count), index]
        return np.where(distance < tolerance, index, -1), distance / mean

    base = np.linalg.norm(middles[first] - middles[second], axis=1) / mean / 2
    centre_pip, centre_off = nearest(centre)
    beside = np.full((count, 2), -1, np.intp)
    beside_off = np.full(count, np.inf)
    across = (p + q) / 2
    for place in ((p + q) / 2, (p - q) / 2):
        # A six's middle pips lie on two opposite sides of the rectangle of its corner pips.
        one_side, one_off = nearest(centre + place)
        other_side, other_off = nearest(centre - place)
        off = (one_off + other_off) / 2
        better = (one_side >= 0) & (other_side >= 0) & (one_side != other_side) & (off < beside_off)
        beside[better, 0], beside[better, 1] = one_side[better], other_side[better]
        beside_off[better], across[better] = off[better], place[better]
    five = centre_pip >= 0
    six = (beside[:, 0] >= 0) & ~five
    rows[six, 4:6] = beside[six]
    rows[five, 4] = centre_pip[five]
    along = np.where((across == (p + q) / 2).all(axis=1)[:, None], (p - q) / 2, (p + q) / 2)
    upright = inv2(mean_shape(pips, rows[:, :4]))
    length_across = np.linalg.norm(np.einsum("nij,nj->ni", upright, across), axis=1)
    length_along = np.linalg.norm(np.einsum("nij,nj->ni", upright, along), axis=1)
    stretch = length_along / np.maximum(length_across, 1e-6)
    # A six with narrow columns still has a square face: its columns count as far apart as its rows are long.
    across = across * np.where(six, np.clip(stretch, 0.9, 1.8), 1.0)[:, None]
    return Faces(
        value=np.where(six, 6, np.where(five, 5, 4)).astype(np.intp),
        pips=rows,
        centre=centre,
        half=np.stack([across, along], axis=2) * tuning.FACE_PER_LATTICE,
        misfit=np.where(six, (base + beside_off) / 2, np.where(five, (base + centre_off) / 2, base)),
        stretch=np.where(six, stretch, np.maximum(stretch, 1 / np.maximum(stretch, 1e-6))),
    )


def mean_shape(pips: Pips, rows: Indices) -> Floats:
    """(M, 2, 2): the common ellipse of the pips in each of `rows` (M, K), of unit area. That of tiny
    and of ragged pips is measured badly and is drawn towards a circle."""
    shape = pips.shape[rows].mean(axis=1)
    shape = shape / np.sqrt(det2(shape))[:, None, None]
    trust = np.clip(pips.radius[rows].mean(axis=1) / tuning.TRUSTED_RADIUS, 0, 1)
    trust = trust * np.clip(1 - (pips.wobble[rows].max(axis=1) - 0.04) / 0.1, 0, 1)
    trust = trust[:, None, None]
    shape = trust * shape + (1 - trust) * np.eye(2)
    return np.asarray(shape / np.sqrt(det2(shape))[:, None, None])
