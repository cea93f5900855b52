"""From the idle screen to the first scored box: how many touches it takes, and the pictures kept of each."""

from pathlib import Path

import numpy as np
import pygame
import pytest
from first_box import walked
from surfaces import colours
from test_display_golden import LEVELS, SHARE

KEPT = Path(__file__).parent.parent / "fixtures" / "screens" / "first-box"


@pytest.mark.parametrize(
    ("walk", "touches"),
    [("camera", 7), ("by-finger", 12)],  # by finger five touches are the dice themselves, and one takes them
)
def test_from_the_idle_screen_to_the_first_scored_box(walk: str, touches: int, tmp_path: Path) -> None:
    """By somebody nobody here knows: at a table with a camera in eight touches at most."""
    table = walked(walk, tmp_path)
    assert table.touches == touches
    assert table.session.match is not None
    assert table.session.match.scores[0].total == 18
    drawn = sorted(path.name for path in tmp_path.glob("*.png"))
    assert drawn == sorted(path.name for path in KEPT.glob(f"{walk}-*.png"))
    for name in drawn:
        again, kept = (colours(pygame.image.load(folder / name)).astype(np.int16) for folder in (tmp_path, KEPT))
        assert float((np.abs(again - kept).max(axis=2) > LEVELS).mean()) < SHARE, name
