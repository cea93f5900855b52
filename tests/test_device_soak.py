"""A few cases of each long run (`make soak`), so that none of them rots and the commonest fault is found at once."""

from pathlib import Path

import pytest
import soak_damage
import soak_fuzz
from soak import Soak, run_some


@pytest.mark.parametrize("soak", soak_damage.SOAKS, ids=lambda soak: soak.name)
def test_a_damaged_state_folder_opens_and_says_so(soak: Soak, tmp_path: Path) -> None:
    counts = run_some(soak, 24, tmp_path)
    assert counts["opened"] == 24
    assert counts["said"]


def test_events_that_are_lost_without_a_word_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(soak_damage, "opened", lambda folder: (soak_damage.events()[:-2], None))
    with pytest.raises(AssertionError, match="2 events lost without a word"):
        soak_damage.flip(3, tmp_path)


@pytest.mark.parametrize("soak", soak_fuzz.SOAKS, ids=lambda soak: soak.name)
def test_a_file_nobody_should_write_is_one_clear_line(soak: Soak, tmp_path: Path) -> None:
    counts = run_some(soak, 1, tmp_path)
    assert counts["refused"]
    assert counts["files"] > counts["refused"]
