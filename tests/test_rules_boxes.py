"""Every example, total and bug report that says what a throw is worth in a box."""

from itertools import combinations_with_replacement

import pytest
from rules_table import Table, written

import rules
from rules.in_force import in_force
from rules.patterns import Pattern, alike, shown


def plain(game, box, dice, **house):
    """Written points of a single throw in the first column of an empty sheet."""
    return Table(game, **house).throw(*dice).offers()[box, 1]


def dice(text):
    return tuple(int(die) for die in text.split("-"))


CASES = """
yahtzee  small-straight   1-2-3-3-4    30
yahtzee  small-straight   1-2-3-4-6    30
yahtzee  small-straight   3-4-4-6-6     0
yahtzee  small-straight   1-1-1-1-4     0
yahtzee  small-straight   1-2-3-5-6     0
yahtzee  small-straight   2-3-4-5-6    30
yahtzee  large-straight   1-1-1-1-5     0
yahtzee  large-straight   1-2-3-4-6     0
yahtzee  large-straight   5-4-3-2-1    40
yahtzee  large-straight   2-3-4-5-6    40
yahtzee  full-house       4-4-4-4-1     0
yahtzee  full-house       3-3-3-5-5    25
yahtzee  full-house       1-1-1-1-1     0
yahtzee  four-of-a-kind   6-6-6-6-6    30
yahtzee  four-of-a-kind   5-5-5-5-3    23
yahtzee  four-of-a-kind   2-2-2-2-6    14
yahtzee  four-of-a-kind   2-2-2-3-6     0
yahtzee  three-of-a-kind  6-6-6-4-2    24
yahtzee  three-of-a-kind  5-5-5-2-1    18
yahtzee  three-of-a-kind  5-5-4-4-1     0
yahtzee  threes           3-3-3-3-3    15
yahtzee  chance           1-1-1-1-1     5
yahtzee  chance           1-4-5-6-6    22
yahtzee  twos             2-2-2-3-6     6
yahtzee  sixes            2-2-2-3-6     6
yahtzee  ones             2-2-2-3-6     0
yahtzee  yahtzee          4-4-4-4-4    50
yahtzee  yahtzee          4-4-4-4-5     0
yatzy    two-pairs        4-4-6-6-6    20
yatzy    four-of-a-kind   2-2-2-2-2     8
yatzy    four-of-a-kind   5-5-5-5-2    20
yatzy    fives            5-5-5-5-2    20
yatzy    three-of-a-kind  5-5-5-5-2    15
yatzy    chance           5-5-5-5-2    22
yatzy    two-pairs        5-5-5-5-2     0
yatzy    full-house       5-5-5-5-2     0
yatzy    full-house       3-3-3-3-3     0
yatzy    full-house       4-4-4-6-6    24
yatzy    two-pairs        4-4-4-6-6    20
yatzy    fours            4-4-4-6-6    12
yatzy    sixes            4-4-4-6-6    12
yatzy    threes           3-3-3-3-3    15
yatzy    one-pair         3-3-3-3-3     6
yatzy    three-of-a-kind  3-3-3-3-3     9
yatzy    one-pair         2-2-5-5-6    10
yatzy    small-straight   1-2-3-4-5    15
yatzy    small-straight   2-3-4-5-6     0
yatzy    small-straight   1-2-3-4-6     0
yatzy    large-straight   2-3-4-5-6    20
yatzy    large-straight   1-2-3-4-5     0
yatzy    yatzy            1-1-1-1-1    50
maxi-yatzy  full-house       2-2-2-5-5-5  19
maxi-yatzy  house            2-2-2-5-5-5  21
maxi-yatzy  tower            2-2-2-5-5-5   0
maxi-yatzy  one-pair         2-2-2-5-5-5  10
maxi-yatzy  two-pairs        2-2-2-5-5-5  14
maxi-yatzy  three-of-a-kind  2-2-2-5-5-5  15
maxi-yatzy  three-pairs      1-1-2-2-3-3  12
maxi-yatzy  two-pairs        1-1-2-2-3-3  10
maxi-yatzy  tower            6-6-6-6-5-5  34
maxi-yatzy  full-house       6-6-6-6-5-5  28
maxi-yatzy  two-pairs        6-6-6-6-5-5  22
maxi-yatzy  three-pairs      6-6-6-6-5-5   0
maxi-yatzy  house            6-6-6-6-5-5   0
maxi-yatzy  small-straight   1-2-3-4-5-5  15
maxi-yatzy  large-straight   1-2-3-4-5-5   0
maxi-yatzy  full-straight    1-2-3-4-5-5   0
maxi-yatzy  full-straight    1-2-3-4-5-6  21
maxi-yatzy  small-straight   1-2-3-4-5-6  15
maxi-yatzy  large-straight   1-2-3-4-5-6  20
maxi-yatzy  five-of-a-kind   4-4-4-4-4-4  20
maxi-yatzy  maxi-yatzy       4-4-4-4-4-4 100
maxi-yatzy  maxi-yatzy       4-4-4-4-4-1   0
maxi-yatzy  full-house       3-3-3-3-3-1   0
maxi-yatzy  full-house       2-2-5-5-5-6  19
maxi-yatzy  two-pairs        4-4-4-4-3-6   0
maxi-yatzy  ones             1-1-1-4-2-5   3
maxi-yatzy  twos             2-2-2-2-5-1   8
maxi-yatzy  house            4-4-4-6-6-6  30
maxi-yatzy  tower            5-5-6-6-6-6  34
maxi-yatzy  tower            6-6-6-6-6-6   0
maxi-yatzy  house            6-6-6-6-6-6   0
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_case(case):
    game, box, throw, points = case.split()
    assert plain(game, box, dice(throw)) == int(points)


def test_kniffel_and_triple_yahtzee_pay_what_yahtzee_pays():
    """ "Same thirteen boxes and same numbers" (Danish rule text)."""
    yahtzee, *others = (in_force(rules.games()[g], ()) for g in ("yahtzee", "kniffel", "triple-yahtzee"))
    for throw in [(1, 2, 3, 4, 6), (2, 2, 2, 3, 3), (6, 6, 6, 6, 1), (5, 5, 5, 5, 5), (2, 3, 4, 5, 6)]:
        for other in others:
            assert other.worths(throw) == yahtzee.worths(throw)


def times(points):
    return {column: points * column for column in (1, 2, 3)}


@pytest.mark.parametrize(
    ("game", "throw", "worth"),
    [
        (
            "trippel-yatzy",
            "4-4-6-6-6",
            {
                "one-pair": 12,
                "two-pairs": 20,
                "three-of-a-kind": 18,
                "fours": 8,
                "sixes": 18,
                "full-house": 26,
                "chance": 26,
            },
        ),
        (
            "trippel-maxi-yatzy",
            "2-2-2-5-5-5",
            {
                "one-pair": 10,
                "two-pairs": 14,
                "three-of-a-kind": 15,
                "twos": 6,
                "fives": 15,
                "house": 21,
                "full-house": 19,
                "chance": 21,
            },
        ),
        ("trippel-maxi-yatzy", "4-4-4-6-6-6", {"house": 30}),
        ("trippel-maxi-yatzy", "6-6-6-6-6-6", {"maxi-yatzy": 100, "five-of-a-kind": 30}),
        ("trippel-yatzy", "1-1-1-1-5", {"ones": 4}),
        ("trippel-yatzy", "2-3-4-5-6", {"large-straight": 20, "small-straight": 0}),
    ],
)
def test_written_multiplied(game, throw, worth):
    """The three columns of the printed sheet hold the points once, doubled and tripled."""
    offers = Table(game).throw(*dice(throw)).offers()
    for box, points in worth.items():
        assert {column: offers[box, column] for column in (1, 2, 3)} == times(points), box
    scoring = {box for (box, column), points in offers.items() if points}
    if len(worth) > 6:  # the whole list of what the throw can be, says the rule text
        assert scoring == set(worth)


def test_triple_yahtzee_writes_plain_points():
    offers = Table("triple-yahtzee").throw(3, 3, 3, 5, 5).offers()
    assert [offers["full-house", column] for column in (1, 2, 3)] == [25, 25, 25]


BEST_YATZY = {
    "ones": 5, "twos": 10, "threes": 15, "fours": 20, "fives": 25, "sixes": 30, "one-pair": 12, "two-pairs":
    22, "three-of-a-kind": 18, "four-of-a-kind": 24, "small-straight": 15, "large-straight": 20, "full-house":
    28, "chance": 30, "yatzy": 50,
}  # fmt: skip
BEST_MAXI = {
    "ones": 6, "twos": 12, "threes": 18, "fours": 24, "fives": 30, "sixes": 36, "one-pair": 12, "two-pairs":
    22, "three-pairs": 30, "three-of-a-kind": 18, "four-of-a-kind": 24, "five-of-a-kind": 30,
    "small-straight": 15, "large-straight": 20, "full-straight": 21, "full-house": 28, "house": 33, "tower":
    34, "chance": 36, "maxi-yatzy": 100,
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "best", "house", "total"),
    [
        ("trippel-yatzy", BEST_YATZY, {}, 2244),
        ("trippel-maxi-yatzy", BEST_MAXI, {}, 3894),
        ("trippel-maxi-yatzy", BEST_MAXI, {"bonus_variant": "75-50"}, 3594),
        ("yatzy", BEST_YATZY, {}, 374),
        ("maxi-yatzy", BEST_MAXI, {}, 649),
    ],
)
def test_the_dream_game(game, best, house, total):
    """The best sheet, as the rule texts give it: no throw pays more, together they make the total."""
    force = in_force(rules.games()[game], ())
    throws = list(combinations_with_replacement(range(1, 7), force.game.dice))
    assert {box: max(force.worth(place, throw) for throw in throws) for box, place in force.game.places.items()} == best
    columns = [{box: points * times for box, points in best.items()} for times in force.multipliers]
    assert written(game, columns, **house)["total"] == total


@pytest.mark.parametrize(("upper", "bonus"), [(62, 0), (63, 50), (64, 50)])
def test_the_bonus_is_all_or_nothing(upper, bonus):
    """63 pays, 62 does not, and what is paid is 50, never the sum itself."""
    column = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    column["ones"] += upper - 63
    scored = written("yatzy", [column])["columns"][0]
    assert (scored["upper-sum"], scored["upper-bonus"], scored["upper-total"]) == (
        upper,
        bonus,
        upper + bonus,
    )


@pytest.mark.parametrize(
    ("game", "column", "needed", "paid", "house"),
    [
        ("trippel-yatzy", 1, 63, 50, {}),
        ("trippel-yatzy", 2, 126, 100, {}),
        ("trippel-yatzy", 3, 189, 150, {}),
        ("trippel-maxi-yatzy", 1, 84, 100, {}),
        ("trippel-maxi-yatzy", 2, 168, 200, {}),
        ("trippel-maxi-yatzy", 3, 252, 300, {}),
        ("trippel-maxi-yatzy", 1, 75, 50, {"bonus_variant": "75-50"}),
        ("trippel-maxi-yatzy", 2, 150, 100, {"bonus_variant": "75-50"}),
        ("trippel-maxi-yatzy", 3, 225, 150, {"bonus_variant": "75-50"}),
        ("triple-yahtzee", 3, 63, 35, {}),
        ("maxi-yatzy", 1, 84, 100, {}),
        ("yahtzee", 1, 63, 35, {}),
        ("kniffel", 2, 63, 35, {}),
    ],
)
def test_the_bonus_of_every_column(game, column, needed, paid, house):
    faces = dict(zip(["ones", "twos", "threes", "fours", "fives", "sixes"], range(1, 7), strict=True))
    multiplied = rules.games()[game].written == "multiplied"
    times = column if multiplied else 1
    left = needed // times
    boxes = {}
    for box, face in reversed(faces.items()):
        count = min(5 if rules.games()[game].dice == 5 else 6, left // face)
        boxes[box] = count * face * times
        left -= count * face
    columns = [{} for _ in range(column)]
    columns[-1] = boxes
    assert left == 0
    scored = written(game, columns, **house)["columns"][column - 1]
    assert (scored["upper-sum"], scored["upper-bonus"]) == (needed, paid)
    smallest = next(box for box in faces if boxes[box])
    boxes[smallest] -= faces[smallest] * times
    scored = written(game, columns, **house)["columns"][column - 1]
    assert scored["upper-sum"] < needed
    assert scored["upper-bonus"] == 0


@pytest.mark.parametrize(
    ("throw", "box", "house", "points"),
    [
        ("1-2-3-4-5", "small-straight", {"straights": "30-40"}, 30),
        ("2-3-4-5-6", "large-straight", {"straights": "30-40"}, 40),
        ("5-5-5-5-2", "two-pairs", {"four_as_two_pairs": True}, 20),
        ("5-5-5-5-5", "two-pairs", {"four_as_two_pairs": True}, 20),
        ("5-5-5-2-2", "two-pairs", {"four_as_two_pairs": True}, 14),
        ("5-5-5-5-5", "full-house", {"yatzy_as_full_house": True}, 25),
        ("5-5-5-5-2", "full-house", {"yatzy_as_full_house": True}, 0),
        ("5-5-5-5-5", "full-house", {"four_as_two_pairs": True}, 0),
    ],
)
def test_house_rules_of_the_yatzy_box(throw, box, house, points):
    assert plain("yatzy", box, dice(throw), **house) == points


def test_maxi_house_rules_take_the_best_reading():
    assert plain("maxi-yatzy", "two-pairs", (6, 6, 6, 6, 5, 5), four_as_two_pairs=True) == 24
    assert plain("maxi-yatzy", "two-pairs", (1, 1, 1, 1, 6, 6), four_as_two_pairs=True) == 14
    assert plain("maxi-yatzy", "full-house", (4, 4, 4, 4, 4, 1), yatzy_as_full_house=True) == 20
    assert plain("maxi-yatzy", "full-house", (4, 4, 4, 4, 4, 4), yatzy_as_full_house=True) == 20
    assert plain("maxi-yatzy", "full-straight", (1, 2, 3, 4, 5, 6), straights="30-40") == 21


@pytest.mark.parametrize(("dice", "answer"), [((), False), ((4,), True), ((4, 4), True), ((4, 5), False)])
def test_alike_is_about_every_die_there_is(dice, answer):
    assert alike(dice) is answer


@pytest.mark.parametrize(
    ("dice", "length", "points"),
    [((1, 2, 3, 4, 6), 4, 10), ((1, 2, 3, 4, 5), 4, 14), ((2, 3, 4, 5, 6), 5, 20), ((1, 2, 3, 5, 6), 4, None)],
)
def test_a_run_is_worth_the_dice_that_form_it(dice, length, points):
    assert shown(Pattern("straight", length=length), dice) == points


def test_the_lower_total_of_a_column_written_multiplied_is_written_multiplied():
    columns = [{"chance": [6, 6, 6, 6, 5], "twos": [2, 2, 2, 1, 1]} for _ in range(3)]
    answer = rules.score({"game": "trippel-yatzy", "sheets": [{"player": "Anna", "columns": columns}]})
    found = [(column["upper-sum"], column["lower-total"], column["total"]) for column in answer["sheets"][0]["columns"]]
    assert found == [(6, 29, 35), (12, 58, 70), (18, 87, 105)]
