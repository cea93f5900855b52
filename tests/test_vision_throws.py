"""Throws from readings: pure, no picture."""

from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from vision.reading import Die, Reading
from vision.throws import Throws, ThrowSeen, TrayState, match

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


def test_what_a_hand_pushed_aside_stayed() -> None:
    throws = begun()
    state, throw = throws.at_rest(reading(moved(A, -80, 250), moved(B, 190), C), by_hand=True)
    assert (state, throw) == (TrayState.SETTLED, None)
    _, throw = throws.at_rest(reading(moved(A, -80, 250), moved(B, 190), die(2, 600, 50)), in_place=frozenset({0, 1}))
    assert throw is not None
    assert throw.stayed == (0, 1, None)


def test_dice_that_rolled_were_thrown_though_they_show_the_same() -> None:
    _, throw = begun().at_rest(reading(moved(A, -80, 250), moved(B, 190), C))
    assert throw is not None
    assert throw.stayed == (None, None, 2)


def test_a_hand_slow_to_draw_back_does_not_hide_a_throw() -> None:
    _, throw = begun().at_rest(reading(moved(A, 190, value=4), moved(B, 190), C), by_hand=True)
    assert throw is not None
    assert throw.stayed == (None, None, 2)


def test_a_hand_lying_still_in_the_tray_is_a_hand() -> None:
    throws = begun()
    knuckles = Reading((A, die(1, 350, 220)), ("hand", "count"), sure=False)
    assert throws.at_rest(knuckles) == (TrayState.HAND, None)
    assert throws.at_rest(reading(A, B, C)) == (TrayState.SETTLED, None)


def test_many_nudges_carry_a_die_far_and_it_stayed() -> None:
    throws = begun()
    for step in range(1, 8):
        assert throws.at_rest(reading(*(moved(one, 20 * step) for one in (A, B, C))))[1] is None
    _, throw = throws.at_rest(reading(moved(A, 140), die(6, 300, 300)), in_place=frozenset({0}))
    assert throw is not None
    assert throw.stayed == (0, None)


LEANING = replace(die(None, 640, 200), trouble="cocked")


def test_a_die_that_leans_is_asked_for_and_thrown_again_in_the_same_throw() -> None:
    throws = Throws()
    throws.at_rest(reading())
    state, throw = throws.at_rest(reading(A, LEANING, B, sure=False))
    assert state is TrayState.UNSURE
    assert throw is not None
    assert (throw.number, throw.again, throw.wanting) == (1, (1,), 1)
    _, throw = throws.at_rest(reading(A, B, die(6, 350, 350)), in_place=frozenset({0, 2}))
    assert throw is not None
    assert (throw.number, throw.stayed, throw.wanting) == (1, (0, 2, None), 0)
    _, throw = throws.at_rest(reading(die(6, 350, 350), die(2, 90, 330), die(3, 500, 60)), in_place=frozenset({2}))
    assert throw is not None
    assert (throw.number, throw.stayed) == (2, (2, None, None))


def test_throwing_more_than_the_die_that_leans_is_another_throw() -> None:
    throws = Throws()
    throws.at_rest(reading())
    throws.at_rest(reading(A, LEANING, B, sure=False))
    _, throw = throws.at_rest(reading(A, die(6, 350, 350), die(1, 600, 300)), in_place=frozenset({0}))
    assert throw is not None
    assert throw.number == 2


def test_a_die_beside_the_tray_is_named_and_thrown_again_in_the_same_throw() -> None:
    throws = Throws()
    throws.at_rest(reading())
    _, throw = throws.at_rest(reading(A, B), outside=(C,))
    assert throw is not None
    assert (throw.number, throw.outside, throw.wanting) == (1, (C,), 1)
    _, throw = throws.at_rest(reading(A, B, die(6, 350, 350)), in_place=frozenset({0, 1}))
    assert throw is not None
    assert (throw.number, throw.stayed, throw.outside) == (1, (0, 1, None), ())


def test_a_doubtful_throw_that_a_nudge_makes_sure_is_told_again() -> None:
    throws = Throws()
    throws.at_rest(reading())
    glaring = replace(A, value=None, trouble="glare")
    throws.at_rest(reading(glaring, B, C, sure=False))
    state, throw = throws.at_rest(reading(moved(A, 5), moved(B, 5), moved(C, 5)))
    assert state is TrayState.SETTLED
    assert throw is not None
    assert (throw.number, throw.stayed, throw.reading.values) == (1, (0, 1, 2), (1, 3, 5))
    assert throws.at_rest(reading(moved(A, 6), moved(B, 6), moved(C, 6))) == (TrayState.SETTLED, None)


class Simulated:
    """A table with six dice, what truly happens on it, and what a reader with a little noise tells of it."""

    def __init__(self, data: st.DataObject, dice: int) -> None:
        self.data = data
        self.all = dice
        self.lying: dict[int, Die] = {}
        self.before: dict[int, Die] = {}
        self.throws = Throws()
        self.at_rest(set(), by_hand=False)

    def free_places(self, count: int, apart_from: list[Die]) -> list[tuple[float, float]]:
        """Places two sides and more from one another, from those dice and from where dice lay before."""
        avoid = [one.centre for one in (*apart_from, *self.before.values(), *self.lying.values())]
        grid = [(x, y) for x in range(60, 1260, 110) for y in range(60, 700, 110)]
        free = [p for p in grid if all(abs(p[0] - x) > 2.4 * SIDE or abs(p[1] - y) > 2.4 * SIDE for x, y in avoid)]
        assume(len(free) >= count)
        return [(float(x), float(y)) for x, y in self.data.draw(st.permutations(free))[:count]]

    def at_rest(self, in_place: set[int], *, by_hand: bool) -> ThrowSeen | None:
        """One reading, in any order and a little off; `in_place` are numbers of dice."""
        order = self.data.draw(st.permutations(sorted(self.lying)))
        noise = st.floats(-0.04 * SIDE, 0.04 * SIDE)
        seen = [moved(self.lying[n], self.data.draw(noise), self.data.draw(noise)) for n in order]
        known = [self.index.get(n) for n in in_place] if self.before else []
        _, throw = self.throws.at_rest(reading(*seen), frozenset(k for k in known if k is not None), by_hand=by_hand)
        if throw is not None:
            self.index = {n: k for k, n in enumerate(order)}
            self.before = dict(self.lying)
        return throw

    def throw(self, held: set[int], *, rest_between: bool, pushed: bool) -> None:
        """Everything but `held` is taken up and thrown; a thrown die may push a held one."""
        taken = set(self.lying) - held
        old = [self.lying[n] for n in taken]
        for n in taken:
            del self.lying[n]
        if rest_between and self.lying:
            assert self.at_rest(held, by_hand=True) is None
        elif rest_between:
            assert self.at_rest(set(), by_hand=True) is None
        thrown = sorted(set(range(self.all)) - held)
        for n, place in zip(thrown, self.free_places(len(thrown), old), strict=True):
            self.lying[n] = die(self.data.draw(st.integers(1, 6)), *place)
        if pushed and held:
            n = min(held)
            push = st.floats(-0.8 * SIDE, 0.8 * SIDE)
            self.lying[n] = moved(self.lying[n], self.data.draw(push), self.data.draw(push))
        held_values = sorted(self.lying[n].value or 0 for n in held)
        seen = self.at_rest(held, by_hand=False)
        assert seen is not None
        stayed = [d.value or 0 for d, o in zip(seen.reading.dice, seen.stayed, strict=True) if o is not None]
        assert sorted(stayed) == held_values

    def quiet(self, what: str) -> None:
        """What is no throw."""
        by_hand = what in ("hand", "slide")
        if what == "nudge":
            step = st.floats(-0.25 * SIDE, 0.25 * SIDE)
            x, y = self.data.draw(step), self.data.draw(step)
            self.lying = {n: moved(one, x, y) for n, one in self.lying.items()}
        if what == "slide" and self.lying:
            n = self.data.draw(st.sampled_from(sorted(self.lying)))
            (place,) = self.free_places(1, [])
            self.lying[n] = replace(self.lying[n], centre=place)
        in_place = set(self.lying) if what == "nudge" else set()
        assert self.at_rest(in_place, by_hand=by_hand) is None


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(1, 6))
def test_whatever_happens_at_a_table_every_throw_is_found_and_none_invented(
    data: st.DataObject, dice_count: int
) -> None:
    table = Simulated(data, dice_count)
    for _ in range(data.draw(st.integers(1, 6))):
        what = data.draw(st.sampled_from(["throw", "hold", "nudge", "hand", "slide", "lamp"]))
        if what == "throw" or (what == "hold" and not table.lying):
            table.throw(set(), rest_between=data.draw(st.booleans()), pushed=False)
        elif what == "hold":
            held = data.draw(st.sets(st.sampled_from(sorted(table.lying)), min_size=1))
            if len(held) < dice_count:
                table.throw(held, rest_between=data.draw(st.booleans()), pushed=data.draw(st.booleans()))
        else:
            table.quiet(what)


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
