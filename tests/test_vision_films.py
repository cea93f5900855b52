"""The gate on the short films: every throw found, none invented, the held dice known, what is wrong named, and soon."""

from collections import defaultdict
from pathlib import Path

import pytest
from short_films import FOLDER, Outcome, kind, play, truth

from vision.labels import load_film

FILMS = sorted(path.parent for path in FOLDER.glob("*/film.json"))
QUICK = ("hold", "in-hand", "outside", "cocked", "pushed", "passing")
FIRST_OF_KIND = {name: folder for folder in reversed(FILMS) if (name := kind(folder)) in QUICK}
SLOWEST = 5
"""Frames from rest to reading."""

pytestmark = pytest.mark.skipif(not FILMS, reason="installed without the recordings")


def faults(folder: Path, outcome: Outcome) -> list[str]:
    late = [f"read {delay} frames after rest" for delay in outcome.delays if delay > SLOWEST]
    held = [f"{outcome.held_right} of {outcome.held} held dice right"] * (outcome.held_right < outcome.held)
    return [f"{folder.name}: {line}" for line in (*outcome.faults, *late, *held)]


@pytest.mark.parametrize("folder", FIRST_OF_KIND.values(), ids=FIRST_OF_KIND)
def test_one_film_of_some_kinds(folder: Path) -> None:
    assert faults(folder, play(folder, calibrated=True)) == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("calibrated", [True, False])
def test_every_film(calibrated: bool) -> None:
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    wrong = []
    for folder in FILMS:
        outcome = play(folder, calibrated=calibrated)
        kinds[outcome.kind].append(outcome)
        wrong += [f"{folder.name}: {line}" for line in outcome.faults]
    every = [outcome for outcomes in kinds.values() for outcome in outcomes]
    print("\nkind        films throws found sure held-right slowest")
    for name, outcomes in [*sorted(kinds.items()), ("all", every)]:
        print(f"{name:12}{len(outcomes):5}{_told(outcomes)}")
    assert wrong == []
    assert sum(one.held_right for one in every) >= 0.99 * sum(one.held for one in every)
    assert max(delay for one in every for delay in one.delays) <= SLOWEST
    assert sum(one.sure for one in every) >= 0.7 * sum(one.throws for one in every)


def _told(outcomes: list[Outcome]) -> str:
    counts = [sum(getattr(one, name) for one in outcomes) for name in ("throws", "found", "sure", "held_right", "held")]
    throws, found, sure, right, held = counts
    slowest = max((delay for one in outcomes for delay in one.delays), default=0)
    return f"{throws:7}{found:6}{sure:5}{right:5}/{held:<5}{slowest:7}"


@pytest.mark.parametrize("folder", FILMS, ids=lambda folder: folder.name)
def test_the_truth_fits_itself(folder: Path) -> None:
    """What was held shows the same face afterwards, and the throws come one after the other."""
    throws = load_film(folder).throws
    assert throws
    for before, now, row in zip(throws, throws[1:], truth(folder)["throws"][1:], strict=False):
        held = [before.values[index] for index in now.stayed if index is not None]
        assert held == sorted(die["value"] for die in row["dice_truth"] if die["stayed"])
        assert before.begins < before.settled <= now.begins < now.settled
