"""Doubt: what speaks against scoring the chosen dice without asking.

Nothing here changes a value. It asks of every die whether its face is clear and unrivalled, and of the frame
whether something is left over that the chosen dice do not explain.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Flags, Floats
from vision.body import Bodies
from vision.choice import Choice
from vision.lattice import Faces, least_of, mean_of
from vision.pips import Pips
from vision.reading import Image, Trouble


@dataclass(frozen=True)
class Doubt:
    """`of_die`: one trouble or None per chosen die; `of_frame`: the troubles of the whole picture, each once."""

    of_die: tuple[Trouble | None, ...]
    of_frame: tuple[Trouble, ...]
    left_over: tuple[tuple[float, float], ...]
    """Centres of what is left over, px."""


def find_doubt(image: Image, pips: Pips, bodies: Bodies, choice: Choice, dice: int | None) -> Doubt:
    """What speaks against the choice. `image` is the working picture that the rest was found in."""
    told = dice is not None
    faces = choice.faces
    of_die = tuple(_of_die(image, pips, faces, bodies, choice, row, told) for row in range(len(choice.chosen)))
    of_frame: list[Trouble] = [trouble for trouble in of_die if trouble is not None]
    if not len(choice.chosen):
        of_frame.append("no-dice")
    if dice is not None and len(choice.chosen) != dice:
        of_frame.append("count")
    complete = dice == len(choice.chosen) and bool((choice.credit[choice.chosen] > tuning.CLEAR_CREDIT).all())
    left = left_over_pips(pips, faces, choice, complete=complete, told=told)
    places = [tuple(pips.centre[index]) for index in np.nonzero(left)[0]]
    places += left_over_bodies(image, pips, faces, choice)
    if places or _free_hypothesis(pips, faces, choice, told):
        of_frame.append("unexplained")
    if dice is not None and len(choice.chosen) < dice and _body_beneath(places, faces, choice):
        of_frame.append("stacked")
    return Doubt(of_die, tuple(dict.fromkeys(of_frame)), tuple((float(x), float(y)) for x, y in places))


def _of_die(
    image: Image, pips: Pips, faces: Faces, bodies: Bodies, choice: Choice, row: int, told: bool
) -> Trouble | None:
    index = choice.chosen[row]
    height, width = image.shape[:2]
    square = faces.centre[index] + np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ faces.half[index].T
    if (square.min() < 0) or (square[:, 0].max() > width - 1) or (square[:, 1].max() > height - 1):
        return "cut-off"
    body = mean_of(pips, faces, pips.body)[index]
    if body.max() < tuning.DARK:
        return "dark"
    if bodies.extra[index]:
        return "doubtful-face"
    allowed = tuning.TILT_SPREAD[faces.value[index]] * (
        1 + tuning.TILT_SPREAD_OBLIQUE * float(np.linalg.norm(choice.tilt))
    )
    if np.linalg.norm(faces.tilt[index] - choice.tilt) > allowed:
        return "cocked"
    if _overlaps(faces, choice, row):
        return "stacked"
    spread = tuning.SIZE_SPREAD if told else tuning.SIZE_SPREAD_UNTOLD
    if abs(np.log(faces.side[index] / choice.side)) > spread:
        return "doubtful-face"
    if choice.credit[index] < (tuning.SURE_CREDIT if told else tuning.SURE_CREDIT_UNTOLD):
        return "doubtful-face"
    part_of_more = faces.value[index] <= 4 and _pips_beside(pips, faces, choice, row)
    if part_of_more or _rivalled(faces, choice, row):
        return "doubtful-face"
    return None


def _overlaps(faces: Faces, choice: Choice, row: int) -> bool:
    """Does the face lie over or under another chosen one? Two dice on the ground cannot."""
    index = choice.chosen[row]
    off = np.linalg.norm(faces.centre[choice.chosen] - faces.centre[index], axis=1)
    side = (faces.side[choice.chosen] + faces.side[index]) / 2
    near = off < tuning.OVERLAP * side
    near[row] = False
    return bool(near.any())


def _rivalled(faces: Faces, choice: Choice, row: int) -> bool:
    """Is there a rival as likely as the chosen die, or as all the chosen dice together that it excludes?"""
    excluded = choice.rivals[choice.chosen]
    rivals: Flags = np.asarray(excluded[row].copy())
    rivals[choice.chosen] = False
    own = choice.credit[choice.chosen[row]]
    worth = choice.credit * tuning.VALUE_WORTH[faces.value]
    against = (excluded * worth[choice.chosen][:, None]).sum(axis=0)
    several = excluded.sum(axis=0) > 1
    share = np.where(several, worth / np.maximum(against, 1e-6), choice.credit / max(float(own), 1e-6))
    return bool((share[rivals] > tuning.RIVAL_SHARE).any())


def _pips_beside(pips: Pips, faces: Faces, choice: Choice, row: int) -> bool:
    """Are there pips just like the die's own that lie beside its face and in no other die's face? Then the face may be
    part of a larger one, perhaps with a shadow across it. Pips of a side face are flatter."""
    chosen = faces.pick(choice.chosen)
    own = chosen.pips[row][chosen.pips[row] >= 0]
    place = _places(chosen, pips.centre)
    beside = (place[:, row] < tuning.BESIDE_PLACE) & ~(np.delete(place, row, axis=1) < 1.05).any(axis=1)
    beside[own] = False
    if not beside.any():
        return False
    radius, contrast = float(pips.radius[own].mean()), float(pips.contrast[own].min())
    shape = pips.shape[own].mean(axis=0) / radius
    off = np.abs(pips.shape / pips.radius[:, None, None] - shape).max(axis=(1, 2))
    like = (off < tuning.BESIDE_SHAPE) & (pips.dark == pips.dark[own[0]])
    like &= np.abs(np.log(pips.radius / radius)) < tuning.BESIDE_RADIUS
    like &= pips.contrast > tuning.BESIDE_CONTRAST * contrast
    # Where the corners of dice meet the ground shows as a spot, but a ragged one and not in the pips' own colour.
    like &= pips.wobble < pips.wobble[own].mean() + tuning.BESIDE_WOBBLE
    colour = np.abs(pips.colour - pips.colour[own].mean(axis=0)).max(axis=1)
    like &= colour < tuning.BESIDE_COLOUR * contrast
    return bool((beside & like).any())


def _free_hypothesis(pips: Pips, faces: Faces, choice: Choice, told: bool) -> bool:
    """Is there another likely face that no chosen one excludes? Specks of cloth look like small faint ones: the others
    must be about as large as the dice and about as strong in contrast."""
    if not len(choice.chosen):
        return False
    free: Flags = np.asarray(~choice.rivals[choice.chosen].any(axis=0))
    free[choice.chosen] = False
    contrast = least_of(faces, pips.contrast)
    free &= contrast > tuning.FREE_CONTRAST * np.median(contrast[choice.chosen])
    free &= faces.side > tuning.FREE_SIDE * choice.side
    if not told:
        return bool((choice.alone[free] > tuning.FREE_CREDIT_UNTOLD).any())
    return bool(((choice.credit[free] > tuning.FREE_CREDIT) | (choice.alone[free] > tuning.FREE_ALONE)).any())


def _body_beneath(places: list[tuple[float, ...]], faces: Faces, choice: Choice) -> bool:
    """With dice missing: is one nearer to the camera, or is something left over so near one that it must lie on a
    die?"""
    chosen = faces.pick(choice.chosen)
    if (chosen.side > tuning.STACKED_SIDE * choice.side).any():
        return True
    return any(
        bool((np.linalg.norm(chosen.centre - np.array(place), axis=1) < 1.05 * chosen.side).any()) for place in places
    )


def left_over_pips(pips: Pips, faces: Faces, choice: Choice, *, complete: bool, told: bool) -> Flags:
    """(N,): pips of the chosen dice's kind that no chosen face and none of its side faces holds. When as many clear
    faces as told were found the choice is `complete`: then only what could be one more die by itself counts."""
    if not len(choice.chosen):
        return np.zeros(len(pips), bool)
    chosen = faces.pick(choice.chosen)
    own = np.unique(chosen.pips[chosen.pips >= 0])
    body = mean_of(pips, chosen, pips.body)
    low, high = tuning.LEFT_OVER_RADIUS
    radius = float(np.median(pips.radius[own]))
    contrast = float(np.median(pips.contrast[own]))
    left = (pips.radius > low * radius) & (pips.radius < high * radius) & (pips.ring > tuning.GROUP_RING)
    place = _places(chosen, pips.centre)
    left &= ~(place < tuning.SIDE_FACE_PLACE).any(axis=1)
    left[own] = False
    # Told how many there are, a pair of spots more is no die; untold it may be all that is seen of one.
    fewest = 3 if told else 2
    spots = left & (pips.contrast > tuning.GROUP_CONTRAST * contrast) & (pips.aspect > 0.6)
    group = _grouped(pips, spots, choice.side, fewest)
    left &= (pips.contrast > tuning.LEFT_OVER_CONTRAST * contrast) & (pips.ring > tuning.LEFT_OVER_RING)
    alike = np.abs(pips.body[:, None] - body[None]).max(axis=2) < 2 * tuning.BODY_ALIKE
    same_pole = pips.dark[:, None] == pips.dark[chosen.pips[:, 0]][None]
    left &= (alike & same_pole).any(axis=1)
    if complete:
        return _grouped(pips, left & (pips.aspect > 0.6), choice.side, fewest)
    return np.asarray(left | group)


def _grouped(pips: Pips, which: Flags, side: float, fewest: int) -> Flags:
    """Those of `which` that are at least `fewest` alike within a face: pips of a die in glare or shadow, whatever the
    colour around them."""
    rows = np.nonzero(which)[0]
    apart = np.linalg.norm(pips.centre[rows][:, None] - pips.centre[rows][None], axis=2)
    radius = pips.radius[rows]
    like = (apart < 0.95 * side) & (pips.dark[rows][:, None] == pips.dark[rows][None])
    like &= np.abs(np.log(radius[:, None] / radius[None])) < 0.35
    grouped = np.zeros(len(which), bool)
    grouped[rows[like.sum(axis=1) >= fewest]] = True
    return grouped


def _places(faces: Faces, points: Floats) -> Floats:
    """(N, M): how far each of `points` (N, 2) lies from each face's centre, in its half sides (square norm)."""
    off = points[:, None] - faces.centre[None]
    return np.asarray(np.abs(np.einsum("mij,nmj->nmi", np.linalg.inv(faces.half), off)).max(axis=2))


def left_over_bodies(image: Image, pips: Pips, faces: Faces, choice: Choice) -> list[tuple[float, ...]]:
    """Centres (px) of die-sized patches of a chosen die's colour where no chosen die lies: a die without a face."""
    if not len(choice.chosen):
        return []
    chosen = faces.pick(choice.chosen)
    colours = mean_of(pips, chosen, pips.body)
    step = max(1, int(choice.side / 14))
    small = cv2.resize(image, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    mask = np.zeros(small.shape[:2], np.uint8)
    for colour in colours:
        # A dark body's shades lie closer together, and shadows are dark too.
        reach = min(tuning.BODY_ALIKE, 5 + 0.2 * float(colour.max()))
        low, high = np.clip(colour - reach, 0, 255), np.clip(colour + reach, 0, 255)
        mask |= np.asarray(cv2.inRange(small, low, high), np.uint8)
    for half, centre in zip(chosen.half, chosen.centre, strict=True):
        corners = (centre + np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ half.T * 1.45 + 0.5) / step - 0.5
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), (0,))
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask)
    side = choice.side / step
    found = []
    for index in range(1, count):
        _, _, wide, high_, area = stats[index]
        if area > tuning.BODY_AREA * side**2 and max(wide, high_) < 2.2 * side and area > 0.45 * wide * high_:
            found.append(tuple((middles[index] + 0.5) * step - 0.5))
    return found
