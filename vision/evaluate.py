"""Counting how well readings fit their labels. Pure: no picture is read here."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from vision.labels import Label
from vision.reading import Die, Reading

Confusion = tuple[tuple[int, ...], ...]
"""Six rows, one per true face; columns are the faces read as, the seventh: not read."""


@dataclass(frozen=True)
class Case:
    """One labelled photograph and its reading. `ms` and `decode_ms` are the times of reading and decoding it, `safety`
    the log-odds that the reading is right, −∞ where something else already forbids to be sure."""

    name: str
    folder_name: str
    label: Label
    reading: Reading
    ms: float
    decode_ms: float
    safety: float = -math.inf

    @property
    def exact(self) -> bool:
        """All readable faces right and nothing more; with unreadable dice in it the reading must not be sure."""
        return self.values_right and not (self.label.unreadable and self.reading.sure)

    @property
    def values_right(self) -> bool:
        return self.reading.values == tuple(sorted(self.label.values))

    @property
    def dice_right(self) -> int:
        return sum((Counter(self.reading.values) & Counter(self.label.values)).values())

    @property
    def missing_troubles(self) -> tuple[str, ...]:
        """Troubles that the reading had to name and did not."""
        return tuple(trouble for trouble in self.label.troubles if trouble not in self.reading.troubles)


@dataclass(frozen=True)
class Tally:
    """Counts over photographs; `ms` and `decode_ms` are medians (0 without photographs)."""

    frames: int
    exact: int
    dice: int
    dice_right: int
    sure_and_right: int
    sure_and_wrong: int
    ms: float
    decode_ms: float


@dataclass(frozen=True)
class Evaluation:
    total: Tally
    sets: dict[str, Tally]
    tiers: dict[str, Tally]
    confusion: Confusion


def evaluate(cases: Sequence[Case]) -> Evaluation:
    """Count everything that `tallytray evaluate` answers."""
    return Evaluation(
        total=tally(cases),
        sets=_by(cases, lambda case: case.folder_name),
        tiers=_by(cases, lambda case: case.label.tier),
        confusion=confusion(cases),
    )


def tally(cases: Sequence[Case]) -> Tally:
    return Tally(
        frames=len(cases),
        exact=sum(case.exact for case in cases),
        dice=sum(len(case.label.values) for case in cases),
        dice_right=sum(case.dice_right for case in cases),
        sure_and_right=sum(case.reading.sure and case.exact for case in cases),
        sure_and_wrong=sum(case.reading.sure and not case.exact for case in cases),
        ms=round(median([case.ms for case in cases]), 2) if cases else 0.0,
        decode_ms=round(median([case.decode_ms for case in cases]), 2) if cases else 0.0,
    )


def confusion(cases: Iterable[Case]) -> Confusion:
    """What each labelled face was read as, from the dice whose boxes are known."""
    counts = [[0] * 7 for _ in range(6)]
    for case in cases:
        label = case.label
        if label.boxes is None or label.faces is None:
            continue
        free = list(case.reading.dice)
        for face, box in zip(label.faces, label.boxes, strict=True):
            die = _nearest(free, box)
            if die is not None:
                free.remove(die)
            if face is not None:
                read = die.value if die is not None else None
                counts[face - 1][6 if read is None else read - 1] += 1
    return tuple(tuple(row) for row in counts)


@dataclass(frozen=True)
class Point:
    """Were every reading sure whose safety is above `least` (log-odds): how many would be right, how many wrong."""

    least: float
    sure_and_right: int
    sure_and_wrong: int


def curve(cases: Sequence[Case], steps: Sequence[float]) -> tuple[Point, ...]:
    """What asking more seldom would cost."""
    points = []
    for least in steps:
        sure = [case for case in cases if case.safety > least]
        right = sum(
            case.reading.values == tuple(sorted(case.label.values)) and not case.label.unreadable for case in sure
        )
        points.append(Point(least, right, len(sure) - right))
    return tuple(points)


def at_most(wrong: int, frames: int) -> float:
    """The upper 95 % bound (Clopper & Pearson, Biometrika 26, 1934) of the share of frames that are sure and wrong,
    when `wrong` of `frames` were: with none it is 1 − 0.05^(1/frames), about 3 / frames."""
    if wrong >= frames:
        return 1.0
    low, high = wrong / frames, 1.0
    for _ in range(60):
        share = (low + high) / 2
        few = sum(math.comb(frames, k) * share**k * (1 - share) ** (frames - k) for k in range(wrong + 1))
        low, high = (share, high) if few > 0.05 else (low, share)
    return high


def worst(cases: Sequence[Case], count: int) -> list[Case]:
    """The `count` cases that most want looking at: sure and wrong first, then by wrong dice, then by doubt."""

    def badness(case: Case) -> tuple[bool, int, float]:
        wrong = max(len(case.label.values), len(case.reading.values)) - case.dice_right
        doubt = 1 - min((die.confidence for die in case.reading.dice), default=0.0)
        return case.reading.sure and not case.exact, wrong, doubt

    return sorted(cases, key=badness, reverse=True)[:count]


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """The object that `evaluate --json` prints."""
    return {
        **vars(evaluation.total),
        "sets": {name: vars(found) for name, found in evaluation.sets.items()},
        "tiers": {name: vars(found) for name, found in evaluation.tiers.items()},
        "confusion": [list(row) for row in evaluation.confusion],
    }


def _by(cases: Sequence[Case], key: Callable[[Case], str]) -> dict[str, Tally]:
    groups: defaultdict[str, list[Case]] = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return {name: tally(groups[name]) for name in sorted(groups)}


def _nearest(dice: Sequence[Die], box: tuple[float, float, float, float]) -> Die | None:
    """The die whose centre lies in `box`, the one nearest to its middle."""
    x0, y0, x1, y1 = box
    inside = [die for die in dice if x0 <= die.centre[0] <= x1 and y0 <= die.centre[1] <= y1]
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    return min(
        inside,
        key=lambda die: (die.centre[0] - middle[0]) ** 2 + (die.centre[1] - middle[1]) ** 2,
        default=None,
    )
