"""Plays a short film as the appliance would, and compares what was seen with its truth.

`python tests/short_films.py FOLDER...` tells how films fare that are not in `fixtures/` yet.
"""

import json
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.calibration import Calibration
from vision.cameras import open_camera
from vision.frame import Frame
from vision.lying import Ground, smaller
from vision.reading import Die
from vision.throws import ThrowSeen
from vision.tray import Tray
from vision.watch import Watch

FOLDER = Path(__file__).parent.parent / "fixtures" / "films" / "shorts"
BEFORE_THE_FIRST = 5
"""Frames of the empty tray that every film begins with, at least."""
SAME_DIE = 0.35
"""Sides between where a die is and where it was seen."""


@dataclass(frozen=True)
class Told:
    """A throw as it was told, at a frame counted from 1 as in `film.json`."""

    frame: int
    throw: ThrowSeen


@dataclass
class Outcome:
    """What came of one film. `faults` are lines; `delays` frames from rest to reading, one per throw found; `held` and
    `held_right` count dice in view whose being held was told, and told right."""

    kind: str
    throws: int
    found: int = 0
    sure: int = 0
    held: int = 0
    held_right: int = 0
    delays: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def kind(folder: Path) -> str:
    """The film's script: `hold` of `navy-white-six-hold`."""
    return folder.name.removeprefix(truth(folder)["scene"] + "-").removeprefix("six-")


@cache
def truth(folder: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((folder / "film.json").read_text(encoding="utf-8"))
    return known


def ground(folder: Path) -> Ground:
    """The empty tray as a calibration of this camera would have found it."""
    camera = open_camera(f"recording:{folder}", paced=False)
    frames = [frame.image for frame in (camera.read() for _ in range(BEFORE_THE_FIRST)) if frame is not None]
    film = truth(folder)
    outline = np.array(film["tray"], np.float64)
    tray = Tray("rectangle" if len(outline) == 4 else "round", outline)
    side = float(np.median([_side(die) for throw in film["throws"] for die in throw["dice_truth"]]))
    small = np.array([smaller(frame)[0] for frame in frames], np.float32)
    empty = np.asarray(np.mean(frames, axis=0), np.uint8)
    return Ground(Calibration(camera.name, empty, tray, side, float(small.std(axis=0).mean())))


def play(folder: Path, *, calibrated: bool) -> Outcome:
    """Watch the film with nothing told but how many dice belong to the game and, if `calibrated`, the empty tray."""
    cv2.setNumThreads(1)
    camera = open_camera(f"recording:{folder}", paced=False)
    watch = Watch(truth(folder)["dice"], ground(folder) if calibrated else None)
    told = []
    while (frame := camera.read()) is not None:
        seen = watch.look(frame)
        if seen.throw is not None:
            told.append(Told(_number(frame), seen.throw))
    camera.close()
    return judged(folder, told, calibrated=calibrated)


def judged(folder: Path, told: list[Told], *, calibrated: bool) -> Outcome:
    """`told` against the film's truth. A throw may be told once more under its own number, when it was read better."""
    film = truth(folder)
    rows = film["throws"]
    outcome = Outcome(kind(folder), len(rows))
    ends = [row["from"] for row in rows[1:]] + [10**9]
    number = 0
    for one in told:
        if one.frame < rows[0]["from"]:
            outcome.faults.append(f"frame {one.frame}: a throw before the first one")
    for place, (row, end) in enumerate(zip(rows, ends, strict=True)):
        here = [one for one in told if row["from"] <= one.frame < end]
        whole = place > 0 and _made_whole(rows[place - 1], row, calibrated)
        number += not whole
        where = f"throw {place + 1}"
        if not here:
            outcome.faults.append(f"{where}: not found")
            continue
        outcome.found += 1
        outcome.delays.append(here[0].frame - row["settled"])
        outcome.sure += here[-1].throw.reading.sure
        for one in here:
            if one.throw.number != number:
                outcome.faults.append(f"{where}, frame {one.frame}: has number {one.throw.number}, not {number}")
            outcome.faults += [f"{where}, frame {one.frame}: {line}" for line in _faults(film, row, one, calibrated)]
        _held(outcome, row, here[0])
        number = here[-1].throw.number
    return outcome


def _faults(film: dict[str, Any], row: dict[str, Any], one: Told, calibrated: bool) -> list[str]:
    """What is wrong with a throw, apart from when it came and which dice stayed."""
    faults = []
    reading, outside = one.throw.reading, one.throw.outside
    inside = [die for die in row["dice_truth"] if not (calibrated and die.get("outside"))]
    beside = [die for die in row["dice_truth"] if calibrated and die.get("outside")]
    if reading.sure and reading.values != tuple(sorted(die["value"] for die in inside)):
        faults.append(f"sure of {reading.values}, but there are {sorted(die['value'] for die in inside)}")
    if sorted(die.value or 0 for die in outside) != sorted(die["value"] for die in beside):
        faults.append(f"{[die.value for die in outside]} outside, not {row.get('outside', [])}")
    leaning = row.get("unreadable", 0)
    if leaning and (reading.sure or "cocked" not in (*reading.troubles, *(die.trouble for die in reading.dice))):
        faults.append(f"a die leans, told were {reading.troubles}")
    if row.get("missing") and len(reading.dice) >= film["dice"]:
        faults.append(f"{len(reading.dice)} dice, though {row['missing']} is missing")
    return faults


def _held(outcome: Outcome, row: dict[str, Any], one: Told) -> None:
    """Count which dice are known to have stayed, die by die where they lie."""
    for die, origin in zip(one.throw.reading.dice, one.throw.stayed, strict=True):
        true = _nearest(row, die)
        if true is not None and (true["stayed"] or origin is not None):
            outcome.held += 1
            outcome.held_right += (origin is not None) == true["stayed"]
    seen = [_nearest(row, die) for die in one.throw.reading.dice]
    missed = [die for die in row["dice_truth"] if die["stayed"] and not die.get("outside") and die not in seen]
    outcome.held += len(missed)


def _nearest(row: dict[str, Any], die: Die) -> dict[str, Any] | None:
    """The true die that lies where `die` was seen."""
    apart = [(float(np.hypot(*np.subtract(true["centre"], die.centre))), k) for k, true in enumerate(row["dice_truth"])]
    distance, k = min(apart, default=(np.inf, 0))
    return row["dice_truth"][k] if distance < SAME_DIE * die.size else None


def _made_whole(before: dict[str, Any], row: dict[str, Any], calibrated: bool) -> bool:
    """Was nothing thrown but the dice that leaned or missed the tray? One out of view may as well be held in a hand,
    and where nobody knows the tray none is outside it."""
    missed = [die for die in before["dice_truth"] if die.get("outside") and not die["stayed"]] if calibrated else []
    thrown = sum(not die["stayed"] for die in row["dice_truth"]) + row.get("unreadable", 0)
    wanting = len(missed) + before.get("unreadable", 0)
    return 0 < thrown <= wanting and len(row["stayed"]) == len(before["values"])


def _side(die: dict[str, Any]) -> float:
    corners = np.array(die["corners"])
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def _number(frame: Frame) -> int:
    return frame.number + 1


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for known in (True, False):
            found = play(Path(name), calibrated=known)
            how = "calibrated" if known else "uncalibrated"
            print(
                f"{Path(name).name}, {how}: {found.found} of {found.throws} throws found, {found.sure} sure,"
                f" {found.held_right} of {found.held} held dice right, read after {found.delays} frames"
            )
            print(*(f"    {line}" for line in found.faults), sep="\n", end="\n" if found.faults else "")
