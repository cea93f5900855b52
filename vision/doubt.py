"""Doubt: what speaks against scoring the chosen dice without asking.

Nothing here changes a value. It asks of every die whether its face is clear and unrivalled, and of the frame
whether something is left over that the chosen dice do not explain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision import tuning
from vision.agree import Taken, Weighed, safety
from vision.arrays import Flags, Floats, median
from vision.body import Bodies
from vision.choice import Choice
from vision.frame import Image
from vision.lattice import Faces, mean_of, tilt_of
from vision.level import out_of_level
from vision.pips import Pips
from vision.reading import Trouble


@dataclass(frozen=True)
class Doubt:
    """`of_die`: one trouble or None per die taken; `unread`: whose face on top would be a guess; `of_frame`: the
    troubles of the whole picture, each once."""

    of_die: tuple[Trouble | None, ...]
    unread: tuple[bool, ...]
    of_frame: tuple[Trouble, ...]
    left_pips: tuple[tuple[float, float], ...]
    """Centres (px) of pips of the dice's kind that none of them explains."""
    left_bodies: tuple[tuple[float, float], ...]
    safety: float
    """Log-odds that all is right, by what both readers saw."""
    firm: bool
    """Nothing but a low safety could speak against the frame."""


def find_doubt(
    image: Image, scale: float, pips: Pips, bodies: Bodies, choice: Choice, taken: Taken, dice: int | None
) -> Doubt:
    """What speaks against the dice taken. `image` is the working picture that pips and `choice` were found in, of
    `scale` times the size of the one that the places lie in; `choice.chosen` are the hypotheses behind the dice taken
    that have one."""
    told = dice is not None
    seen = [_Seen.of(one, scale, choice) for one in taken.dice]
    leaning = _leaning(image, choice, seen)
    of_die = [
        _of_die(image, pips, bodies, choice, seen, number, leans=_leans(seen[number], lean), told=told)
        for number, lean in enumerate(leaning)
    ]
    complete = len(seen) == dice and not any(of_die)
    left_pips, left_bodies = _left_over(image, pips, choice, seen, told=told, complete=complete)
    safe = safety(taken, pips_left=bool(left_pips), bodies_left=bool(left_bodies), told=told)
    least = tuning.SAFE if told else tuning.SAFE_UNTOLD
    of_frame: list[Trouble] = []
    if not seen:
        of_frame.append("no-dice")
    if dice is not None and len(seen) != dice:
        of_frame.append("count")
    enough = tuning.LEFT_OVER_STANDING if len(seen) == dice else tuning.LEFT_OVER_STANDING_UNTOLD
    more = any(one.standing > enough and not one.tiny for one in taken.rest)
    more = more or (not told and _plain_pips(pips, choice, left_pips))
    if more:
        of_frame.append("unexplained")
    lacking = dice is None or len(seen) < dice or any(here.die.standing < tuning.READABLE for here in seen)
    at_border = dice is not None and any(_to_border(image, pip) < tuning.CUT_PIP * choice.side for pip in left_pips)
    if lacking and (at_border or any(_cut_by_border(image, one, scale) for one in taken.rest)):
        of_frame.append("cut-off")
    beneath = dice is not None and len(seen) < dice and _body_beneath((*left_pips, *left_bodies), seen)
    if beneath or (lacking and any(_beneath(one, taken.dice) for one in taken.rest)):
        of_frame.append("stacked")
    firm = not of_frame and not any(of_die)
    if safe < least and (left_pips or left_bodies) and not more:
        of_frame.append("unexplained")
    elif safe < least and firm:
        weakest = min(range(len(seen)), key=lambda n: seen[n].die.by_net + seen[n].die.by_pips)
        of_die[weakest] = "touching-unresolved" if _touches(seen, weakest) else "doubtful-face"
    for number, trouble in enumerate(of_die):
        if trouble in ("disagree", "doubtful-face", "touching-unresolved"):
            of_die[number] = _why_unclear(image, seen, number) or trouble
    named = [trouble for trouble in of_die if trouble is not None]
    unread = tuple(
        (here.row >= 0 and lean > (tuning.LEANS_MOST if here.die.agreed else tuning.LEANS_MUCH)) or here.die.partly
        or here.die.standing < tuning.READABLE or here.die.place.unreadable > tuning.UNREADABLE
        for lean, here in zip(leaning, seen, strict=True)
    )  # fmt: skip
    return Doubt(tuple(of_die), unread, tuple(dict.fromkeys((*named, *of_frame))), left_pips, left_bodies, safe, firm)


@dataclass(frozen=True, eq=False)
class _Seen:
    """A die taken, in px of the working picture; `row` is the pip reader's hypothesis of its value, −1 without."""

    die: Weighed
    row: int
    centre: Floats
    half: Floats
    side: float

    @classmethod
    def of(cls, die: Weighed, scale: float, choice: Choice) -> "_Seen":
        row = die.place.rows[die.value - 1]
        if row >= 0:
            faces = choice.faces
            return cls(die, row, faces.centre[row], faces.half[row], float(faces.side[row]))
        side, half = die.place.size * scale, die.shown_half
        shape = np.eye(2) * (side / 2) if half is None else half * scale
        return cls(die, row, np.array(_centre(die, scale)), shape, side)

    @property
    def pips_shown(self) -> bool:
        """Whether pips tell how it lies."""
        return self.row >= 0 or self.die.shown_half is not None

    @property
    def corners(self) -> Floats:
        """(4, 2) of its square."""
        return np.asarray(self.centre + np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ self.half.T)


def _centre(one: Weighed, scale: float) -> tuple[float, float]:
    x, y = one.place.centre
    return (x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5


def _beneath(one: Weighed, dice: Sequence[Weighed]) -> bool:
    """Whether a place left over may be what shows of a die that one of the `dice` lies on."""
    place = one.place
    unlike = abs(one.grown) > tuning.BENEATH_GROWN
    if unlike or one.standing < tuning.BENEATH_STANDING or place.not_a_face > tuning.BENEATH_NO_FACE:
        return False
    return any(
        np.hypot(place.centre[0] - die.place.centre[0], place.centre[1] - die.place.centre[1])
        < tuning.OVERLAP * (place.size + die.place.size) / 2
        for die in dice
    )


def _cut_by_border(image: Image, one: Weighed, scale: float) -> bool:
    """Whether what a place left over shows may be the rest of a die that the picture's border cuts: the second reader
    sees a face there that cannot be read."""
    place = one.place
    if (
        place.not_a_face > tuning.CUT_NO_FACE
        or place.unreadable < tuning.UNREADABLE
        or abs(one.grown) > tuning.CUT_GROWN
    ):
        return False
    return _to_border(image, _centre(one, scale)) < tuning.CUT_BY_NET * place.size * scale / 2


def _to_border(image: Image, place: tuple[float, float]) -> float:
    """px from a place to the picture's nearest border."""
    (x, y), (height, width) = place, image.shape[:2]
    return float(min(x, y, width - 1 - x, height - 1 - y))


def _of_die(
    image: Image, pips: Pips, bodies: Bodies, choice: Choice, seen: Sequence[_Seen], number: int, *, leans: bool,
    told: bool,
) -> Trouble | None:  # fmt: skip
    here = seen[number]
    row, value = here.row, here.die.value
    height, width = image.shape[:2]
    rounded = tuning.CUT if row >= 0 else tuning.CUT_BY_NET
    corners = here.centre + (here.corners - here.centre) * rounded
    if corners.min() < 0 or corners[:, 0].max() > width - 1 or corners[:, 1].max() > height - 1:
        return "cut-off"
    if _brightness(image, here) < tuning.DARK:
        return "dark"
    if leans or here.die.place.unreadable > tuning.UNREADABLE:
        return "cocked"
    others = [other for other in seen if other is not here]
    near = [o for o in others if np.linalg.norm(o.centre - here.centre) < tuning.OVERLAP * (o.side + here.side) / 2]
    if here.die.smaller:  # as much as a die that leans on another, or lies under it, shows of its top
        beneath = any(np.linalg.norm(o.centre - here.centre) < tuning.OVERLAP * o.side for o in others)
        return "stacked" if beneath else "cocked"
    if near:
        return "stacked"
    if not here.die.agreed:
        return "disagree"
    # Where no pips were found from afar nobody knows whether it leans; a face that alone mirrors the lamp may well.
    if row < 0 and _glares(image, seen, number):
        return "glare"
    # Where nobody told how many there are, a die that hardly stands out may be what shows of two, and one of which the
    # second reader's two looks differ a button.
    stands = tuning.READABLE if told else tuning.STANDS_UNTOLD
    face = tuning.NO_FACE if told or here.die.place.agree else tuning.NO_FACE_UNTOLD
    if here.die.standing < stands or here.die.place.not_a_face > face:
        return "doubtful-face"
    # Told how many dice there are, only a face that may be part of a larger one is in doubt; untold also what may show
    # of a die beneath.
    asked = not told or (value <= 4 and here.die.by_net < tuning.BESIDE_BY_NET)
    if row >= 0 and asked and _pips_beside(pips, choice.faces, choice, int(np.nonzero(choice.chosen == row)[0][0])):
        return "doubtful-face" if told or value <= 4 else "stacked"
    if row >= 0 and bodies.extra[row] and here.die.by_net < tuning.EXTRA_BY_NET:
        return "doubtful-face"
    return None


def _leans(here: _Seen, lean: float) -> bool:
    """Whether a die leans, that does so `lean` by its pips: a little more than others do is believed only where the
    second reader, which knows leaning dice, has a doubt."""
    return lean > (tuning.LEANS_MUCH if here.die.very_plain else tuning.LEANS)


def _leaning(image: Image, choice: Choice, seen: Sequence[_Seen]) -> list[float]:
    """How far each of the dice seen leans, as far as their pips show it: beyond `tuning.LEANS` it does."""
    shown = [here for here in seen if here.pips_shown]
    tilts = tilt_of(np.array([here.half for here in shown]).reshape(-1, 2, 2))
    spread = 1 + tuning.TILT_SPREAD_OBLIQUE * float(np.linalg.norm(choice.tilt))
    small = [max(1.0, tuning.TILT_SIDE / here.side) for here in shown]
    allowed = np.array([tuning.TILT_SPREAD[here.die.value] for here in shown]) * spread * small
    centres = np.array([here.centre for here in shown]).reshape(-1, 2)
    off = iter(out_of_level(centres, tilts, allowed, max(image.shape[:2])))
    return [float(next(off)) if here.pips_shown else 0.0 for here in seen]


def _part(image: Image, here: _Seen, reach: float) -> Image:
    """(H, W, 3) the picture around a die's centre, as far as `reach` sides each way; empty outside the picture."""
    x, y = here.centre
    far = reach * here.side
    return image[max(0, int(y - far)) : int(y + far) + 1, max(0, int(x - far)) : int(x + far) + 1]


def _brightness(image: Image, here: _Seen) -> float:
    """Median of the brightest channel within the face, levels."""
    part = _part(image, here, 0.35)
    return median(part.max(axis=2)) if part.size else 0.0


def _blurred(image: Image, here: _Seen) -> bool:
    """Whether no edge around a die is steep in some direction: out of focus, or moved while the shutter was open."""
    part = _part(image, here, 0.75)
    if min(part.shape[:2]) < 3:
        return False
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, (2, 98))
    across, down = (cv2.Sobel(grey, cv2.CV_32F, dx, dy, scale=1 / 8) for dx, dy in ((1, 0), (0, 1)))
    slopes = (across, down, (across + down) / np.sqrt(2), (across - down) / np.sqrt(2))
    steepest = min(float(np.percentile(np.abs(slope), 99.5)) for slope in slopes)
    return bool(high - low > tuning.BLURRED * here.side * steepest)


def _touches(seen: Sequence[_Seen], number: int) -> bool:
    here = seen[number]
    others = [other for other in seen if other is not here]
    return any(np.linalg.norm(o.centre - here.centre) < tuning.TOUCHING * (o.side + here.side) / 2 for o in others)


def _why_unclear(image: Image, seen: Sequence[_Seen], number: int) -> Trouble | None:
    """What in the picture itself spoils a die's face."""
    if _blurred(image, seen[number]):
        return "blurred"
    return "glare" if _glares(image, seen, number) or _burnt(image, seen[number]) else None


def _burnt(image: Image, here: _Seen) -> bool:
    """Whether most of a die's face is as bright as the sensor can tell."""
    part = _face_part(image, here)
    return bool(part.size and float((part > tuning.GLARE_LEVEL).mean()) > tuning.BURNT_FACE)


def _glares(image: Image, seen: Sequence[_Seen], number: int) -> bool:
    """Whether a lamp is mirrored in a die's face."""
    part = _face_part(image, seen[number])
    if not part.size or float((part > tuning.GLARE_LEVEL).mean()) <= tuning.GLARE_SHARE:
        return False
    others = [median(_face_part(image, here)) for n, here in enumerate(seen) if n != number]
    body = median(part)
    return body < tuning.GLARE_BODY or bool(others and median(others) < tuning.GLARE_OTHERS * body)


def _face_part(image: Image, here: _Seen) -> Image:
    """(H, W) the darkest channel within a face, which a glint fills and a colour does not."""
    part = _part(image, here, 0.5)
    return np.asarray(part.min(axis=2) if part.size else np.zeros((0, 0)), np.uint8)


Places = tuple[tuple[float, float], ...]


def _left_over(
    image: Image, pips: Pips, choice: Choice, seen: Sequence[_Seen], *, told: bool, complete: bool
) -> tuple[Places, Places]:
    """Centres (px) of pips, and of bodies, that none of the dice seen explains."""
    if not len(choice.chosen):
        return (), ()
    left = left_over_pips(pips, choice.faces, choice, complete=complete, told=told)
    places = [tuple(pips.centre[index]) for index in np.nonzero(left)[0]]
    bodies = left_over_bodies(image, pips, choice.faces, choice)
    return _unexplained(places, seen), _unexplained(bodies, seen)


def _unexplained(places: Sequence[tuple[float, ...]], seen: Sequence[_Seen]) -> Places:
    """Those that no die lies around which only the second reader saw."""
    others = [here for here in seen if here.row < 0]
    return tuple(
        (float(x), float(y))
        for x, y in places
        if not any(np.hypot(x - o.centre[0], y - o.centre[1]) < tuning.EXPLAINED * o.side for o in others)
    )


def _plain_pips(pips: Pips, choice: Choice, left: Places) -> bool:
    """Whether one of the pips `left` over is as round, as large and as plain as those of the dice taken: then a die was
    missed."""
    if not left:
        return False
    own = choice.faces.pips[choice.chosen]
    own = own[own >= 0]
    off = np.linalg.norm(pips.centre[:, None] - np.array(left)[None], axis=2)
    rows = off.argmin(axis=0)
    plain = (pips.ring[rows] > tuning.PLAIN_RING) & (pips.aspect[rows] > pips.aspect[own].min() - tuning.PLAIN_ASPECT)
    plain &= (pips.wobble[rows] < tuning.PLAIN_WOBBLE) & (
        np.abs(np.log(pips.radius[rows] / median(pips.radius[own]))) < tuning.PLAIN_RADIUS
    )
    return bool((plain & (pips.contrast[rows] > tuning.LEFT_OVER_CONTRAST * median(pips.contrast[own]))).any())


def _body_beneath(places: Places, seen: Sequence[_Seen]) -> bool:
    """With dice missing: is one nearer to the camera, or is something left over so near one that it must lie on a
    die?"""
    side = median([here.side for here in seen]) if seen else 0.0
    if any(here.side > tuning.STACKED_SIDE * side for here in seen):
        return True
    return any(np.linalg.norm(here.centre - np.array(place)) < 1.05 * here.side for place in places for here in seen)


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
