"""Where two readers agree: of all places the dice are taken, each with its value, and how safe the whole is.

Every place gets a standing, the log-odds that a die lies there, and a value, both from what the two readers say
of it together. How safe the frame is as a whole is a logistic regression over its weakest spots (`tuning.SAFETY`):
the least that either reader gives to a value taken, the most that another value gets, the least standing taken and
the best one left over, sizes that differ. Its weights were fitted on photographs of strangers (`python -m
vision.training fit`), and the threshold set above the highest safety of any frame read wrong, each source judged by
weights fitted on the others. No frame of N was sure and wrong, so at 95 % at most 3 / N are (Hanley & Lippman-Hand,
"If nothing goes wrong, is everything all right?", JAMA 249, 1983)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision import tuning
from vision.arrays import Floats
from vision.places import Place


@dataclass(frozen=True, eq=False)
class Weighed:
    """A place with the value it most likely shows, `chance` (0–1) that a die there shows it, `standing` the log-odds
    that a die lies there, `grown` how far (natural logarithm) its size is from that of the frame's dice."""

    place: Place
    value: int
    chance: float
    standing: float
    grown: float

    @property
    def by_net(self) -> float:
        """Logarithm of the second reader's probability of the value."""
        return float(np.log(self.place.net[self.value - 1] + tuning.NET_FLOOR))

    @property
    def by_pips(self) -> float:
        """Logarithm of the pip reader's credit for the value."""
        return float(np.log(self.place.pips[self.value - 1] + tuning.PIPS_FLOOR))

    @property
    def against(self) -> float:
        """Logarithm of the most credit that the pip reader gives to another value."""
        return float(np.log(np.delete(self.place.pips, self.value - 1).max() + tuning.PIPS_FLOOR))

    @property
    def shown_half(self) -> Floats | None:
        """(2, 2) half axes, px, of the face where a closer look at the pips showed them; else None."""
        return self.place.half if int(self.place.net.argmax()) + 1 == self.value else None

    @property
    def partly(self) -> bool:
        """Whether so small a face, of which so little speaks, can be no whole one."""
        return self.grown < tuning.PARTLY and self.standing < tuning.PARTLY_STANDING

    @property
    def smaller(self) -> bool:
        """Whether it may be what shows of a die that another one covers, or that leans."""
        plain = self.standing >= tuning.SMALLER_STANDING and self.by_net >= tuning.PLAIN_BY_NET
        return self.grown < tuning.SMALLER and not plain

    @property
    def tiny(self) -> bool:
        """Whether it is far too small for a die of these: a pip, a knot of the wood, print."""
        return self.grown < tuning.TINY

    @property
    def very_plain(self) -> bool:
        """Whether the second reader has hardly a doubt: a readable face, lying flat, of this value."""
        place = self.place
        doubt = max(1 - float(place.net[self.value - 1]), place.not_a_face, place.unreadable)
        return place.agree and doubt < tuning.HARDLY and self.standing > tuning.VERY_PLAIN_STANDING

    @property
    def agreed(self) -> bool:
        """Whether both readers see this value there, and one of them plainly or both rather plainly; or the second one
        very plainly, where the pip reader sees a trace of it and hardly anything else."""
        plain, trace = self.place.plain, float(self.place.pips[self.value - 1])
        if self.very_plain and trace > tuning.TRACE and np.delete(plain, self.value - 1).max() < tuning.SILENT:
            return True
        both = (
            int(self.place.net.argmax()) + 1 == self.value
            and self.by_net > tuning.LEAST_BY_NET
            and int(plain.argmax()) + 1 == self.value
            and float(plain.max()) > tuning.SAID
        )
        one = float(plain.max()) > tuning.PLAIN_CREDIT or self.by_net > tuning.PLAIN_BY_NET
        together = float(plain.max() * self.place.net.max())
        if self.by_net < tuning.RATHER_BY_NET and together < tuning.RATHER_TOGETHER:
            return False
        return both and (one or (self.place.agree and together > tuning.PLAIN_TOGETHER))


@dataclass(frozen=True, eq=False)
class Taken:
    """The dice taken, best first, and the places left over."""

    dice: tuple[Weighed, ...]
    rest: tuple[Weighed, ...]


def take(places: Sequence[Place], dice: int | None, side: float | None = None) -> Taken:
    """The `dice` places of the highest standing that exclude no better one; not told, all that rather hold a die
    than not. `side`, px, is how large a die is, where that is known."""
    taken: list[Weighed] = []
    rest: list[Weighed] = []
    for one in sorted(weigh(places, side), key=lambda w: -w.standing):
        if any(_over(one.place, other.place) for other in taken):
            continue
        nothing = bool(taken) and one.standing < tuning.READABLE and one.place.not_a_face > tuning.NOTHING
        wanted = one.standing > tuning.STANDING_UNTOLD if dice is None else len(taken) < dice and not nothing
        (taken if wanted else rest).append(one)
    return Taken(tuple(taken), tuple(rest))


def safety(taken: Taken, *, pips_left: bool, bodies_left: bool, told: bool) -> float:
    """The log-odds that all values are right and, when their number was not told, that no die is missed; −∞ without
    dice. `pips_left` and `bodies_left`: whether the pip reader sees pips or bodies of the dice's kind that none of them
    explains."""
    if not taken.dice:
        return -np.inf
    found = features(taken, pips_left=pips_left, bodies_left=bodies_left)
    right = _log_odds(tuning.SAFETY, found)
    if told:
        return right
    # Frames read wrong untold mostly miss a die: weights fitted on them say little about the values, which must be as
    # safe as those of a frame whose number was told.
    return min(right - tuning.SAFE + tuning.SAFE_UNTOLD, _log_odds(tuning.SAFETY_UNTOLD, found))


def _log_odds(weights: Sequence[float], found: Floats) -> float:
    return float(weights[0] + found @ np.array(weights[1:]))


def weigh(places: Sequence[Place], known: float | None = None) -> list[Weighed]:
    """What the readers together say of each place, in the order given; `known` is the side, px, that dice should
    have."""
    alone = [_alone(place) for place in places]
    side = _shared_size(places, [standing for _, _, standing in alone], known)
    weighed = []
    for place, (value, chance, standing) in zip(places, alone, strict=True):
        grown = float(np.log(place.size / side)) if side else 0.0
        fine = tuning.STANDING_PER_SIZE * max(0.0, -grown - tuning.SIZE_SLACK)
        weighed.append(Weighed(place, value, chance, standing - fine, grown))
    return weighed


def features(taken: Taken, *, pips_left: bool, bodies_left: bool) -> Floats:
    """(len(tuning.SAFETY_FEATURES),) what the safety of a frame with dice is judged by."""
    dice = taken.dice
    return np.array([
        min(w.by_net for w in dice),
        min(w.by_pips for w in dice),
        min(w.by_net + w.by_pips for w in dice),
        max(w.against for w in dice),
        min(float(np.clip(w.standing, -8, 8)) for w in dice),
        float(np.clip(max((w.standing for w in taken.rest if not w.tiny), default=-8.0), -8, 6)),
        max(abs(w.grown) for w in dice),
        max(w.place.unreadable for w in dice),
        max(w.place.not_a_face for w in dice),
        float(any(not w.place.agree for w in dice)),
        float(np.log(min(max(min(w.place.size for w in dice), 8.0), 64.0))),
        float(pips_left),
        float(bodies_left),
    ])  # fmt: skip


def _alone(place: Place) -> tuple[int, float, float]:
    """Value, its chance, and the standing without regard to the other places."""
    weight = np.log(place.net + tuning.NET_FLOOR) + np.log(place.pips + tuning.PIPS_FLOOR)
    chances = np.exp(weight - weight.max())
    chances /= chances.sum()
    start, by_score, by_look, by_pips, by_value, by_agreement = tuning.STANDING
    standing = start + by_score * _odds(place.score) + by_look * _odds(1 - place.not_a_face)
    standing += by_pips * _odds(float(place.pips.max())) + by_value * float(np.log(place.net.max()))
    if place.pips.max() > tuning.SAID and place.pips.argmax() == place.net.argmax():
        standing += by_agreement
    return int(chances.argmax()) + 1, float(chances.max()), standing


def _shared_size(places: Sequence[Place], standings: Sequence[float], known: float | None) -> float | None:
    """The size (px) of the dice that plainly lie there: their median, each weighed by its standing. What is `known`
    says more than one of them, and less than two: other dice may have come into use."""
    pairs = zip(places, standings, strict=True)
    plain = [(p.size, min(s, tuning.SAYS_MOST)) for p, s in pairs if s > tuning.PLAIN_STANDING]
    plain = sorted([*plain, (known, tuning.SAYS_KNOWN)] if known is not None else plain)
    if not plain:
        return None
    weights = np.cumsum([weight for _, weight in plain])
    return plain[int(np.searchsorted(weights, weights[-1] / 2))][0]


def _over(one: Place, other: Place) -> bool:
    off = np.hypot(one.centre[0] - other.centre[0], one.centre[1] - other.centre[1])
    return bool(off < tuning.ONE_DIE * max(one.size, other.size))


def _odds(probability: float) -> float:
    """Log-odds, bounded as nobody is ever certain."""
    p = min(max(probability, tuning.NEVER), 1 - tuning.NEVER)
    return float(np.log(p / (1 - p)))
