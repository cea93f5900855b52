"""The first reader's closer look: one place cut out and enlarged, so that a face too small, too faint or too
crowded to be found in the whole picture is found where somebody else says that one lies.

Only place and size are taken from elsewhere; the value comes from the pips alone."""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Floats, Grey
from vision.body import find_bodies
from vision.choice import choose, prune, ramp
from vision.frame import Image
from vision.lattice import find_faces
from vision.net import shrunk
from vision.pips import Pips, alike_in_shadow, find_pips

VALUES = range(1, 7)


class Closer(NamedTuple):
    """What a closer look for a face of one `expected` value sees.

    `seen` (6,) is the credit, 0–1, of the values 1–6; `plain` (6,) the same without what shows in single colour
    channels only. `half` (2, 2) are the half axes, px of the picture, of the face of the expected value as its pips
    show them best, None where none does."""

    plain: Floats
    seen: Floats
    half: Floats | None


def look_closer(image: Image, centre: tuple[float, float], size: float, expected: int) -> Closer:
    """How much speaks for a face of value 1–6 with sides of about `size` px around `centre` of `image`. Where little
    speaks for the value `expected` there, each colour channel is looked at by itself: red pips on blue are as bright as
    it is. That helps to read a die, but pips are made of shades there too.

    Where the first look names another value, `plain` gives none to `expected`: what others then see there helps to
    read the die, but contradicts. Not so where pips are rings, whose middles look like pips of another value."""
    part = _cut_out(image, centre, size, tuning.CLOSER_FACE)
    looks = [_look(part, tuning.CLOSER_FACE)]
    first = seen = looks[0].credit
    if not _plainly(first, expected):
        looks += _other_looks(image, part, centre, size)
        seen = np.mean([look.credit for look in looks], axis=0)
    if expected == 1:
        seen[0] = max(float(seen[0]), tuning.LONE * _lone(part, looks[0].pips, tuning.CLOSER_FACE))
    rings = False
    if not _plainly(seen, expected):
        filled = _filled_looks(part)
        rings = any(_alone(look.credit, expected) for look in filled)
        # Filled, other spots may pass for pips too: of other values these looks say nothing.
        seen[expected - 1] = max(seen[expected - 1], *(look.credit[expected - 1] for look in filled))
        looks += filled
    plain = seen.copy()
    if int(first.argmax()) != expected - 1 and float(first.max()) > tuning.CONTRADICTS and not rings:
        plain[expected - 1] = 0.0
    for channel in range(3):
        if seen[expected - 1] >= tuning.PLAIN_CREDIT:
            break
        looks.append(_look(_all_alike(part[..., channel]), tuning.CLOSER_FACE))
        seen = np.maximum(seen, looks[-1].credit)
    best = max(looks, key=lambda look: float(look.credit[expected - 1]))
    half = best.half[expected - 1] * (size / best.face)
    return Closer(plain, seen, half if best.credit[expected - 1] > tuning.SHOWN else None)


def _alone(credit: Floats, expected: int) -> bool:
    """Whether the expected value is plain and hardly anything speaks for another."""
    return _plainly(credit, expected) and float(np.delete(credit, expected - 1).max()) < tuning.SILENT


@dataclass(frozen=True, eq=False)
class _Look:
    """`credit` (6,) of the values in a cutting with a face of `face` px; `half` (6, 2, 2), px of it, of the hypothesis
    behind each; `pips` all it holds."""

    credit: Floats
    half: Floats
    face: float
    pips: Pips


def _plainly(credit: Floats, expected: int) -> bool:
    return int(credit.argmax()) == expected - 1 and float(credit[expected - 1]) >= tuning.PLAIN_CREDIT


def _other_looks(image: Image, part: Image, centre: tuple[float, float], size: float) -> list[_Look]:
    """Looks that glints, grain and blur mislead in other ways: what is really there most of them see, what they make
    up each makes up by itself."""
    nearer = [_look(_cut_out(image, centre, size, face), face) for face in tuning.CLOSER_FACES]
    calm = [np.asarray(cv2.medianBlur(other, blur), np.uint8) for other, blur in ((part, 3), (_in_one_shade(part), 5))]
    return nearer + [_look(smooth, tuning.CLOSER_FACE) for smooth in calm]


def _filled_looks(part: Image) -> list[_Look]:
    """Looks at pips that are rings, or whose middle a glint, a dot or an inlay has taken: what a pip's rim encloses is
    given the rim's shade, for dark pips and for light ones."""
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    return [
        _look(_all_alike(filled), tuning.CLOSER_FACE) for filled in (_filled(grey), np.invert(_filled(np.invert(grey))))
    ]


def _all_alike(channel: Grey) -> Image:
    return np.repeat(channel[..., None], 3, axis=2)


def _filled(grey: Grey) -> Grey:
    """`grey` without light patches smaller than a pip, each as dark as what encloses it: an area opening (Vincent,
    "Morphological area openings and closings for grayscale images", 1992), by steps of some levels."""
    filled = grey.copy()
    most = tuning.FILLED_AREA * tuning.CLOSER_FACE**2
    for level in range(int(grey.max()), int(grey.min()), -tuning.FILLED_LEVELS):
        lighter = np.asarray(filled >= level, np.uint8)
        _, label, stats, _ = cv2.connectedComponentsWithStats(lighter, connectivity=4)
        enclosed = stats[:, cv2.CC_STAT_AREA] < most
        enclosed[0] = False  # what is darker
        filled[enclosed[label]] = level - 1
    return filled


def _in_one_shade(part: Image) -> Image:
    """The picture grey, by the mixture of channels in which the colours of the face in its middle differ most: their
    first principal component, stretched to the full range."""
    middle, reach = len(part) // 2, int(0.36 * tuning.CLOSER_FACE)
    inside = slice(middle - reach, middle + reach)
    colours = part[inside, inside].reshape(-1, 3).astype(np.float64)
    mean = colours.mean(axis=0)
    axis = np.linalg.eigh((colours - mean).T @ (colours - mean))[1][:, -1]
    axis = axis if axis.sum() >= 0 else -axis
    shade = (part - mean) @ axis
    low, high = np.percentile(shade[inside, inside], (1, 99))
    grey = np.clip((shade - low) * (200 / max(high - low, tuning.CLOSER_FLAT)) + 25, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def _lone(part: Image, pips: Pips, size: float) -> float:
    """Credit, 0–1, of a one in the middle of the cutting by its pip alone, whose body is lost in a lamp's glint or in
    the dark: round, plain, as large as one, in the middle of a face of `size` px, and no second like it in the face,
    nor farther away on the same unbroken body: the face may be larger than it was taken for."""
    if not len(pips):
        return 0.0
    off = np.linalg.norm(pips.centre - (len(part) / 2 - 0.5), axis=1) / size
    credit = ramp(pips.aspect, *tuning.LONE_ASPECT) * ramp(pips.ring, *tuning.LONE_RING)
    credit *= ramp(pips.wobble, *tuning.LONE_WOBBLE) * ramp(pips.contrast, *tuning.FAINT)
    low, high = tuning.LONE_PER_SIDE
    share = pips.radius / size
    credit *= ramp(share, low, low * 1.4) * ramp(share, high, high * 0.8) * ramp(off, *tuning.LONE_OFF)
    best = int(credit.argmax())
    apart = np.linalg.norm(pips.centre - pips.centre[best], axis=1) / size
    second = (apart > tuning.LONE_OWN) & (apart < tuning.LONE_APART) & (pips.dark == pips.dark[best])
    second &= np.abs(np.log(pips.radius / pips.radius[best])) < tuning.LONE_RADIUS
    second &= pips.contrast > tuning.GROUP_CONTRAST * pips.contrast[best]
    if second.any() or _on_one_body(part, pips, best, apart):
        return 0.0
    return float(credit[best])


def _on_one_body(part: Image, pips: Pips, one: int, apart: Floats) -> bool:
    """Whether another pip just like `one` lies beyond the face, `apart` (N,) faces away, with nothing but the body's
    colour between the two."""
    like = (apart >= tuning.LONE_APART) & (apart < tuning.LONE_FAR) & (pips.dark == pips.dark[one])
    like &= np.abs(np.log(pips.radius / pips.radius[one])) < tuning.LONE_LIKE
    shaded = alike_in_shadow(pips)[one]
    like &= (pips.wobble < tuning.LONE_WOBBLE[1]) & (
        (pips.contrast > tuning.BESIDE_CONTRAST * pips.contrast[one]) | shaded
    )
    for other in np.flatnonzero(like).tolist():
        way = np.linspace(0, 1, 24)[:, None] * (pips.centre[other] - pips.centre[one]) + pips.centre[one]
        edges = [
            np.linalg.norm(way - pips.centre[pip], axis=1) > tuning.LONE_RIM * pips.radius[pip] for pip in (one, other)
        ]
        x, y = np.rint(way[edges[0] & edges[1]]).astype(np.intp).T
        between = part[y.clip(0, len(part) - 1), x.clip(0, part.shape[1] - 1)].astype(np.float32)
        if not len(between):
            continue
        low, high = (end(pips.body[one], pips.body[other]) for end in (np.minimum, np.maximum))
        outside, steps = np.maximum(between - high, low - between), np.abs(np.diff(between, axis=0))
        if outside.max() < 2 * tuning.BODY_ALIKE and (shaded[other] or steps.max(initial=0.0) < tuning.BODY_ALIKE):
            return True
    return False


def _look(part: Image, size: float) -> _Look:
    """What speaks for a face of `size` px in the middle of the cutting."""
    pips = find_pips(part)
    faces, bodies = find_bodies(part, pips, prune(pips, find_faces(pips, size)))
    choice = choose(pips, faces, bodies)
    of_values, halves = np.zeros(6), np.zeros((6, 2, 2))
    if not len(choice.faces):
        return _Look(of_values, halves, size, pips)
    off = np.linalg.norm(choice.faces.centre - (len(part) / 2 - 0.5), axis=1) / size
    grown = np.abs(np.log(choice.faces.side / size))
    centred = np.where(choice.faces.value == 1, ramp(off, *tuning.LONE_OFF), ramp(off, *tuning.CLOSER_OFF))
    credit = choice.alone * centred * ramp(grown, *tuning.CLOSER_GROWN)
    for value in VALUES:
        rows = np.nonzero(choice.faces.value == value)[0]
        if len(rows):
            best = rows[int(credit[rows].argmax())]
            of_values[value - 1], halves[value - 1] = credit[best], choice.faces.half[best]
    return _Look(of_values, halves, size, pips)


def _cut_out(image: Image, centre: tuple[float, float], size: float, face: float) -> Image:
    """(N, N, 3) with the face in its middle, `face` px wide; the picture's border is repeated."""
    scale = face / size
    side = int(tuning.CLOSER_ACROSS * face)
    reach = tuning.CLOSER_ACROSS * size / 2 + 2
    x0, y0 = max(0, int(centre[0] - reach)), max(0, int(centre[1] - reach))
    part = image[y0 : int(centre[1] + reach) + 2, x0 : int(centre[0] + reach) + 2]
    if part.shape[0] < 2 or part.shape[1] < 2:
        return np.zeros((side, side, 3), np.uint8)
    x, y = centre[0] - x0, centre[1] - y0
    if scale < 0.7:  # shrink by areas first: a warp alone would skip pixels
        tall, wide = part.shape[:2]
        part = shrunk(part, scale)
        across, down = part.shape[1] / wide, part.shape[0] / tall
        x, y, scale = (x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5, 1.0
    middle = side / 2 - 0.5
    matrix = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
    how = cv2.INTER_CUBIC if scale > 1.3 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(part, matrix, (side, side), flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)
