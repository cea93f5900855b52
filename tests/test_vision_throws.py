"""Throws from readings: pure, no picture."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from vision.reading import Die, Reading
from vision.throws import Throws, TrayState, match

SIDE = 50.0


def die(value: int | None, x: float, y: float) -> Die:
    return Die(value, (x, y), SIDE, 0, 0.99)


def reading(*dice: Die, sure: bool = True) -> Reading:
    if not dice:
        return Reading((), ("no-dice",), False)
    return Reading(dice, () if sure else ("doubtful-face",), sure)


A, B, C = die(3, 100, 100), die(5, 300, 100), die(1, 500, 300)


def moved(one: Die, x: float, y: float = 0, value: int | None = None) -> Die:
    return replace(one, centre=(one.centre[0] + x, one.centre[1] + y), value=value or one.value)


def begun() -> Throws:
    """Three dice thrown into an empty tray."""
    throws = Throws()
    assert throws.at_rest(reading()) == (TrayState.EMPTY, None)
    state, throw = throws.at_rest(reading(A, B, C))
    assert state is TrayState.SETTLED
    assert throw is not None
    assert (throw.number, throw.stayed) == (1, (None, None, None))
    return throws


def test_what_lay_there_before_anything_happened_is_no_throw() -> None:
    throws = Throws()
    assert throws.at_rest(reading(A, B)) == (TrayState.SETTLED, None)
    _, throw = throws.at_rest(reading(A, moved(B, 200)))
    assert throw is not None
    assert throw.stayed == (0, None)


def test_the_same_dice_again_are_no_throw() -> None:
    throws = begun()
    for again in (reading(C, A, B), reading(moved(A, 4, -5), B, C), reading(A, B, moved(C, 20, 15))):
        assert throws.at_rest(again) == (TrayState.SETTLED, None)


def test_taking_dice_away_is_no_throw_but_throwing_them_is() -> None:
    throws = begun()
    assert throws.at_rest(reading(A)) == (TrayState.SETTLED, None)
    _, throw = throws.at_rest(reading(die(6, 200, 200), A, die(2, 400, 50)))
    assert throw is not None
    assert (throw.number, throw.stayed) == (2, (None, 0, None))


def test_a_die_that_was_gone_and_shows_the_same_face_close_by_was_thrown() -> None:
    throws = begun()
    throws.at_rest(reading(A, B))
    _, throw = throws.at_rest(reading(A, B, moved(C, 14)))
    assert throw is not None
    assert throw.stayed == (0, 1, None)


def test_dice_a_hand_covered_for_a_while_come_back() -> None:
    throws = begun()
    throws.at_rest(reading(A))
    assert throws.at_rest(reading(A, moved(B, 1), moved(C, -2, 1))) == (TrayState.SETTLED, None)


def test_a_thrown_die_may_push_a_held_one() -> None:
    throws = begun()
    now = reading(A, moved(B, 45, 20), die(4, 700, 200))
    _, throw = throws.at_rest(now, in_place=frozenset({0, 1}))
    assert throw is not None
    assert throw.stayed == (0, 1, None)


def test_a_die_taken_up_before_the_others_moved_was_not_pushed() -> None:
    throws = begun()
    _, throw = throws.at_rest(reading(A, moved(B, 45, 20), die(4, 700, 200)), in_place=frozenset({0}))
    assert throw is not None
    assert throw.stayed == (0, None, None)


def test_a_die_that_lands_where_one_was_taken_up_was_thrown() -> None:
    throws = begun()
    _, throw = throws.at_rest(reading(A, moved(B, 9), die(4, 700, 200)), in_place=frozenset({0}))
    assert throw is not None
    assert throw.stayed == (0, None, None)


def test_a_throw_into_a_tray_never_seen_at_rest_is_a_throw() -> None:
    throws = Throws()
    throws.stirred()
    _, throw = throws.at_rest(reading(A, B))
    assert throw is not None
    assert throw.stayed == (None, None)


def test_nothing_pushes_a_die_across_the_tray_or_turns_it() -> None:
    throws = begun()
    _, throw = throws.at_rest(reading(A, moved(B, 150), C))
    assert throw is not None
    assert throw.stayed == (0, None, 2)
    _, throw = throws.at_rest(reading(A, moved(B, 150, value=6), C))
    assert throw is not None
    assert throw.stayed == (0, None, 2)


def test_an_unsure_reading_of_a_still_tray_is_no_new_throw() -> None:
    throws = begun()
    doubted = replace(A, value=None, trouble="doubtful-face")
    assert throws.at_rest(reading(doubted, B, C, sure=False)) == (TrayState.UNSURE, None)


def test_an_unsure_throw_is_told_so_that_it_can_be_asked_about() -> None:
    throws = Throws()
    throws.at_rest(reading())
    state, throw = throws.at_rest(reading(die(None, 100, 100), B, sure=False))
    assert state is TrayState.UNSURE
    assert throw is not None
    assert not throw.reading.sure


def test_two_throws_in_quick_succession_are_two() -> None:
    throws = begun()
    numbers = []
    for shift in (120, 240, 360):
        _, throw = throws.at_rest(reading(moved(A, shift), moved(B, 0, shift), moved(C, -shift)))
        assert throw is not None
        numbers.append(throw.number)
    assert numbers == [2, 3, 4]


def test_something_unexplained_in_a_tray_without_dice_is_not_empty() -> None:
    state, throw = Throws().at_rest(Reading((), ("unexplained",), False))
    assert (state, throw) == (TrayState.UNSURE, None)


places = st.tuples(st.floats(0, 1280), st.floats(0, 720))
dice = st.lists(st.builds(Die, st.integers(1, 6), places, st.just(SIDE), st.just(0.0), st.just(0.9)), max_size=6)


@given(dice, dice, st.frozensets(st.integers(0, 5)), st.frozensets(st.integers(0, 5)))
def test_no_die_stays_twice(before: list[Die], now: list[Die], taken: frozenset[int], in_place: frozenset[int]) -> None:
    stayed = match(tuple(before), tuple(now), taken, in_place)
    known = [index for index in stayed if index is not None]
    assert len(stayed) == len(now)
    assert len(set(known)) == len(known)
    assert all(0 <= index < len(before) for index in known)


@given(dice, st.randoms())
def test_an_order_means_nothing(lying: list[Die], chance: object) -> None:
    apart = [
        one
        for index, one in enumerate(lying)
        if all(abs(one.centre[0] - other.centre[0]) > SIDE for other in lying[:index])
    ]
    mixed = list(apart)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    stayed = match(tuple(apart), tuple(mixed), frozenset(), frozenset())
    assert [apart[index] for index in stayed if index is not None] == mixed
