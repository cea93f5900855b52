"""What surrounds the pips of a face hypothesis: does one evenly coloured body carry them, and where does it end?

Rays from the middle of the face run outwards until the body's colour ends. A true face is covered by its body, ends
near the sides of the square that its pips foretell (or goes on into side faces), and holds no further pips.
"""

from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Flags, Floats, Indices, det2, inv2, middle_of
from vision.frame import Image
from vision.lattice import Faces, least_of, mean_of
from vision.pips import Pips

Bytes = NDArray[np.uint8]
Bits = NDArray[np.uint32]

_ANGLES = np.arange(tuning.BODY_RAYS) * (2 * np.pi / tuning.BODY_RAYS)
_RAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_STEPS = np.arange(0.12, 2.3, 0.08)  # half sides
_ONE = np.uint32(1)
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
    rays = faces.half @ _RAY.T
    drift, jump = _colours(image, faces.centre, rays, colour)
    lit, dim = _in_light_and_shadow(pips, faces)
    shaded = np.flatnonzero(np.abs(lit - dim).max(axis=1) > tuning.SHADOW_STEP * contrast)
    if len(shaded):
        both = [_colours(image, faces.centre[shaded], rays[shaded], one[shaded])[0] for one in (lit, dim)]
        drift[shaded] = np.minimum(*both)
    own = _own_pips(pips, faces, rays)
    last = _last_steps(faces, contrast, drift, jump, own)
    reach = _STEPS[last]
    ends = faces.centre[:, None] + np.swapaxes(rays, 1, 2) * reach[:, :, None]
    after = np.minimum(last + 2, len(_STEPS) - 1)
    step = middle_of(np.take_along_axis(drift, after[:, :, None], axis=2)[:, :, 0].astype(np.float64))
    one = faces.value == 1
    half = faces.half * _growth(reach)[:, None, None]
    half[one] = _outlined(faces.half[one], reach[one])
    grown = np.sqrt(np.abs(det2(half) / det2(faces.half)))
    faces = Faces(faces.value, faces.pips, faces.centre, half, faces.misfit, faces.stretch)
    relative, border = in_square(faces, ends)
    inside = ((0.85 * grown)[:, None] > _STEPS)[:, None] & ~own
    off = np.minimum(drift, 150) * inside
    uneven = off.sum(axis=(1, 2), dtype=np.int64) / np.maximum(inside.sum(axis=(1, 2)), 1) / contrast
    bodies = Bodies(
        ends=ends,
        reach=relative,
        border=border,
        uneven=uneven,
        extra=_extra(pips, faces, colour, contrast),
        step=step / contrast,
    )
    return faces, bodies


def _in_light_and_shadow(pips: Pips, faces: Faces) -> tuple[Floats, Floats]:
    """(M, 3) colours of the body around the brightest and the dimmest of each face's pips."""
    rows = np.arange(len(faces))
    used = faces.pips >= 0
    light = pips.light[faces.pips]
    brightest = faces.pips[rows, np.where(used, light, -np.inf).argmax(axis=1)]
    dimmest = faces.pips[rows, np.where(used, light, np.inf).argmin(axis=1)]
    return pips.body[brightest], pips.body[dimmest]


def in_square(faces: Faces, ends: Floats) -> tuple[Floats, Floats]:
    """(M, R) how far `ends` (M, R, 2) px lie along their direction, 1 being the border of the face with its rounded
    corners, and (M, R, 2) px of that border."""
    off = ends - faces.centre[:, None]
    across, down = (off @ np.swapaxes(inv2(faces.half), 1, 2)).transpose(2, 0, 1)
    length = np.maximum(np.hypot(across, down), 1e-6)
    corner = np.minimum(length / np.maximum(np.maximum(np.abs(across), np.abs(down)), 1e-6), ROUNDED)
    relative = length / corner
    return relative, faces.centre[:, None] + off / np.maximum(relative, 1e-6)[:, :, None]


def _colours(image: Image, centre: Floats, rays: Floats, colour: Floats) -> tuple[Bytes, Bytes]:
    """(M, R, S) levels by which each step along the rays differs from the body's colour, and (M, R, S) by which the
    steps before and after it differ from one another."""
    count = len(centre)
    across, down = (
        (centre[:, axis, None, None] + rays[:, axis, :, None] * _STEPS).astype(np.float32).reshape(count, -1)
        for axis in (0, 1)
    )
    seen = cv2.remap(image, across, down, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    drift = np.zeros((count, tuning.BODY_RAYS, len(_STEPS)), np.uint8)
    jump = np.zeros_like(drift)
    for channel, levels in enumerate(cv2.split(seen)):
        level: Bytes = np.asarray(levels, np.uint8).reshape(drift.shape)
        body = colour[:, channel].astype(np.uint8)[:, None, None]
        np.maximum(drift, np.maximum(level, body) - np.minimum(level, body), out=drift)
        before, after = level[:, :, :-2], level[:, :, 2:]
        between = jump[:, :, 1:-1]
        np.maximum(between, np.maximum(before, after) - np.minimum(before, after), out=between)
    return drift, jump


def _own_pips(pips: Pips, faces: Faces, rays: Floats) -> Flags:
    """(M, R, S): where the face's own pips lie."""
    # The square of the distance from a pip is a parabola along a ray.
    squared = ((rays**2).sum(axis=1)[:, :, None] * _STEPS**2).astype(np.float32)
    steps = _STEPS.astype(np.float32)
    own = np.zeros(squared.shape, bool)
    for column in range(6):
        rows = np.nonzero(faces.pips[:, column] >= 0)[0]
        if not len(rows):
            break
        pip = faces.pips[rows, column]
        off = faces.centre[rows] - pips.centre[pip]
        along = 2 * np.matmul(off[:, None], rays[rows])[:, 0]
        # Around a lone pip nothing else is close, and its soft edge must not pass for the end of the body.
        times = np.where(faces.value[rows] == 1, 2.2, 1.5)
        limit = (times * pips.radius[pip] + 1) ** 2 - (off**2).sum(axis=1)
        near = squared[rows] + along.astype(np.float32)[:, :, None] * steps
        own[rows] |= near < limit.astype(np.float32)[:, None, None]
    return own


def _last_steps(faces: Faces, contrast: Floats, drift: Bytes, jump: Bytes, own: Flags) -> Indices:
    """(M, R): the step of each ray at which the body ends, by the strictness that ends most rays fairly."""
    count = len(faces)
    own_bits = _bits(own)
    beside_own: Bits = (
        own_bits | np.left_shift(own_bits, 1, dtype=np.uint32) | np.right_shift(own_bits, 1, dtype=np.uint32)
    )
    tries = [(drift, level, own_bits) for level in tuning.BODY_LEVELS]
    tries.append((jump, tuning.BODY_STEP, beside_own))
    ones = np.nonzero(faces.value == 1)[0]
    best = np.full(count, -1.0)
    last = np.full((count, tuning.BODY_RAYS), len(_STEPS) - 1, np.intp)
    for levels, share, but in tries:
        limit = np.clip(np.floor(share * contrast + tuning.BODY_LEVELS_PLUS), 0, 255).astype(np.uint8)
        bad = _bits(levels > limit[:, None, None]) & ~but
        step = _lowest(bad & np.right_shift(bad, _ONE))  # one stray pixel does not end a body
        ends = _STEPS[step]
        middle = np.full(count, 1.1)
        middle[ones] = middle_of(ends[ones])
        fair = ((step < len(_STEPS) - 1) & (ends > 0.7 * middle[:, None]) & (ends < 1.45 * middle[:, None])).mean(
            axis=1
        )
        # Noise ends the rays of a one at its pip's own edge, all alike: no die is that small for its pip.
        fair[middle < tuning.LEAST_REACH] = 0
        better = fair > best + 0.03
        best[better], last[better] = fair[better], step[better]
    return last


def _bits(flags: Flags) -> Bits:
    """(M, R): the flags (M, R, S) of each ray as one number, the first step lowest."""
    packed = np.packbits(flags, axis=2, bitorder="little")
    return packed.view("<u4")[:, :, 0].astype(np.uint32, copy=False)


def _lowest(bits: Bits) -> Indices:
    """(M, R): the lowest bit set, or the last step when there is none before it."""
    lowest = (bits & (~bits + np.uint32(1))).astype(np.float64)
    step = np.frexp(lowest)[1] - 1  # exact: a power of two
    return np.where((bits == 0) | (step >= len(_STEPS)), len(_STEPS) - 1, step).astype(np.intp)


def _growth(reach: Floats) -> Floats:
    """(M,): by how much the foretold square has to grow to fit the ends of the rays best."""
    best = np.full(len(reach), -np.inf)
    growth = np.ones(len(reach))
    for tried in np.arange(*tuning.GROWTHS):
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
    wave = np.minimum(reach, 1.6 * middle_of(reach)[:, None]) @ np.exp(4j * _ANGLES)
    turn = np.where(np.abs(wave) > 1e-9, np.angle(-wave) / 4, 0.0)
    cos, sin = np.cos(turn), np.sin(turn)
    rotation = np.stack([np.stack([cos, -sin], axis=1), np.stack([sin, cos], axis=1)], axis=1)
    return np.asarray(half @ rotation * (np.sqrt(area) / 2)[:, None, None])


def _extra(pips: Pips, faces: Faces, colour: Floats, contrast: Floats) -> Indices:
    """(M,): pips of the same kind inside the face that are not its own."""
    off = pips.centre.T[None] - faces.centre[:, :, None]
    place = np.abs(inv2(faces.half) @ off).max(axis=1)
    radius = mean_of(pips, faces, pips.radius)
    dark = pips.dark[faces.pips[:, 0]]
    same = (place < 0.93) & (pips.dark[None] == dark[:, None])
    same &= (pips.radius[None] > 0.6 * radius[:, None]) & (pips.radius[None] < 1.7 * radius[:, None])
    same &= pips.aspect[None] > 0.72 * mean_of(pips, faces, pips.aspect)[:, None]
    same &= pips.contrast[None] > 0.45 * contrast[:, None]
    for channel in range(3):
        same &= np.abs(pips.body[:, channel] - colour[:, channel, None]) < (0.5 * contrast + 8)[:, None]
    rows = np.nonzero(faces.pips >= 0)
    same[rows[0], faces.pips[rows]] = False
    return np.asarray(same.sum(axis=1), np.intp)
