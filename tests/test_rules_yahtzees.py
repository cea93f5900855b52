"""Further Yahtzees: bonus, jokers, chips, the extra Yatzy bonus, and order, which wins over all of them."""

import pytest
from rules_table import Table

import rules

LOWERS = ["three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance"]
UPPERS = ["ones", "twos", "threes", "fours", "fives", "sixes"]
FIVES = (5,) * 5
NOTHING = (1, 2, 2, 3, 6)


def fill(table, *boxes, column=1, dice=NOTHING):
    """Boxes taken with a throw that is no Yahtzee."""
    for box in boxes:
        table.turn(box, *dice, column=column)
    return table


def yahtzee_table(**house):
    """The yahtzee box holds 50."""
    return Table("yahtzee", **house).turn("yahtzee", *FIVES)


def test_a_column_whose_yahtzee_box_is_free_takes_a_yahtzee_anywhere():
    offers = Table("yahtzee").throw(*FIVES).offers()
    assert len(offers) == 13
    assert offers["full-house", 1] == 0
    assert offers["large-straight", 1] == 0
    assert offers["yahtzee", 1] == 50
    assert offers["fives", 1] == 25
    assert offers["ones", 1] == 0


def test_an_extra_yahtzee_before_any_50_pays_nothing():
    table = Table("yahtzee").turn("fives", *FIVES).turn("chance", *FIVES).turn("yahtzee", *FIVES)
    assert table.box("yahtzee-bonus") is None
    assert table.total() == 25 + 25 + 50


def test_the_bonus_is_paid_once_the_box_holds_50():
    table = yahtzee_table().throw(*FIVES)
    assert table.effect("fives")["yahtzee-bonus"] == 100
    table.enter("fives")
    assert table.box("yahtzee-bonus") == 100
    assert table.column()["lower-total"] == 150
    assert table.column()["upper-sum"] == 25
    table.turn("sixes", *(6,) * 5)
    assert table.box("yahtzee-bonus") == 200


def test_the_bonus_never_comes_to_a_struck_box():
    table = fill(Table("yahtzee"), "yahtzee", "fives").throw(*FIVES)
    assert "yahtzee-bonus" not in table.effect("chance")
    table.enter("chance")
    assert table.box("yahtzee-bonus") is None


def test_the_matching_upper_box_must_be_taken_first():
    table = yahtzee_table().throw(*FIVES)
    assert table.offers() == {("fives", 1): 25}
    assert table.jokers() == set()
    assert table.refused(rules.Entered("chance")) == "joker-must-go-upper"
    assert table.refused(rules.Entered("ones")) == "joker-must-go-upper"


def test_then_any_free_lower_box_at_full_value():
    table = fill(yahtzee_table(), "fives").throw(*FIVES)
    expected = {"three-of-a-kind": 25, "four-of-a-kind": 25, "full-house": 25, "chance": 25}
    expected |= {"small-straight": 30, "large-straight": 40}
    assert table.offers() == {(box, 1): points for box, points in expected.items()}
    assert table.jokers() == set(table.offers())
    assert table.refused(rules.Entered("ones")) == "joker-must-go-lower"
    table.enter("large-straight")
    assert table.box("large-straight") == 40
    assert table.box("yahtzee-bonus") == 100


def test_a_struck_yahtzee_box_allows_the_joker_without_the_bonus():
    table = fill(Table("yahtzee"), "yahtzee", "fives").turn("large-straight", *FIVES)
    assert table.box("large-straight") == 40
    assert table.box("yahtzee-bonus") is None


def test_no_lower_box_free_is_no_dead_end():
    """A 0 in a free upper box, and the bonus still paid if the box holds 50."""
    table = fill(yahtzee_table(), "fives", *[box for box in LOWERS if box != "yahtzee"]).throw(*FIVES)
    assert table.offers() == {(box, 1): 0 for box in ("ones", "twos", "threes", "fours", "sixes")}
    assert table.jokers() == set()
    table.enter("ones")
    assert (table.box("ones"), table.box("yahtzee-bonus")) == (0, 100)


def test_jokers_off():
    """Any free box, at what the dice are really worth there; the bonus is still paid."""
    table = fill(yahtzee_table(jokers=False), "fives").throw(*FIVES)
    offers = table.offers()
    assert len(offers) == 11
    assert (offers["full-house", 1], offers["large-straight", 1], offers["ones", 1]) == (0, 0, 0)
    assert offers["four-of-a-kind", 1] == 25
    assert table.jokers() == set()
    table.enter("full-house")
    assert (table.box("full-house"), table.box("yahtzee-bonus")) == (0, 100)


def test_only_the_column_entered_in_counts():
    table = Table("yahtzee", columns=2).turn("yahtzee", *FIVES, column=2).throw(*FIVES)
    offers = table.offers()
    assert {box for box, column in offers if column == 2} == {"fives"}
    assert len([box for box, column in offers if column == 1]) == 13
    assert "yahtzee-bonus" not in table.effect("yahtzee", 1)
    table.enter("chance", 1)
    assert table.box("yahtzee-bonus", 1) is None
    assert table.box("yahtzee-bonus", 2) is None


def test_the_bonus_value_off():
    table = yahtzee_table(yahtzee_bonus_value=0).throw(*FIVES)
    assert table.offers() == {("fives", 1): 25}  # the joker rules stay
    table.enter("fives")
    fill(table, *[box for box in UPPERS + LOWERS if box not in ("fives", "yahtzee")])
    assert "yahtzee-bonus" not in table.column()["boxes"]
    assert table.match.phase == "over"
    assert rules.sheets(table.match)["finished"]


def test_the_game_fills_the_bonus_box_with_0():
    table = fill(Table("yahtzee"), *UPPERS, *LOWERS[:-1])
    assert "yahtzee-bonus" not in table.column()["boxes"]
    assert not rules.sheets(table.match)["finished"]
    fill(table, "chance")
    assert table.box("yahtzee-bonus") == 0
    assert rules.sheets(table.match)["finished"]


def test_the_best_possible_yahtzee():
    """140 upper + 235 lower + 1200 bonus = 1575 (Danish rule text)."""
    table = Table("yahtzee").turn("yahtzee", *(6,) * 5)
    for face, box in enumerate(UPPERS, 1):
        table.turn(box, *(face,) * 5)
    for box in LOWERS:
        if box != "yahtzee":
            table.turn(box, *(6,) * 5)
    column = table.column()
    assert column["upper-total"] == 140
    assert column["lower-total"] - 1200 == 235
    assert column["boxes"]["yahtzee-bonus"] == 1200
    assert table.total() == 1575
    assert table.match.winners == ("Anna",)


def test_the_bonus_value_counts_again_when_it_changes():
    table = yahtzee_table().turn("fives", *FIVES)
    assert table.change(yahtzee_bonus_value=25).box("yahtzee-bonus") == 25
    assert table.change(yahtzee_bonus_value=0).box("yahtzee-bonus") is None
    assert table.change(yahtzee_bonus_value=200).total() == 50 + 25 + 200


def test_schmidt_pays_50_in_the_number_box_only():
    table = Table("kniffel", order="free", extra_kniffel="schmidt").turn("yahtzee", *FIVES)
    assert table.match.rules["yahtzee-bonus-value"] == 50
    table.turn("fives", *FIVES)
    assert table.box("yahtzee-bonus") == 50
    table.throw(*FIVES)
    assert "yahtzee-bonus" not in table.effect("large-straight")
    table.enter("large-straight")
    assert (table.box("large-straight"), table.box("yahtzee-bonus")) == (40, 50)
    table.change(extra_kniffel="as-yahtzee")
    assert table.box("yahtzee-bonus") == 200


def test_an_explicit_bonus_value_wins_over_schmidt():
    table = Table("kniffel", order="free", extra_kniffel="schmidt", yahtzee_bonus_value=25)
    assert table.turn("yahtzee", *FIVES).turn("fives", *FIVES).box("yahtzee-bonus") == 25


def test_kniffel_columns_down_free_up():
    table = Table("kniffel").throw(*NOTHING)
    assert {box for box, column in table.offers() if column == 1} == {"ones"}
    assert len([box for box, column in table.offers() if column == 2]) == 13
    assert {box for box, column in table.offers() if column == 3} == {"chance"}
    assert table.refused(rules.Entered("twos", 1)) == "out-of-order"
    assert table.refused(rules.Entered("ones", 3)) == "out-of-order"
    table.enter("chance", 3).throw(*NOTHING)
    assert {box for box, column in table.offers() if column == 3} == {"yahtzee"}


def test_order_wins_over_the_joker():
    """Down: only the open box; the joker's value counts there if it is one the joker may fill."""
    table = fill(Table("yahtzee", order="down"), *UPPERS, "three-of-a-kind", "four-of-a-kind")
    fill(table, "full-house", "small-straight", "large-straight").turn("yahtzee", *FIVES)
    assert table.throw(*FIVES).offers() == {("chance", 1): 25}
    assert table.jokers() == {("chance", 1)}
    table = fill(Table("yahtzee", order="up"), "chance").turn("yahtzee", *FIVES).throw(*FIVES)
    assert table.offers() == {("large-straight", 1): 0}  # fives is free, so no joker
    assert table.effect("large-straight") == {"yahtzee-bonus": 100}
    table.enter("large-straight")
    assert table.total() == 14 + 50 + 100


def test_a_free_column_beside_ordered_ones_keeps_its_must():
    table = Table("kniffel").turn("yahtzee", *FIVES, column=2).throw(*FIVES)
    assert table.offers() == {("ones", 1): 0, ("fives", 2): 25, ("chance", 3): 25}
    assert table.refused(rules.Entered("chance", 2)) == "joker-must-go-upper"


# The chips of Triple Yahtzee


def triple(*yahtzee_columns, **house):
    """Yahtzees of sixes entered in the yahtzee boxes of these columns."""
    table = Table("triple-yahtzee", **house)
    for column in yahtzee_columns:
        table.turn("yahtzee", *(6,) * 5, column=column)
    return table


def chips(table):
    return table.sheet()["chips"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [((1,), 0), ((1, 2), 200), ((2, 1), 100), ((1, 3), 300), ((1, 2, 3), 500), ((3, 2, 1), 300)],
)
def test_the_second_and_third_yahtzee(order, expected):
    assert chips(triple(*order)) == expected


def test_no_chip_when_the_first_is_elsewhere():
    table = Table("triple-yahtzee").turn("chance", *(6,) * 5)
    for column in (1, 2, 3):
        table.turn("yahtzee", *(6,) * 5, column=column)
    assert chips(table) == 0
    table.throw(*FIVES)
    assert "chip" not in table.effect("fives", 3)
    assert len(table.offers()) == 39 - 4


def test_the_third_does_not_ask_for_the_second():
    """Y3: a chip if Y1 and Y3 are both in Yahtzee boxes."""
    table = triple(1).turn("chance", *(6,) * 5, column=1).turn("yahtzee", *(6,) * 5, column=2)
    assert chips(table) == 200
    table.turn("yahtzee", *(6,) * 5, column=3)
    assert chips(table) == 200  # Y4: the first three are not all in Yahtzee boxes


def test_the_fourth_must_go_to_its_upper_box_in_any_column():
    table = triple(1, 2, 3).throw(*FIVES)
    assert table.offers() == {("fives", column): 25 for column in (1, 2, 3)}
    assert [table.effect("fives", column)["chip"] for column in (1, 2, 3)] == [100, 200, 300]
    assert table.refused(rules.Entered("chance", 1)) == "joker-must-go-upper"
    table.enter("fives", 3)
    assert chips(table) == 500 + 300


def test_then_it_is_a_joker_below_then_a_0_above():
    table = triple(1, 2, 3)
    for column in (1, 2, 3):
        fill(table, "fives", column=column)
    table.throw(*FIVES)
    boxes = [box for box in LOWERS if box != "yahtzee"]
    assert set(table.offers()) == {(box, column) for box in boxes for column in (1, 2, 3)}
    assert table.offers()["large-straight", 2] == 40
    assert table.jokers() == set(table.offers())
    assert table.refused(rules.Entered("ones", 1)) == "joker-must-go-lower"
    table.enter("full-house", 2)
    assert table.box("full-house", 2) == 25
    assert chips(table) == 500 + 200
    for column in (1, 2, 3):
        fill(table, *[box for box in boxes if table.box(box, column) is None], column=column)
    table.throw(*FIVES)
    assert set(table.offers().values()) == {0}
    assert table.effect("ones", 3)["chip"] == 300
    assert table.jokers() == set()
    table.enter("ones", 3)
    assert (table.box("ones", 3), chips(table)) == (0, 500 + 200 + 300)
    table.change(chip_with_zero=False)
    assert chips(table) == 500 + 200


def test_the_joker_looks_at_all_three_columns():
    """All three yahtzee boxes (50 or 0) and all three boxes of that face."""
    table = Table("triple-yahtzee")
    for column in (1, 2, 3):
        fill(table, "yahtzee", column=column)
    for column in (1, 2):
        fill(table, "fives", column=column)
    table.throw(*FIVES)
    assert table.offers()["large-straight", 1] == 0
    assert table.jokers() == set()
    table.enter("fives", 3)
    table.throw(*FIVES)
    assert table.offers()["large-straight", 1] == 40
    assert table.offers()["ones", 1] == 0  # no chip at stake: any free upper box too
    assert ("ones", 1) not in table.jokers()
    table.enter("small-straight", 3)
    assert chips(table) == 0
    assert table.column(3)["total"] == 3 * (25 + 30)


def test_chips_are_added_after_multiplying():
    table = triple(3, 2)
    assert table.total() == 50 * 3 + 50 * 2 + 200
    assert [column["total"] for column in table.sheet()["columns"]] == [0, 100, 150]


def test_order_wins_over_the_chips_must():
    """Only the open boxes may be taken; a chip is earned only where its own conditions are met."""
    table = triple(1, 2, 3).change(order="down").throw(*(2,) * 5)
    assert set(table.offers()) == {("ones", 1), ("ones", 2), ("ones", 3)}
    assert "chip" not in table.effect("ones", 1)
    table.enter("ones", 1).throw(*(2,) * 5)
    assert table.effect("twos", 1)["chip"] == 100
    table.enter("twos", 1)
    assert chips(table) == 500 + 100


def test_a_passed_yahtzee_is_numbered_too():
    """The Yahtzees are numbered in the order thrown; one passed over is in no Yahtzee box."""
    table = Table("triple-yahtzee", write_zero=False, order="down").throw(*FIVES)
    table.do(rules.Passed()).change(order="free")
    for column in (1, 2):
        table.turn("yahtzee", *FIVES, column=column)
    assert chips(table) == 0


# The bonus a house may pay for a further Yatzy


@pytest.mark.parametrize(
    ("game", "box", "dice", "value"),
    [("yatzy", "yatzy", 5, 50), ("maxi-yatzy", "maxi-yatzy", 6, 100), ("trippel-yatzy", "yatzy", 5, 50)],
)
def test_extra_yatzy_bonus(game, box, dice, value):
    table = Table(game, extra_yatzy_bonus=75).turn("chance", *(6,) * dice)
    assert table.column()["extra-bonus"] == 0
    table.turn(box, *(6,) * dice).throw(*(6,) * dice)
    assert table.effect("sixes") == {"extra-bonus": 75, "over": (dice - (4 if dice == 6 else 3)) * 6}
    table.enter("sixes")
    column = table.column()
    assert column["extra-bonus"] == 75
    assert column["lower-total"] == 6 * dice + value
    assert table.total() == 6 * dice * 2 + value + 75


def test_extra_yatzy_bonus_is_multiplied_like_the_column():
    table = Table("trippel-maxi-yatzy", extra_yatzy_bonus=100).turn("maxi-yatzy", *(6,) * 6, column=3)
    table.turn("chance", *(6,) * 6, column=2).throw(*(6,) * 6)
    assert table.effect("chance", 3) == {"extra-bonus": 300}
    table.enter("chance", 3)
    assert table.column(3)["extra-bonus"] == 300
    assert table.column(3)["total"] == 300 + 108 + 300
    assert table.column(2)["total"] == 72


def test_no_extra_yatzy_bonus_in_the_classic_rules_or_on_a_struck_box():
    table = Table("yatzy").turn("yatzy", *FIVES).turn("fives", *FIVES)
    assert "extra-bonus" not in table.column()
    assert table.total() == 75
    table = Table("yatzy", extra_yatzy_bonus=100).turn("yatzy", *NOTHING).turn("fives", *FIVES)
    assert table.column()["extra-bonus"] == 0


def test_a_further_yatzy_is_no_joker():
    offers = Table("yatzy").turn("yatzy", *FIVES).turn("fives", *FIVES).throw(*FIVES)
    assert offers.offers()["full-house", 1] == 0
    assert offers.jokers() == set()
