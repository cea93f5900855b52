"""Doubt: what speaks against scoring the chosen dice without asking.

Nothing here changes a value. It asks of every die whether its face is clear and unrivalled, and of the frame
whether something is left over that the chosen dice do not explain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision import tuning
from vision.agree import Taken, safety
from vision.body import Bodies
from vision.choice import Choice
from vision.frame import Image
from vision.lattice import tilt_of
from vision.left_over import (
    Places,
    beneath,
    body_beneath,
    cut_by_border,
    left_over,
    like_a_die,
    more_pips,
    pip_at_border,
    pips_beside,
    plain_pips,
)
from vision.level import out_of_level, out_of_slope
from vision.pips import Pips
from vision.reading import Trouble
from vision.seen import Seen
from vision.spoilt import blurred, brightness, burnt, glares


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
    seen = [Seen.of(one, scale, choice) for one in taken.dice]
    leaning, aslant = _leaning(image, choice, seen), _aslant(image, seen)
    of_die = [
        _of_die(image, pips, bodies, choice, seen, number, leaning=leaning[number], aslant=aslant[number], told=told)
        for number in range(len(seen))
    ]
    complete = len(seen) == dice and not any(of_die)
    left_pips, left_bodies = left_over(image, pips, choice, seen, told=told, complete=complete)
    safe = safety(taken, pips_left=bool(left_pips), bodies_left=bool(left_bodies), told=told)
    least = tuning.SAFE if told else tuning.SAFE_UNTOLD
    of_frame: list[Trouble] = []
    if not seen:
        of_frame.append("no-dice")
    if dice is not None and len(seen) != dice:
        of_frame.append("count")
    enough = tuning.LEFT_OVER_STANDING if len(seen) == dice else tuning.LEFT_OVER_STANDING_UNTOLD
    more = any(one.standing > enough and not one.tiny for one in taken.rest)
    more = more or (not told and plain_pips(pips, choice, left_pips))
    if more:
        of_frame.append("unexplained")
    if dice is None or len(seen) < dice or any(here.die.standing < tuning.READABLE for here in seen):
        of_frame += _of_missing(image, scale, choice, taken, seen, left_pips, left_bodies, dice)
    firm = not of_frame and not any(of_die)
    if safe < least and (left_pips or left_bodies) and not more:
        of_frame.append("unexplained")
    elif safe < least and firm:
        weakest = min(range(len(seen)), key=lambda n: seen[n].die.by_net + seen[n].die.by_pips)
        of_die[weakest] = "touching-unresolved" if _touches(seen, weakest) else "doubtful-face"
    for number, trouble in enumerate(of_die):
        hardly = trouble is not None and seen[number].die.standing < tuning.READABLE
        if hardly or trouble in ("disagree", "doubtful-face", "touching-unresolved"):
            of_die[number] = _why_unclear(image, seen, number) or trouble
    named = [trouble for trouble in of_die if trouble is not None]
    unread = tuple(
        (trouble == "cocked" and here.row >= 0 and lean > (tuning.LEANS_MOST if here.die.agreed else tuning.LEANS_MUCH))
        or here.die.partly or here.die.standing < tuning.READABLE or here.die.place.unreadable > tuning.UNREADABLE
        for lean, trouble, here in zip(leaning, of_die, seen, strict=True)
    )  # fmt: skip
    return Doubt(tuple(of_die), unread, tuple(dict.fromkeys((*named, *of_frame))), left_pips, left_bodies, safe, firm)


def _of_missing(
    image: Image, scale: float, choice: Choice, taken: Taken, seen: Sequence[Seen], left_pips: Places,
    left_bodies: Places, dice: int | None,
) -> list[Trouble]:  # fmt: skip
    """Why dice may be missing, where some are or nobody told how many there are: what the border cuts, a lamp hides or
    another die covers."""
    told = dice is not None
    found: list[Trouble] = []
    cut = any(pip_at_border(image, pip, left_bodies, choice.side, told=told) for pip in left_pips)
    if cut or any(cut_by_border(image, one, scale) for one in taken.rest):
        found.append("cut-off")
    if any(like_a_die(one) and burnt(image, Seen.of(one, scale, choice)) for one in taken.rest):
        found.append("glare")
    plain = [here for here in seen if here.die.standing >= tuning.READABLE]
    held_up = dice is not None and len(plain) < dice and body_beneath((*left_pips, *left_bodies), plain)
    if held_up or any(beneath(one, taken.dice) for one in taken.rest):
        found.append("stacked")
    return found


def _of_die(
    image: Image, pips: Pips, bodies: Bodies, choice: Choice, seen: Sequence[Seen], number: int, *, leaning: float,
    aslant: float, told: bool,
) -> Trouble | None:  # fmt: skip
    here = seen[number]
    row, value = here.row, here.die.value
    height, width = image.shape[:2]
    rounded = tuning.CUT if row >= 0 else tuning.CUT_BY_NET
    corners = here.centre + (here.corners - here.centre) * rounded
    if corners.min() < 0 or corners[:, 0].max() > width - 1 or corners[:, 1].max() > height - 1:
        return "cut-off"
    if brightness(image, here) < tuning.DARK:
        return "dark"
    # Where no pips tell whether it leans, a face that alone mirrors the lamp may well.
    if not here.pips_shown and glares(image, seen, number):
        return "glare"
    if _leans(here, leaning, aslant) or here.die.place.unreadable > tuning.UNREADABLE:
        return "cocked"
    others = [other for other in seen if other is not here]
    near = [o for o in others if np.linalg.norm(o.centre - here.centre) < tuning.OVERLAP * (o.side + here.side) / 2]
    # As much as shows of a die that leans on another or lies under it.
    beneath = any(np.linalg.norm(o.centre - here.centre) < tuning.OVERLAP * o.side for o in others)
    if here.die.partly or (here.die.smaller and (beneath or aslant > tuning.LEANS_LITTLE)):
        return "stacked" if beneath else "cocked"
    if near:
        return "stacked"
    if not here.die.agreed:
        return "disagree"
    # Where nobody told how many there are, a die that hardly stands out may be what shows of two, and one of which the
    # second reader's two looks differ a button.
    stands = tuning.READABLE if told else tuning.STANDS_UNTOLD
    face = tuning.NO_FACE if told or here.die.place.agree else tuning.NO_FACE_UNTOLD
    hardly = not told and here.die.standing < tuning.FIRM_UNTOLD and here.die.place.not_a_face > tuning.NO_FACE_HARDLY
    if hardly or here.die.standing < stands or here.die.place.not_a_face > face:
        return "doubtful-face"
    # Told how many dice there are, only a face that may be part of a larger one is in doubt; untold also what may show
    # of a die beneath.
    asked = not told or (value <= 4 and here.die.by_net < tuning.BESIDE_BY_NET)
    if row >= 0 and asked and pips_beside(pips, choice.faces, choice, int(np.nonzero(choice.chosen == row)[0][0])):
        return "doubtful-face" if told or value <= 4 else "stacked"
    if row < 0 and here.pips_shown and more_pips(pips, here):
        return "doubtful-face"
    if row >= 0 and bodies.extra[row] and here.die.by_net < tuning.EXTRA_BY_NET:
        return "doubtful-face"
    return None


def _leans(here: Seen, by_pips: float, by_net: float) -> bool:
    """Whether a die leans, by its pips and by how aslant the second reader sees it. Both must see it where four
    pips and more can tell: pips alone are misled by a picture's perspective, the second reader by two dice in line."""
    many = here.pips_shown and here.die.value > 3
    if here.pips_shown and here.die.value > 1:
        if by_net > tuning.LEANS_BY_NET and by_pips > (tuning.LEANS_BY_PIPS if many else tuning.LEANS_BY_FEW):
            return True
        if by_net > tuning.LEANS_LITTLE and by_pips > tuning.LEANS_MUCH:
            return True
    return by_pips > tuning.LEANS_MOST if many else by_net > tuning.LEANS_ALONE


def _aslant(image: Image, seen: Sequence[Seen]) -> list[float]:
    """By what slope each of the dice seen is off level, as the second reader sees them."""
    centres = np.array([here.centre for here in seen]).reshape(-1, 2)
    aslant = np.array([here.die.place.aslant for here in seen]).reshape(-1, 2)
    return [float(off) for off in out_of_slope(centres, aslant, max(image.shape[:2]))]


def _leaning(image: Image, choice: Choice, seen: Sequence[Seen]) -> list[float]:
    """How far each of the dice seen leans, as far as their pips show it: beyond 1 more than level ones do
    in a view that they share."""
    shown = [here for here in seen if here.pips_shown]
    tilts = tilt_of(np.array([here.half for here in shown]).reshape(-1, 2, 2))
    spread = 1 + tuning.TILT_SPREAD_OBLIQUE * float(np.linalg.norm(choice.tilt))
    small = [max(1.0, tuning.TILT_SIDE / here.side) for here in shown]
    allowed = np.array([tuning.TILT_SPREAD[here.die.value] for here in shown]) * spread * small
    centres = np.array([here.centre for here in shown]).reshape(-1, 2)
    off = iter(out_of_level(centres, tilts, allowed, max(image.shape[:2])))
    return [float(next(off)) if here.pips_shown else 0.0 for here in seen]


def _touches(seen: Sequence[Seen], number: int) -> bool:
    here = seen[number]
    others = [other for other in seen if other is not here]
    return any(np.linalg.norm(o.centre - here.centre) < tuning.TOUCHING * (o.side + here.side) / 2 for o in others)


def _why_unclear(image: Image, seen: Sequence[Seen], number: int) -> Trouble | None:
    """What in the picture itself spoils a die's face."""
    if blurred(image, seen[number]):
        return "blurred"
    return "glare" if glares(image, seen, number) or burnt(image, seen[number]) else None
