"""The reader: one picture in, one `Reading` out. Read it from top to bottom; its hard stages are beside it.

working picture → pips → face hypotheses → bodies → the pip reader's choice ┐
picture → the net's faces ─────────────────────────────────────────────────┴→ places → dice taken → doubt → reading
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from vision import tuning
from vision.agree import Taken, Weighed, take
from vision.body import Bodies, find_bodies, no_bodies
from vision.choice import Choice, choose, prune
from vision.doubt import Doubt, find_doubt
from vision.frame import Image
from vision.lattice import find_faces, no_faces
from vision.lying import Ground, Lying
from vision.net import NetReader
from vision.pips import Pips, find_pips, no_pips
from vision.places import Place, find_places
from vision.reading import Die, Reading, Trouble
from vision.working import working_picture


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that both readers saw in a picture before anything is decided: how many dice there must be plays no part.
    `places` are px of the picture given, all else of the working picture."""

    work: Image
    scale: float
    """Size of the working picture over the size of the original."""
    pips: Pips
    bodies: Bodies
    choice: Choice
    places: tuple[Place, ...]
    lying: Lying | None = None
    """Where was looked, when not everywhere."""
    side: float | None = None
    """px of the picture given: how large a die is, where that is known."""


@dataclass(frozen=True, eq=False)
class Decision:
    """The reading together with what it rests on, for explaining it."""

    reading: Reading
    evidence: Evidence
    taken: Taken
    choice: Choice
    """`chosen` are the pip reader's hypotheses behind the dice taken, where it has one."""
    doubt: Doubt


def read(image: Image, dice: int | None = None) -> Reading:
    """Read the dice in `image` (H, W, 3) uint8, blue-green-red.

    `dice` is how many there must be, None when nobody knows. The reading is `sure` only when it is safe to score
    without asking. Work and memory are bounded whatever the picture shows; raises nothing for any such array."""
    return decide(look(image), dice).reading


def look(image: Image, lying: Lying | None = None, side: float | None = None) -> Evidence:
    """Everything up to the decision, by both readers; only where `lying` says that something lies, where that is
    known. `side`, px, is how large a die is, where that is. Not for several threads at a time."""
    if min(image.shape[:2]) < tuning.SMALLEST_SIDE or (lying is not None and not len(lying.boxes)):
        return Evidence(image, 1.0, no_pips(), no_bodies(), choose(no_pips(), no_faces(), no_bodies()), (), lying, side)
    work, scale, within = (*working_picture(image), None) if lying is None else lying.working_picture(image)
    pips = find_pips(work, within)
    faces, bodies = find_bodies(work, pips, prune(pips, find_faces(pips)))
    choice = choose(pips, faces, bodies)
    places = find_places(image, scale, choice, second_reader(), lying)
    return Evidence(work, scale, pips, bodies, choice, tuple(places), lying, side)


def read_tray(image: Image, ground: Ground, dice: int | None = None) -> Decision:
    """As `read`, of a calibrated camera: looks only where something lies, unless that leaves any doubt."""
    lying, side = ground.lying(image), ground.calibration.die
    if lying is not None:
        decision = decide(look(image, lying, side), dice)
        if not len(lying.boxes) or (decision.reading.sure and (dice is not None or _all_hold_dice(lying, decision))):
            return decision
    return decide(look(image, side=side), dice)


def _all_hold_dice(lying: Lying, decision: Decision) -> bool:
    """Whether a die was read in every place where something lies."""
    centres = np.array([die.centre for die in decision.reading.dice]).reshape(-1, 2)
    inside = (centres[None] >= lying.boxes[:, None, :2]) & (centres[None] < lying.boxes[:, None, 2:])
    return bool(np.all(np.any(np.all(inside, axis=2), axis=1)))


@cache
def second_reader() -> NetReader:
    """The nets, loaded at the first picture of the process."""
    return NetReader()


def rest() -> None:
    """Nothing will be read for a while: give back the memory that readings took. Takes some milliseconds."""
    if second_reader.cache_info().currsize:
        second_reader().rest()


def decide(evidence: Evidence, dice: int | None = None) -> Decision:
    """Take the dice among the places and say what is doubtful about them."""
    taken = take(evidence.places, dice, evidence.side)
    rows = [row for one in taken.dice if (row := one.place.rows[one.value - 1]) >= 0]
    choice = replace(evidence.choice, chosen=np.array(rows, np.intp))
    doubt = find_doubt(evidence.work, evidence.scale, evidence.pips, evidence.bodies, choice, taken, dice)
    each = zip(taken.dice, doubt.of_die, doubt.unread, strict=True)
    seen = tuple(_die(one, trouble, unread, evidence) for one, trouble, unread in each)
    reading = Reading(dice=seen, troubles=doubt.of_frame, sure=not doubt.of_frame)
    return Decision(reading, evidence, taken, choice, doubt)


def _die(one: Weighed, trouble: Trouble | None, unread: bool, evidence: Evidence) -> Die:
    row = one.place.rows[one.value - 1]
    x, y = one.place.centre
    size, angle = one.place.size, 0.0
    if row >= 0:  # pips tell place, size and turn better than the net's maps do
        faces, scale = evidence.choice.faces, evidence.scale
        x, y = ((faces.centre[row] + 0.5) / scale - 0.5).tolist()
        size = float(faces.side[row] / scale)
        side = faces.half[row][:, 0]
        angle = float(np.degrees(np.arctan2(side[1], side[0])) % 90)
    return Die(
        value=None if unread else one.value,
        centre=(round(float(x), 1), round(float(y), 1)),
        size=round(size, 1),
        angle=round(angle, 1) % 90,
        confidence=round(min(one.chance / (1 + float(np.exp(-one.standing))), 0.999), 3),
        trouble=trouble,
    )
