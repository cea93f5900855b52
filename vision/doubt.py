"""Doubt: what speaks against scoring the chosen dice without asking.

Nothing here changes a value. It asks of every die whether its face is clear and unrivalled, and of the frame
whether something is left over that the chosen dice do not explain.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision import tuning
from vision.body import Bodies
from vision.choice import Choice
from vision.lattice import Faces, mean_of
from vision.pips import Flags, Floats, Pips
from vision.reading import Image, Trouble


@dataclass(frozen=True)
class Doubt:
    """`of_die`: one trouble or None per chosen die; `of_frame`: the troubles of the whole picture, each once."""

    of_die: tuple[Trouble | None, ...]
    of_frame: tuple[Trouble, ...]
    left_over: tuple[tuple[float, float], ...]
    """Centres of what is left over, px."""


def find_doubt(image: Image, pips: Pips, faces: Faces, bodies: Bodies, choice: Choice, dice: int | None) -> Doubt:
    """What speaks against the choice. `image` is the working picture that the rest was found in."""
    told = dice is not None
    of_die = tuple(_of_die(image, pips, faces, bodies, choice, row, told) for row in range(len(choice.chosen)))
    of_frame: list[Trouble] = [trouble for trouble in of_die if trouble is not None]
    if not len(choice.chosen):
        of_frame.append("no-dice")
    if dice is not None and len(choice.chosen) != dice:
        of_frame.append("count")
    left = left_over_pips(pips, faces, choice)
    places = [tuple(pips.centre[index]) for index in np.nonzero(left)[0]]
    places += left_over_bodies(image, pips, faces, choice)
    if places or _free_hypothesis(faces, choice, told):
        of_frame.append("unexplained")
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
    if np.linalg.norm(faces.tilt[index] - choice.tilt) > tuning.TILT_SPREAD:
        return "cocked"
    spread = tuning.SIZE_SPREAD if told else tuning.SIZE_SPREAD_UNTOLD
    if abs(np.log(faces.side[index] / choice.side)) > spread:
        return "doubtful-face"
    if choice.credit[index] < (tuning.SURE_CREDIT if told else tuning.SURE_CREDIT_UNTOLD):
        return "doubtful-face"
    rivals = choice.rivals[index].copy()
    rivals[choice.chosen] = False
    if rivals.any() and choice.credit[rivals].max() > tuning.RIVAL_SHARE * choice.credit[index]:
        return "doubtful-face"
    return None


def _free_hypothesis(faces: Faces, choice: Choice, told: bool) -> bool:
    """Is there another likely face that no chosen one excludes?"""
    if not len(choice.chosen):
        return False
    free: Flags = np.asarray(~choice.rivals[choice.chosen].any(axis=0))
    free[choice.chosen] = False
    limit = tuning.FREE_CREDIT if told else tuning.FREE_CREDIT_UNTOLD
    return bool((choice.credit[free] > limit).any())


def left_over_pips(pips: Pips, faces: Faces, choice: Choice) -> Flags:
    """(N,): pips of the chosen dice's kind that no chosen face and none of its side faces holds."""
    if not len(choice.chosen):
        return np.zeros(len(pips), bool)
    chosen = faces.pick(choice.chosen)
    own = np.unique(chosen.pips[chosen.pips >= 0])
    body = mean_of(pips, chosen, pips.body)
    low, high = tuning.LEFT_OVER_RADIUS
    radius = float(np.median(pips.radius[own]))
    left = (pips.radius > low * radius) & (pips.radius < high * radius)
    left &= pips.contrast > tuning.LEFT_OVER_CONTRAST * np.median(pips.contrast[own])
    left &= pips.ring > tuning.LEFT_OVER_RING
    alike = np.abs(pips.body[:, None] - body[None]).max(axis=2) < 2 * tuning.BODY_ALIKE
    same_pole = pips.dark[:, None] == pips.dark[chosen.pips[:, 0]][None]
    left &= (alike & same_pole).any(axis=1)
    left[own] = False
    place = _places(chosen, pips.centre)
    left &= ~(place < tuning.SIDE_FACE_PLACE).any(axis=1)
    return np.asarray(left)


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
        low, high = np.clip(colour - tuning.BODY_ALIKE, 0, 255), np.clip(colour + tuning.BODY_ALIKE, 0, 255)
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
