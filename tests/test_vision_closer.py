"""The first reader's closer look at one place."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray

from vision.closer import look_closer
from vision.read import decide, look


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


@pytest.mark.parametrize("spread", [0.13, 0.16])
@pytest.mark.parametrize(("value", "pip_radius"), [(2, 0.1), (3, 0.06)])
def test_pips_close_together_in_the_middle_of_a_face_are_its_two_or_three(
    value: int, pip_radius: float, spread: float
) -> None:
    image = tray([Drawn(value, 400, 225, pip_radius=pip_radius, spread=spread)])
    plain = look_closer(image, (402.0, 223.0), 62.0, value).plain
    assert int(plain.argmax()) + 1 == value
    assert plain[value - 1] > 0.5


@pytest.mark.parametrize("value", [4, 5, 6])
def test_two_pips_of_a_larger_value_are_no_narrow_two(value: int) -> None:
    image = tray([Drawn(value, 400, 225)])
    for x, y in [(400.0, 225.0), (392.0, 225.0), (400.0, 235.0)]:
        assert look_closer(image, (x, y), 60.0, 2).seen[1] < 0.2


RINGED = {"pip_radius": 0.1, "ring": 0.6}


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("light", [False, True])
def test_pips_that_are_rings_are_pips(value: int, light: bool) -> None:
    colours = {"body": (60, 40, 35), "pip": (235, 235, 235)} if light else {}
    image = tray([Drawn(value, 400, 225, **RINGED, **colours)])
    plain, _, half = look_closer(image, (401.0, 224.0), 62.0, value)
    assert int(plain.argmax()) + 1 == value
    assert plain[value - 1] > 0.5
    assert half is not None
    assert 2 * np.sqrt(abs(np.linalg.det(half))) == pytest.approx(60, rel=0.15)


def test_a_die_of_which_only_a_closer_look_shows_the_pips_leans_where_they_say_so() -> None:
    flat = [Drawn(5, 150, 120, **RINGED), Drawn(4, 330, 300, angle=50, **RINGED), Drawn(6, 520, 140, **RINGED)]
    last = Drawn(5, 650, 320, angle=70, **RINGED)
    level = decide(look(tray([*flat, last])), 4)
    assert level.reading.values == (4, 5, 5, 6)
    assert "cocked" not in level.reading.troubles
    evidence = look(tray([*flat, replace(last, lean=44)]))
    assert any(place.half is not None for place in evidence.places)
    assert "cocked" in decide(evidence, 4).reading.troubles
