"""Two readers, one throw: what they together take, and how safe it is."""

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray
from hypothesis import given
from hypothesis import strategies as st

from vision import tuning
from vision.agree import Taken, features, safety, take, weigh
from vision.closer import look_closer
from vision.places import Place, closer_first
from vision.training.fit import SIGNS


def place(
    x: float, value: int, *, net: float = 0.9, pips: float = 0.9, size: float = 60.0, score: float = 0.9,
    other: int | None = None, not_a_face: float = 0.02, unreadable: float = 0.01,
) -> Place:  # fmt: skip
    """A face at (x, 100) that the net reads as `value`, and the pip reader as `other` where that is told."""
    by_net = np.full(6, (1 - net) / 5)
    by_net[value - 1] = net
    by_pips = np.zeros(6)
    by_pips[(other or value) - 1] = pips
    return Place((x, 100.0), size, by_pips, by_pips, (-1,) * 6, by_net, score, not_a_face, unreadable, True, (0, 0))


def safe(taken: Taken, told: bool = True) -> float:
    return safety(taken, pips_left=False, bodies_left=False, told=told)


def test_a_lone_die_is_measured_by_the_size_that_dice_are_known_to_have() -> None:
    lone, known = place(300, 1, size=45.0), 90.0
    assert weigh([lone])[0].grown == 0
    assert weigh([lone], known)[0].grown == pytest.approx(np.log(0.5))
    two = [lone, place(500, 3, size=45.0)]
    assert [w.grown for w in weigh(two, known)] == [0, 0], "other dice came into use"


def test_as_many_as_told_are_taken_the_best_first() -> None:
    places = [place(100, 1, score=0.3), place(300, 4), place(500, 6, score=0.95)]
    taken = take(places, 2)
    assert [one.value for one in taken.dice] == [6, 4]
    assert [one.value for one in taken.rest] == [1]


def test_untold_all_that_rather_hold_a_die_are_taken() -> None:
    places = [place(100, 1, score=0.05, pips=0.0, net=0.4, not_a_face=0.9), place(300, 4), place(500, 6)]
    assert sorted(one.value for one in take(places, None).dice) == [4, 6]


def test_two_places_on_one_die_are_one() -> None:
    taken = take([place(300, 5), place(320, 3, score=0.5)], 2)
    assert [one.value for one in taken.dice] == [5]
    assert taken.rest == ()


def test_readers_agree_only_where_the_net_says_the_value_too() -> None:
    assert weigh([place(300, 4, net=0.7)])[0].agreed
    assert not weigh([place(300, 4, net=0.5)])[0].agreed
    assert weigh([place(300, 4, net=0.65, pips=0.9)])[0].agreed, "the pips are all the plainer"
    assert not weigh([place(300, 4, net=0.65, pips=0.6)])[0].agreed


def test_a_spot_of_the_ground_is_no_die_that_was_told() -> None:
    spot = place(500, 1, net=0.3, pips=0.1, score=0.03, not_a_face=0.97)
    assert len(take([place(300, 4), spot], 2).dice) == 1
    assert len(take([place(300, 4), place(500, 1, net=0.3, pips=0.1, score=0.3, not_a_face=0.3)], 2).dice) == 2


def test_touching_dice_are_two() -> None:
    assert len(take([place(300, 5), place(361, 3)], 2).dice) == 2


def test_a_face_of_another_size_than_the_others_stands_lower() -> None:
    dice = [place(100, 1), place(300, 4), place(500, 6)]
    speck = place(700, 1, size=14.0)
    alone, among = weigh([speck])[0], weigh([*dice, speck])[3]
    assert among.standing < alone.standing - 3
    assert all(w.standing == pytest.approx(weigh([w.place])[0].standing) for w in weigh(dice))


@pytest.mark.parametrize("told", [True, False])
def test_readers_that_agree_are_safer_than_one_alone_or_two_that_differ(told: bool) -> None:
    def of(second: Place) -> float:
        return safe(take([place(100, 3), second], 2 if told else None), told)

    both, one, differ = of(place(300, 6)), of(place(300, 6, pips=0.0)), of(place(300, 6, pips=0.4, other=4, net=0.7))
    assert both > tuning.SAFE
    assert both > one > differ


def test_nothing_taken_is_never_safe() -> None:
    assert safe(take([], 5)) == -np.inf
    assert safe(take([], None), told=False) == -np.inf


def test_the_weights_never_reward_what_speaks_against_a_frame() -> None:
    for weights in (tuning.SAFETY, tuning.SAFETY_UNTOLD):
        assert len(weights) == 1 + len(tuning.SAFETY_FEATURES) == 1 + len(SIGNS)
        assert (np.array(weights[1:]) * SIGNS >= 0).all()


@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0.2, 1), st.floats(0, 1), st.floats(15, 200)), max_size=9),
       st.one_of(st.none(), st.integers(1, 6)))  # fmt: skip
def test_any_places_give_an_answer(given_: list[tuple[int, float, float, float]], dice: int | None) -> None:
    places = [place(90 * n, value, net=net, pips=pips, size=size) for n, (value, net, pips, size) in enumerate(given_)]
    taken = take(places, dice)
    assert dice is None or len(taken.dice) <= dice
    assert len(taken.dice) + len(taken.rest) <= len(places)
    if taken.dice:
        found = features(taken, pips_left=True, bodies_left=False)
        assert found.shape == (len(tuning.SAFETY_FEATURES),)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("side", [20.0, 40.0, 120.0])
def test_a_closer_look_reads_the_face_where_it_is_said_to_lie(value: int, side: float) -> None:
    image = tray([Drawn(value, 400, 225, side=side, angle=21)], noise=1.5)
    credit, *_ = look_closer(image, (400 + 0.04 * side, 225 - 0.04 * side), side * 1.08, value)
    assert int(credit.argmax()) + 1 == value
    assert credit.max() > 0.25


def test_a_closer_look_at_nothing_sees_nothing() -> None:
    image = tray([Drawn(5, 100, 100)], noise=1.5)
    assert look_closer(image, (500, 300), 60, 3)[1].max() < 0.1
    assert look_closer(image, (-500, 3000), 60, 3)[1].max() == 0


def test_a_closer_look_is_not_taken_in_by_the_neighbour() -> None:
    image = tray([Drawn(1, 300, 200, angle=0), Drawn(6, 362, 200, angle=0)])
    assert int(look_closer(image, (300, 200), 60, 1)[0].argmax()) + 1 == 1
    assert int(look_closer(image, (362, 200), 60, 6)[0].argmax()) + 1 == 6


def test_pips_as_bright_as_their_body_are_seen_in_one_channel() -> None:
    die = Drawn(5, 400, 225, body=(30, 40, 180), pip=(30, 106, 44))
    image = tray([die], ground=(120, 120, 120), noise=1.0)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    assert abs(int(grey[225, 400]) - int(grey[225, 400 + 12])) < 12
    in_some_looks, by_channel, _ = look_closer(image, (400, 225), 60, 5)
    assert int(by_channel.argmax()) + 1 == 5
    assert int(in_some_looks.argmax()) + 1 == 5
    assert in_some_looks[4] < by_channel[4]  # one of five sees it, by the shade that tells the colours apart


def test_what_was_only_seen_from_afar_yields_to_a_plain_closer_look() -> None:
    far, close = np.array([0, 0, 0, 1.0, 0, 0.2]), np.array([0, 0, 0, 0, 0, 1.0])
    assert closer_first(far, close).tolist() == [0, 0, 0, 0.5, 0, 1.0]
    assert closer_first(far, np.zeros(6)).tolist() == far.tolist()


@pytest.mark.parametrize(
    ("net", "said", "agree"),
    [
        (0.98, {4: 0.03}, True),
        (0.98, {4: 0.03, 2: 0.15}, True),
        (0.98, {2: 0.3}, False),
        (0.9, {4: 0.03}, False),
        (0.98, {}, False),
    ],
)
def test_the_second_reader_alone_is_enough_only_when_it_hardly_doubts_and_the_first_sees_a_trace(
    net: float, said: dict[int, float], agree: bool
) -> None:
    seen = place(100, 4, net=net, pips=0.0, score=0.95)
    for value, credit in said.items():
        seen.pips[value - 1] = credit
    (one,) = weigh([seen])
    assert one.value == 4
    assert one.agreed is agree


@pytest.mark.parametrize("doubt", [{"not_a_face": 0.1}, {"unreadable": 0.1}, {"score": 0.2}])
def test_the_second_reader_alone_is_not_enough_with_any_doubt(doubt: dict[str, float]) -> None:
    (one,) = weigh([place(100, 4, net=0.99, pips=0.05, **doubt)])  # type: ignore[arg-type]
    assert not one.agreed
