"""The reader: one picture in, one `Reading` out. Read it from top to bottom; its hard stages are beside it.

working picture → pips → face hypotheses → bodies → joint choice → doubt → reading
"""

from dataclasses import dataclass

import numpy as np

from vision import tuning
from vision.body import Bodies, find_bodies, no_bodies
from vision.choice import Choice, choose, prune
from vision.doubt import Doubt, find_doubt
from vision.lattice import Faces, find_faces, no_faces
from vision.lying import Ground, Lying
from vision.pips import Pips, find_pips, no_pips
from vision.reading import Die, Image, Reading
from vision.working import working_picture


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that was seen in a picture before anything is decided: how many dice there must be plays no part."""

    work: Image
    scale: float
    """Size of the working picture over the size of the original."""
    pips: Pips
    faces: Faces
    bodies: Bodies
    lying: Lying | None = None
    """Where was looked, when not everywhere."""


@dataclass(frozen=True, eq=False)
class Decision:
    """The reading together with what it rests on, for explaining it. Places are px of the working picture."""

    reading: Reading
    evidence: Evidence
    choice: Choice
    doubt: Doubt


def read(image: Image, dice: int | None = None) -> Reading:
    """Read the dice in `image` (H, W, 3) uint8, blue-green-red.

    `dice` is how many there must be, None when nobody knows. The reading is `sure` only when it is safe to score
    without asking. Work and memory are bounded whatever the picture shows; raises nothing for any such array."""
    return decide(look(image), dice).reading


def look(image: Image, lying: Lying | None = None) -> Evidence:
    """Everything up to the decision: pips, the faces they could form, and the bodies around those. Only where `lying`
    says that something lies, where that is known."""
    if min(image.shape[:2]) < tuning.SMALLEST_SIDE or (lying is not None and not len(lying.boxes)):
        return Evidence(image, 1.0, no_pips(), no_faces(), no_bodies(), lying)
    work, scale, within = (*working_picture(image), None) if lying is None else lying.working_picture(image)
    pips = find_pips(work, within)
    faces, bodies = find_bodies(work, pips, prune(pips, find_faces(pips)))
    return Evidence(work, scale, pips, faces, bodies, lying)


def read_tray(image: Image, ground: Ground, dice: int | None = None) -> Decision:
    """As `read`, of a calibrated camera: looks only where something lies, unless that leaves any doubt."""
    lying = ground.lying(image)
    if lying is not None:
        decision = decide(look(image, lying), dice)
        if not len(lying.boxes) or (decision.reading.sure and (dice is not None or _all_hold_dice(lying, decision))):
            return decision
    return decide(look(image), dice)


def _all_hold_dice(lying: Lying, decision: Decision) -> bool:
    """Whether a die was read in every place where something lies."""
    centres = np.array([die.centre for die in decision.reading.dice]).reshape(-1, 2)
    inside = (centres[None] >= lying.boxes[:, None, :2]) & (centres[None] < lying.boxes[:, None, 2:])
    return bool(np.all(np.any(np.all(inside, axis=2), axis=1)))


def decide(evidence: Evidence, dice: int | None = None) -> Decision:
    """Choose the dice among the hypotheses and say what is doubtful about them."""
    pips, faces, bodies = evidence.pips, evidence.faces, evidence.bodies
    choice = choose(pips, faces, bodies, dice)
    doubt = find_doubt(evidence.work, pips, bodies, choice, dice)
    seen = tuple(_die(evidence, choice, doubt, row) for row in range(len(choice.chosen)))
    reading = Reading(dice=seen, troubles=doubt.of_frame, sure=not doubt.of_frame)
    return Decision(reading, evidence, choice, doubt)


def _die(evidence: Evidence, choice: Choice, doubt: Doubt, row: int) -> Die:
    index = choice.chosen[row]
    faces, scale = choice.faces, evidence.scale
    credit = float(choice.credit[index])
    x, y = (faces.centre[index] + 0.5) / scale - 0.5
    side = faces.half[index][:, 0]
    # A leaning die has no face on top: whatever face shows would be a guess.
    readable = credit >= tuning.READABLE and doubt.of_die[row] != "cocked"
    return Die(
        value=int(faces.value[index]) if readable else None,
        centre=(round(float(x), 1), round(float(y), 1)),
        size=round(float(faces.side[index] / scale), 1),
        angle=round(float(np.degrees(np.arctan2(side[1], side[0])) % 90), 1) % 90,
        confidence=round(min(credit, 0.999), 3),
        trouble=doubt.of_die[row],
    )
