"""The first reader's closer look at one place."""

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray

from vision.closer import look_closer


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


def pips_of(die: Drawn) -> list[tuple[float, float]]:
    turn = np.deg2rad(die.angle)
    reach = die.spread * die.side
    across, down = np.cos(turn) - np.sin(turn), np.sin(turn) + np.cos(turn)
    return [(die.x + sign * reach * across, die.y + sign * reach * down) for sign in (-1, 1)]


def test_a_one_is_known_by_its_pip_alone() -> None:
    die = Drawn(1, 400, 225, side=90, pip_radius=0.11)
    assert look_closer(tray([die]), (400.0, 225.0), 90.0, 1)[0][0] > 0.4


@pytest.mark.parametrize("share", [0.75, 0.85, 0.95])
def test_a_pip_of_a_large_two_is_no_one_on_a_smaller_die(share: float) -> None:
    die = Drawn(2, 400, 225, side=260, body=(25, 25, 190), pip=(250, 250, 250), pip_radius=0.11, spread=0.28)
    for place in pips_of(die):
        assert look_closer(tray([die]), place, share * die.side, 1)[0][0] < 0.1


def test_the_pip_of_a_neighbour_does_not_make_a_two_of_a_one() -> None:
    dice = [Drawn(1, 400, 225, angle=0, pip_radius=0.11), Drawn(1, 463, 225, angle=0, pip_radius=0.11)]
    assert look_closer(tray(dice), (400.0, 225.0), 60.0, 1)[0][0] > 0.4
