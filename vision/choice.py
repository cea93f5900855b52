"""The joint choice: which hypotheses together explain the frame, with one die size shared by all.

Each hypothesis gets a credit from 0 to 1 for how much it looks like the top face of a die by itself; then the frame's
die size, the rivals that claim the same pips or the same place, and the told count decide.
"""

from dataclasses import dataclass

import numpy as np

from vision import tuning
from vision.body import Bodies
from vision.lattice import Faces, least_of, mean_of, most_of
from vision.pips import Flags, Floats, Indices, Pips


@dataclass(frozen=True, eq=False)
class Choice:
    """`chosen` rows of the hypotheses taken, best first; `credit` (M,) of all, the frame's die size included;
    `rivals` (M, M) which exclude each other; `side` the frame's die size in px (0 when nothing was found)
    and `tilt` (2,) its foreshortening as in `Faces.tilt`."""

    chosen: Indices
    credit: Floats
    rivals: Flags
    side: float
    tilt: Floats


def ramp(x: Floats, low: float | Floats, high: float | Floats) -> Floats:
    """0 at `low`, 1 at `high`, straight between; `low` may be the larger."""
    return np.clip((x - low) / (np.asarray(high) - low), 0.0, 1.0)


def prune(pips: Pips, faces: Faces) -> Faces:
    """The hypotheses whose pips alone make sense, at most `tuning.FACES_AT_MOST` of each value: only their
    bodies are looked at."""
    credit = pip_credit(pips, faces)
    rank = credit * np.sqrt(np.minimum(least_of(faces, pips.contrast), 100))
    rank[credit < tuning.CREDIT_WORTH_A_LOOK] = -1
    kept = []
    for value, limit in enumerate(tuning.FACES_AT_MOST):
        of_value = np.nonzero((faces.value == value) & (rank > 0))[0]
        kept.append(of_value[np.argsort(-rank[of_value], kind="stable")[:limit]])
    return faces.pick(np.concatenate(kept))


def pip_credit(pips: Pips, faces: Faces) -> Floats:
    """(M,): do these pips lie and look like the pips of one face?"""
    value = faces.value
    radius = mean_of(pips, faces, pips.radius)
    credit = 1 - ramp(faces.misfit, 0.07, 0.2)
    credit *= ramp(mean_of(pips, faces, pips.aspect), 0.42, 0.66)
    credit *= 0.2 + 0.8 * ramp(least_of(faces, pips.contrast), *tuning.FAINT)
    credit *= ramp(mean_of(pips, faces, pips.ring), 0.5, 0.78)
    credit *= 1 - 0.9 * ramp(mean_of(pips, faces, pips.wobble), 0.08, 0.2)
    credit *= 1 - 0.95 * ramp(most_of(faces, pips.radius) / least_of(faces, pips.radius), 1.28, 1.7)
    credit *= ramp(least_of(faces, pips.contrast) / most_of(faces, pips.contrast), 0.38, 0.7)
    share = radius / faces.side
    low, high = tuning.PIP_PER_SIDE
    credit *= np.where(value == 1, 1.0, ramp(share, low, low * 1.4) * ramp(share, high, high * 0.8))
    trust = np.clip(radius / tuning.TRUSTED_RADIUS, 0, 1)
    square = tuning.SQUARE[0] * trust + tuning.SQUARE[1] * (1 - trust)
    loose = np.where(value == 6, tuning.SIX_NARROW, square)
    return credit * np.where(value >= 4, 1 - ramp(faces.stretch, 0.78 * loose, 1.1 * loose), 1.0)


def body_credit(faces: Faces, bodies: Bodies) -> Floats:
    """(M,): is there a body of that size and colour under the pips?"""
    value = faces.value
    credit = ramp(bodies.covered, 0.68, 0.95) * (0.12 + 0.88 * ramp(bodies.ended, 0.25, 0.7))
    credit *= np.array([1.0, 0.3, 0.08, 0.02])[np.minimum(bodies.extra, 3)]
    credit *= 1 - 0.8 * ramp(bodies.uneven, 0.15, 0.5)
    opposite = np.abs(bodies.reach[:, : tuning.BODY_RAYS // 2] - bodies.reach[:, tuning.BODY_RAYS // 2 :])
    lop = np.minimum(opposite, 1.0).mean(axis=1)
    one = ramp(bodies.ended, 0.6, 0.92) * (1 - ramp(lop, 0.15, 0.5)) * ramp(bodies.step, 0.15, 0.4)
    one *= np.where(bodies.reach.max(axis=1) > 1.9, 0.5, 1.0)
    few = 1 - 0.8 * ramp(lop, 0.25, 0.6)
    credit *= ramp(faces.side, *tuning.SMALLEST_DIE)
    return credit * np.where(value == 1, one, np.where(value <= 3, few, 1.0))


def whole_credit(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """(M,): a face whose pips are all part of a larger face that fits too is most likely that larger face."""
    larger = pip_credit(pips, faces) * ramp(bodies.covered, 0.6, 0.85) * (1 - ramp(bodies.uneven, 0.15, 0.5))
    has = np.zeros((len(faces), len(pips)), np.float32)
    rows = np.nonzero(faces.pips >= 0)
    has[rows[0], faces.pips[rows]] = 1
    size = has.sum(axis=1)
    part = (has @ has.T >= size[:, None]) & (size[None] > size[:, None])
    return np.asarray(1 - 0.9 * np.where(part, larger[None], 0).max(axis=1))


def choose(pips: Pips, faces: Faces, bodies: Bodies, dice: int | None) -> Choice:
    """Take the best hypotheses that do not exclude each other: `dice` of them when told, else all with credit."""
    if not len(faces):
        return Choice(np.zeros(0, np.intp), np.zeros(0), np.zeros((0, 0), bool), 0.0, np.zeros(2))
    alone = pip_credit(pips, faces) * body_credit(faces, bodies) * whole_credit(pips, faces, bodies)
    side = _shared_side(pips, faces, alone)
    rivals = _rivals(faces)
    tilt = _shared_tilt(pips, faces, alone)
    off = np.abs(np.log(faces.side / side))
    credit = alone * (1 - 0.85 * ramp(off, 0.18, 0.6))
    credit *= 1 - 0.93 * ramp(np.linalg.norm(faces.tilt - tilt, axis=1), 0.25, 0.7)
    worth = credit * tuning.VALUE_WORTH[faces.value]
    floor = tuning.CREDIT_UNTOLD if dice is None else tuning.CREDIT_TOLD
    chosen: list[int] = []
    gone = np.zeros(len(faces), bool)
    for index in np.argsort(-worth, kind="stable"):
        if credit[index] < floor or (dice is not None and len(chosen) == dice):
            break
        if not gone[index]:
            chosen.append(int(index))
            gone |= rivals[index]
    return Choice(np.array(chosen, np.intp), credit, rivals, side, tilt)


def _say(pips: Pips, faces: Faces, credit: Floats) -> Floats:
    """How much each hypothesis has to say about what the frame's dice share: many strong pips say most."""
    weight = credit**2 * faces.value * np.minimum(least_of(faces, pips.contrast), 100)
    return np.asarray(weight * np.array([0.0, 0.15, 0.4, 1.0, 1.0, 1.0, 1.0])[faces.value])


def _shared_side(pips: Pips, faces: Faces, credit: Floats) -> float:
    """The side that the credible hypotheses vote for, those of many strong pips most."""
    weight = _say(pips, faces, credit)
    log = np.log(faces.side)
    votes = (np.exp(-0.5 * ((log[:, None] - log[None]) / 0.15) ** 2) * weight[None]).sum(axis=1)
    return float(faces.side[int(votes.argmax())])


def _shared_tilt(pips: Pips, faces: Faces, credit: Floats) -> Floats:
    """(2,): the foreshortening that the top faces of the frame share, as they all lie level in one picture."""
    tilt = faces.tilt
    weight = _say(pips, faces, credit) * np.exp(-0.5 * (np.linalg.norm(tilt, axis=1) / 0.4) ** 2)
    apart = np.linalg.norm(tilt[:, None] - tilt[None], axis=2)
    votes = (np.exp(-0.5 * (apart / 0.15) ** 2) * weight[None]).sum(axis=1)
    near = np.exp(-0.5 * (apart[int(votes.argmax())] / 0.15) ** 2) * weight
    return np.asarray((tilt * near[:, None]).sum(axis=0) / max(float(near.sum()), 1e-9))


def _rivals(faces: Faces) -> Flags:
    """(M, M): two hypotheses exclude each other when they share a pip or their faces overlap."""
    apart = np.linalg.norm(faces.centre[:, None] - faces.centre[None], axis=2)
    side = faces.side
    rivals = apart < 0.84 * (side[:, None] + side[None]) / 2
    for one in range(6):
        for other in range(6):
            shared = faces.pips[:, one][:, None] == faces.pips[:, other][None]
            rivals |= shared & (faces.pips[:, one] >= 0)[:, None]
    np.fill_diagonal(rivals, False)
    return np.asarray(rivals)
