"""What is left over in the picture: pips, bodies and places that none of the dice taken explains."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision import tuning
from vision.agree import Weighed
from vision.arrays import Flags, Floats, inv2, median
from vision.choice import Choice
from vision.frame import Image
from vision.lattice import Faces, mean_of
from vision.pips import Pips
from vision.seen import Seen, centre_of

Places = tuple[tuple[float, float], ...]


def left_over(
    image: Image, pips: Pips, choice: Choice, seen: Sequence[Seen], *, told: bool, complete: bool
) -> tuple[Places, Places]:
    """Centres (px) of pips, and of bodies, that none of the dice seen explains."""
    if not len(choice.chosen):
        return ((), ()) if told else (pips_of_another(pips, seen), ())
    left = left_over_pips(pips, choice.faces, choice, complete=complete, told=told)
    places = [tuple(pips.centre[index]) for index in np.nonzero(left)[0]]
    bodies = left_over_bodies(image, pips, choice.faces, choice)
    return _unexplained(places, seen), _unexplained(bodies, seen)


def pips_of_another(pips: Pips, seen: Sequence[Seen]) -> Places:
    """Centres (px) of three and more spots alike that may be pips of one more die, where all dice seen were read by
    closer looks only, which do not tell what their pips look like from afar: rings, as a rule."""
    if not seen:
        return ()
    side = median([here.side for here in seen])
    low, high = tuning.PIP_PER_SIDE
    spots = (pips.ring > tuning.GROUP_RING) & (pips.aspect > 0.6) & (pips.wobble < tuning.PLAIN_WOBBLE)
    spots &= (pips.radius > low * side) & (pips.radius < high * side)
    for here in seen:
        spots &= np.hypot(*(pips.centre - here.centre).T) > tuning.SIDE_FACE_PLACE / 2 * here.side
    return tuple((float(x), float(y)) for x, y in pips.centre[_grouped(pips, spots, side, 3)])


def _unexplained(places: Sequence[tuple[float, ...]], seen: Sequence[Seen]) -> Places:
    """Those that no die lies around which only the second reader saw."""
    others = [here for here in seen if here.row < 0]
    return tuple(
        (float(x), float(y))
        for x, y in places
        if not any(np.hypot(x - o.centre[0], y - o.centre[1]) < tuning.EXPLAINED * o.side for o in others)
    )


def plain_pips(pips: Pips, choice: Choice, left: Places) -> bool:
    """Whether one of the pips `left` over is as round, as large and as plain as those of the dice taken: then a die was
    missed."""
    if not left or not len(choice.chosen):
        return bool(left)
    own = choice.faces.pips[choice.chosen]
    own = own[own >= 0]
    off = np.linalg.norm(pips.centre[:, None] - np.array(left)[None], axis=2)
    rows = off.argmin(axis=0)
    plain = (pips.ring[rows] > tuning.PLAIN_RING) & (pips.aspect[rows] > pips.aspect[own].min() - tuning.PLAIN_ASPECT)
    plain &= (pips.wobble[rows] < tuning.PLAIN_WOBBLE) & (
        np.abs(np.log(pips.radius[rows] / median(pips.radius[own]))) < tuning.PLAIN_RADIUS
    )
    return bool((plain & (pips.contrast[rows] > tuning.LEFT_OVER_CONTRAST * median(pips.contrast[own]))).any())


def body_beneath(places: Places, seen: Sequence[Seen]) -> bool:
    """With dice missing: is one nearer to the camera, or is something left over so near one that it must lie on a
    die?"""
    side = median([here.side for here in seen]) if seen else 0.0
    if any(here.side > tuning.STACKED_SIDE * side for here in seen):
        return True
    return any(np.linalg.norm(here.centre - np.array(place)) < 1.05 * here.side for place in places for here in seen)


def like_a_die(one: Weighed) -> bool:
    """Whether a place left over may be what shows of a die: of their size, and a face perhaps."""
    known = one.standing > tuning.REST_STANDING and abs(one.grown) < tuning.REST_GROWN
    return known and one.place.not_a_face < tuning.REST_NO_FACE


def beneath(one: Weighed, dice: Sequence[Weighed]) -> bool:
    """Whether a place left over may be what shows of a die that one of the `dice` lies on."""
    return like_a_die(one) and any(
        np.hypot(one.place.centre[0] - die.place.centre[0], one.place.centre[1] - die.place.centre[1])
        < tuning.OVERLAP * (one.place.size + die.place.size) / 2
        for die in dice
    )


def pip_at_border(image: Image, pip: tuple[float, float], bodies: Places, side: float, *, told: bool) -> bool:
    """Whether a pip left over is of a die that the border cuts; where nobody told that one is missing, only if there is
    something of a die's colour there too."""
    beside = told or any(np.hypot(pip[0] - body[0], pip[1] - body[1]) < tuning.CUT_BODY * side for body in bodies)
    return beside and _to_border(image, pip) < tuning.CUT_PIP * side


def cut_by_border(image: Image, one: Weighed, scale: float) -> bool:
    """Whether what a place left over shows may be the rest of a die that the picture's border cuts: the second reader
    sees a face there that cannot be read."""
    place = one.place
    if (
        place.not_a_face > tuning.CUT_NO_FACE
        or place.unreadable < tuning.UNREADABLE
        or abs(one.grown) > tuning.CUT_GROWN
    ):
        return False
    return _to_border(image, centre_of(one, scale)) < tuning.CUT_BY_NET * place.size * scale / 2


def _to_border(image: Image, place: tuple[float, float]) -> float:
    """px from a place to the picture's nearest border."""
    (x, y), (height, width) = place, image.shape[:2]
    return float(min(x, y, width - 1 - x, height - 1 - y))


def pips_beside(pips: Pips, faces: Faces, choice: Choice, row: int) -> bool:
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


def more_pips(pips: Pips, here: Seen) -> bool:
    """Do more plain pips, all alike, lie in a face and right beside it than its value has? Then a part was taken for
    the whole."""
    near = np.abs(inv2(here.half) @ (pips.centre - here.centre).T).max(axis=0) < tuning.MORE_REACH
    near &= (pips.ring > tuning.PLAIN_RING) & (pips.wobble < tuning.PLAIN_WOBBLE)
    low, high = tuning.PIP_PER_SIDE
    near &= (pips.radius > low * here.side) & (pips.radius < high * here.side)
    for dark in (True, False):
        rows = np.flatnonzero(near & (pips.dark == dark))
        if len(rows) > here.die.value:
            best = rows[int(pips.contrast[rows].argmax())]
            like = pips.contrast[rows] > tuning.LEFT_OVER_CONTRAST * pips.contrast[best]
            like &= np.abs(np.log(pips.radius[rows] / pips.radius[best])) < tuning.BESIDE_RADIUS
            if like.sum() > here.die.value:
                return True
    return False


def left_over_pips(pips: Pips, faces: Faces, choice: Choice, *, complete: bool, told: bool) -> Flags:
    """(N,): pips of the chosen dice's kind that no chosen face and none of its side faces holds. When as many clear
    faces as told were found the choice is `complete`: then only what could be one more die by itself counts."""
    if not len(choice.chosen):
        return np.zeros(len(pips), bool)
    chosen = faces.pick(choice.chosen)
    of_dice = np.zeros(len(pips), bool)
    of_dice[chosen.pips[chosen.pips >= 0]] = True
    own = np.flatnonzero(of_dice)
    body = mean_of(pips, chosen, pips.body)
    low, high = tuning.LEFT_OVER_RADIUS
    radius = median(pips.radius[own])
    contrast = median(pips.contrast[own])
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
