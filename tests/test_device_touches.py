"""Random touches, keys and throws at the real session: no fault, no dead button, no refusal without a sentence, and
from wherever a table is, play goes on. See `random_touches.py`, which plays one seed again."""

import pytest
from random_touches import PROGRESS, RandomTable
from state_folder import memory_folder

import rules
from display import layout
from display.golden import LANGUAGES

SCREENS = {"new-game", "play", "result", "idle", *layout.PAGES, *layout.PAGES_OF_A_GAME}
SCREENS |= {"alone", "going", "large", "pad", "write player", "write join", "write team"}
STAGES = {f"phase {phase}" for phase in ("none", "begin", "throw", "choose", "over", "throw-off")}
STAGES |= {"teams in play", "each alone", *(game.id for game in rules.games().values()), *LANGUAGES}
READINGS = {"a die asked", "too many", "too few", "aside", "counting down", "a refusal"}
EVENTS = PROGRESS | {"Held", "Corrected", "Undone", "Redone", "RulesChanged", "PlayerLeft", "PlayerJoined"}
EVENTS |= {"SavedThrowSpent"}


def fumbled(seed: int, steps: int) -> RandomTable:
    """A table in memory: it writes hundreds of events, and no disk is tried here."""
    with memory_folder() as folder:
        table = RandomTable(folder, seed)
        try:
            table.fumble(steps)
        finally:
            table.close()
    return table


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (3, 4))])
def test_random_touches_and_keys_never_break_a_table(seed: int) -> None:
    table = fumbled(seed, 600)
    assert table.happened & PROGRESS


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_fifty_thousand_random_touches_and_keys_reach_everything_there_is() -> None:
    reached: set[str] = set()
    happened: set[str] = set()
    steps = 0
    for seed in range(100, 150):
        table = fumbled(seed, 1000)
        reached |= table.reached
        happened |= table.happened
        steps += table.steps
    assert steps >= 50_000
    wanted = SCREENS | STAGES | READINGS
    assert wanted <= reached, f"never reached: {sorted(wanted - reached)}"
    assert happened >= EVENTS, f"never happened: {sorted(EVENTS - happened)}"


def test_the_same_seed_does_the_same_again() -> None:
    tables = [fumbled(11, 150) for _ in range(2)]
    assert tables[0].deeds == tables[1].deeds
    assert tables[0].session.match == tables[1].session.match


def test_what_fails_names_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("display.standing.pad_room", lambda view: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        fumbled(1, 400)
    assert any("again: python tests/random_touches.py 1 400" in note for note in caught.value.__notes__)
