"""What surrounds the pips of a face hypothesis: does one evenly coloured body carry them, and where does it end?

Rays from the middle of the face run outwards until the body's colour ends. A true face is covered by its body, ends
near the sides of the square that its pips foretell (or goes on into side faces), and holds no further pips.
"""

from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags, Floats, Indices
from vision.lattice import Faces, least_of, mean_of
from vision.outlines import sample
from vision.pips import Pips
from vision.reading import Image

_ANGLES = np.arange(tuning.BODY_RAYS) * (2 * np.pi / tuning.BODY_RAYS)
_RAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_STEPS = np.arange(0.12, 2.3, 0.08)  # half sides
_LAST = float(_STEPS[-1])
# How far the border of a square with rounded corners lies in each direction, in half sides.
ROUNDED = 1.22
"""Half sides from the middle to a rounded corner; a sharp one has 1.41."""
_BORDER = np.minimum(1 / np.maximum(np.abs(_RAY[:, 0]), np.abs(_RAY[:, 1])), ROUNDED)


@dataclass(frozen=True, eq=False)
class Bodies:
    """Evidence around face hypotheses, one per row.

    `ends` (M, BODY_RAYS, 2) x, y in px where each ray meets the end of the body's colour, or gave up; `reach`
    (M, BODY_RAYS) the same in half sides of the face; `border` (M, BODY_RAYS, 2) px of the face's border in that
    direction; `uneven` (M,) mean drift of the body's colour inside the face over the pips' contrast; `extra` (M,) pips
    of the same kind inside the face that the hypothesis leaves over; `step` (M,) median height of the edge where the
    rays end, over the contrast."""

    ends: Floats
    reach: Floats
    border: Floats
    uneven: Floats
    extra: Indices
    step: Floats

    def pick(self, which: Indices | Flags) -> "Bodies":
        return Bodies(*(getattr(self, field.name)[which] for field in fields(self)))


def no_bodies() -> Bodies:
    none = np.zeros(0)
    rays = np.zeros((0, tuning.BODY_RAYS))
    places = np.zeros((0, tuning.BODY_RAYS, 2))
    return Bodies(places, rays, places, none, np.zeros(0, np.intp), none)


def find_bodies(image: Image, pips: Pips, faces: Faces) -> tuple[Faces, Bodies]:
    """Look around each face. Ones come back with the size and turn that their outline has."""
    if not len(faces):
        return faces, no_bodies()
    colour = mean_of(pips, faces, pips.body)
    contrast = least_of(faces, pips.contrast)
    reach, drift, own, step = _walk(image, pips, faces, colour, contrast)
    rays = np.einsum("mij,rj->mri", faces.half, _RAY)
    ends = faces.centre[:, None] + rays * reach[:, :, None]
    one = faces.value == 1
    half = faces.half * _growth(reach)[:, None, None]
    half[one] = _outlined(faces.half[one], reach[one])
    grown = np.sqrt(np.abs(np.linalg.det(half) / np.linalg.det(faces.half)))
    faces = Faces(faces.value, faces.pips, faces.centre, half, faces.misfit, faces.stretch)
    relative, border = in_square(faces, ends)
    inside = (_STEPS[None, None] < (0.85 * grown)[:, None, None]) & ~own
    uneven = (np.minimum(drift, 150) * inside).sum(axis=(1, 2)) / np.maximum(inside.sum(axis=(1, 2)), 1) / contrast
    bodies = Bodies(
        ends=ends,
        reach=relative,
        border=border,
        uneven=uneven,
        extra=_extra(pips, faces, colour, contrast),
        step=step / contrast,
    )
    return faces, bodies


def in_square(faces: Faces, ends: Floats) -> tuple[Floats, Floats]:
    """(M, R) how far `ends` (M, R, 2) px lie along their direction, 1 being the border of the face with its rounded
    corners, and (M, R, 2) px of that border."""
    off = ends - faces.centre[:, None]
    place = np.einsum("mij,mrj->mri", np.linalg.inv(faces.half), off)
    length = np.maximum(np.linalg.norm(place, axis=2), 1e-6)
    corner = np.minimum(length / np.maximum(np.abs(place).max(axis=2), 1e-6), ROUNDED)
    relative = length / corner
    return relative, faces.centre[:, None] + off / np.maximum(relative, 1e-6)[:, :, None]


def _walk(
    image: Image, pips: Pips, faces: Faces, colour: Floats, contrast: Floats
) -> tuple[Floats, NDArray[np.int16], Flags, Floats]:
    """reach (M, R) in half sides, drift (M, R, S) levels off the body's colour, own (M, R, S) where the face's own
    pips lie, step (M,) levels."""
    count = len(faces)
    out = np.einsum("mij,rj->mri", faces.half, _RAY)
    points = (faces.centre[:, None, None] + out[:, :, None] * _STEPS[None, None, :, None]).astype(np.float32)
    flat = points.reshape(count, tuning.BODY_RAYS * len(_STEPS), 2)
    seen = sample(image, flat, cv2.INTER_NEAREST).reshape(count, tuning.BODY_RAYS, len(_STEPS), 3).astype(np.int16)
    drift = _strongest(np.abs(seen - colour.astype(np.int16)[:, None, None]))
    own = np.zeros(drift.shape, bool)
    for column in range(6):
        rows = np.nonzero(faces.pips[:, column] >= 0)[0]
        pip = faces.pips[rows, column]
        off = points[rows] - pips.centre[pip].astype(np.float32)[:, None, None]
        # Around a lone pip nothing else is close, and its soft edge must not pass for the end of the body.
        times = np.where(faces.value[rows] == 1, 2.2, 1.5)
        reach2 = ((times * pips.radius[pip] + 1) ** 2).astype(np.float32)
        own[rows] |= off[..., 0] ** 2 + off[..., 1] ** 2 < reach2[:, None, None]
    jump = np.zeros(drift.shape, np.int16)
    jump[:, :, 1:-1] = _strongest(np.abs(seen[:, :, 2:] - seen[:, :, :-2]))
    beside_own = own.copy()
    beside_own[:, :, 1:] |= own[:, :, :-1]
    beside_own[:, :, :-1] |= own[:, :, 1:]
    ends_at = [
        (drift > (level * contrast + tuning.BODY_LEVELS_PLUS)[:, None, None]) & ~own for level in tuning.BODY_LEVELS
    ]
    ends_at.append((jump > (tuning.BODY_STEP * contrast + tuning.BODY_LEVELS_PLUS)[:, None, None]) & ~beside_own)
    best = np.full(count, -1.0)
    reach = np.full((count, tuning.BODY_RAYS), _LAST)
    for bad in ends_at:
        bad[:, :, :-1] &= bad[:, :, 1:]  # one stray pixel does not end a body
        ends = np.where(bad.any(axis=2), _STEPS[bad.argmax(axis=2)], _LAST)
        closed = ends < _LAST
        middle = np.where(faces.value == 1, np.median(ends, axis=1), 1.1)
        fair = (closed & (ends > 0.7 * middle[:, None]) & (ends < 1.45 * middle[:, None])).mean(axis=1)
        # Noise ends the rays of a one at its pip's own edge, all alike: no die is that small for its pip.
        fair[middle < tuning.LEAST_REACH] = 0
        better = fair > best + 0.03
        best[better], reach[better] = fair[better], ends[better]
    after = np.minimum(np.searchsorted(_STEPS, reach.ravel()).reshape(reach.shape) + 2, len(_STEPS) - 1)
    step = np.median(np.take_along_axis(drift, after[:, :, None], axis=2)[:, :, 0], axis=1)
    return reach, drift, own, step.astype(np.float64)


def _strongest(levels: NDArray[np.int16]) -> NDArray[np.int16]:
    """The largest of the three channels in the last axis; numpy's own max over so short an axis takes five times as
    long."""
    return np.maximum(np.maximum(levels[..., 0], levels[..., 1]), levels[..., 2])


def _growth(reach: Floats) -> Floats:
    """(M,): by how much the foretold square has to grow to fit the ends of the rays best."""
    best = np.full(len(reach), -np.inf)
    growth = np.ones(len(reach))
    for tried in tuning.GROWTHS:
        place = reach / (tried * _BORDER)
        fit = ((place > 0.88) & (place < 1.16)).mean(axis=1) - (place < 0.88).mean(axis=1) - 0.3 * abs(np.log(tried))
        better = fit > best
        best[better], growth[better] = fit[better], tried
    return growth


def _outlined(half: Floats, reach: Floats) -> Floats:
    """The half axes of a one, from the area and the turn of its outline."""
    turned = np.roll(reach, -1, axis=1)
    area = 0.5 * np.sin(2 * np.pi / tuning.BODY_RAYS) * (reach * turned).sum(axis=1)
    # The outline of a square swings four times a turn: the phase of that wave is its angle.
    wave = (np.minimum(reach, 1.6 * np.median(reach, axis=1, keepdims=True)) * np.exp(4j * _ANGLES)).sum(axis=1)
    turn = np.where(np.abs(wave) > 1e-9, np.angle(-wave) / 4, 0.0)
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = np.stack([np.stack([cos, -sin], axis=1), np.stack([sin, cos], axis=1)], axis=1)
    return np.asarray(half @ rotation * (np.sqrt(area) / 2)[:, None, None])


def _extra(pips: Pips, faces: Faces, colour: Floats, contrast: Floats) -> Indices:
    """(M,): pips of the same kind inside the face that are not its own."""
    off = pips.centre[None] - faces.centre[:, None]
    place = np.abs(np.einsum("mij,mnj->mni", np.linalg.inv(faces.half), off)).max(axis=2)
    radius = mean_of(pips, faces, pips.radius)
    dark = pips.dark[faces.pips[:, 0]]
    same = (place < 0.93) & (pips.dark[None] == dark[:, None])
    same &= (pips.radius[None] > 0.6 * radius[:, None]) & (pips.radius[None] < 1.7 * radius[:, None])
    same &= pips.aspect[None] > 0.72 * mean_of(pips, faces, pips.aspect)[:, None]
    same &= pips.contrast[None] > 0.45 * contrast[:, None]
    same &= np.abs(pips.body[None] - colour[:, None]).max(axis=2) < (0.5 * contrast + 8)[:, None]
    rows = np.nonzero(faces.pips >= 0)
    same[rows[0], faces.pips[rows]] = False
    return np.asarray(same.sum(axis=1), np.intp)
