"""A turn: throws, holding, saved throws, correcting, and every refusal on the way."""

import pytest
from rules_table import Table

import rules
from rules import Corrected, Entered, Held, Passed, SavedThrowSpent, Thrown

SIX = (1, 3, 3, 5, 6, 6)


def test_before_a_game():
    for event in (Thrown((1,) * 5), Held((1,)), Entered("ones"), rules.Undone(), rules.GameClosed()):
        assert rules.check(None, event) == "not-started"


def test_a_turn_has_three_throws():
    table = Table("yatzy")
    assert (table.match.phase, table.match.throw, table.match.throws_left) == ("throw", 0, 3)
    for throw in (1, 2, 3):
        table.throw(1, 2, 3, 4, 6)
        assert (table.match.phase, table.match.throw, table.match.throws_left) == ("choose", throw, 3 - throw)
    assert table.refused(Thrown((1, 2, 3, 4, 6))) == "no-throw-left"
    table.enter("chance")
    assert (table.match.phase, table.match.throw, table.match.dice) == ("throw", 0, ())


def test_any_throw_may_be_entered():
    table = Table("yatzy", ("Anna", "Ben")).throw(2, 3, 4, 5, 6).enter("large-straight")
    assert table.match.player == "Ben"
    assert table.box("large-straight") == 20


@pytest.mark.parametrize(
    ("dice", "name"),
    [
        ((1, 2, 3, 4), "wrong-number-of-dice"),
        ((1, 2, 3, 4, 5, 6), "wrong-number-of-dice"),
        ((), "wrong-number-of-dice"),
        ((0, 2, 3, 4, 5), "not-a-die"),
        ((7, 2, 3, 4, 5), "not-a-die"),
        ((-1, 2, 3, 4, 5), "not-a-die"),
    ],
)
def test_dice_that_are_none(dice, name):
    table = Table("yatzy")
    assert table.refused(Thrown(dice)) == name
    table.throw(1, 1, 1, 1, 1)
    assert table.refused(Corrected(dice)) == name
    table.enter("ones")
    assert table.refused(Corrected(dice, "Anna", "ones")) == name


def test_held_dice_stay_for_one_throw_and_are_never_locked():
    table = Table("yatzy").throw(5, 5, 2, 3, 6).hold(1, 2)
    assert table.match.held == (1, 2)
    assert table.refused(Thrown((5, 4, 1, 4, 5))) == "held-die-changed"
    assert table.refused(Thrown((4, 5, 1, 4, 5))) == "held-die-changed"
    table.throw(5, 5, 5, 1, 4)
    assert table.match.held == ()
    table.hold(3).throw(1, 2, 5, 5, 2)  # the first two, held before, are thrown again
    assert table.offers()["one-pair", 1] == 10


def test_the_example_turn_of_the_yatzy_text():
    table = Table("yatzy").throw(5, 5, 2, 3, 6).hold(1, 2).throw(5, 5, 5, 1, 4).hold(1, 2, 3)
    offers = table.throw(5, 5, 5, 5, 2).offers()
    assert offers["four-of-a-kind", 1] == offers["fives", 1] == 20
    assert offers["three-of-a-kind", 1] == 15
    assert offers["chance", 1] == 22


def test_holding_replaces_the_whole_set():
    table = Table("yatzy").throw(1, 2, 3, 4, 6).hold(1, 2).hold(4)
    assert table.match.held == (4,)
    assert table.hold().match.held == ()
    assert table.hold(3, 1, 3).match.held == (1, 3)


def test_holding_refused():
    table = Table("yatzy")
    assert table.refused(Held((1,))) == "throw-first"
    table.throw(1, 2, 3, 4, 6)
    for slot in (0, 6, -1):
        assert table.refused(Held((1, slot))) == "unknown-slot"
    table.hold(1, 2, 3, 4, 5)
    assert table.refused(Thrown((1, 2, 3, 4, 6))) == "all-held"
    assert Table("maxi-yatzy").throw(*SIX).hold(6).match.held == (6,)


def test_entering_refused():
    table = Table("yatzy")
    assert table.refused(Entered("ones")) == "throw-first"
    table.throw(1, 2, 3, 4, 6)
    assert table.refused(Entered("yahtzee")) == "unknown-box"
    assert table.refused(Entered("ones", 0)) == "unknown-column"
    assert table.refused(Entered("ones", 2)) == "unknown-column"
    table.enter("ones").throw(1, 2, 3, 4, 6)
    assert table.refused(Entered("ones")) == "box-taken"
    yahtzee = Table("yahtzee").throw(1, 1, 1, 1, 1)
    assert yahtzee.refused(Entered("yahtzee-bonus")) == "unknown-box"  # the game's own


def test_passing():
    table = Table("yatzy", write_zero=False)
    assert table.refused(Passed()) == "throw-first"
    table.throw(1, 2, 3, 4, 6)
    assert not table.match.can_pass
    assert table.refused(Passed()) == "cannot-pass"
    table = Table("yatzy").throw(1, 2, 3, 4, 6)
    assert table.refused(Passed()) == "cannot-pass"


def test_write_zero_off():
    """Passing only when no open box would score; 0 stays allowed; full sheets sit out until all are full."""
    table = Table("yatzy", ("Anna", "Ben"), write_zero=False, order="down")
    table.throw(2, 3, 4, 5, 6)
    assert table.offers() == {("ones", 1): 0}
    assert table.match.can_pass
    table.do(Passed())
    assert table.match.player == "Ben"
    boxes = list(table.match.game.places)
    for box in boxes[:-1]:
        table.turn(box, 1, 2, 3, 4, 6)
        table.turn(box, 2, 2, 2, 2, 2)
    table.turn("yatzy", 1, 2, 3, 4, 6)
    assert (table.match.player, table.match.phase) == ("Anna", "throw")
    assert table.throw(1, 2, 3, 4, 6).match.can_pass
    table.do(Passed())
    assert table.match.player == "Anna"
    assert not table.match.finished
    table.turn("yatzy", 4, 4, 4, 4, 4)
    assert table.match.phase == "over"
    assert table.match.winners == ("Anna",)


# Saved throws


def test_unused_rethrows_are_banked():
    table = Table("maxi-yatzy", ("Anna", "Bo"))
    assert table.match.saved == {"Anna": 0, "Bo": 0}
    table.turn("chance", *SIX)
    assert table.match.saved == {"Anna": 2, "Bo": 0}
    table.throw(*SIX).throw(*SIX).enter("chance")
    assert table.match.saved == {"Anna": 2, "Bo": 1}
    table.throw(*SIX).throw(*SIX).throw(*SIX).enter("ones")
    assert table.match.saved == {"Anna": 2, "Bo": 1}


def test_saved_throws_are_paid_before_throwing():
    table = Table("maxi-yatzy")
    assert table.refused(SavedThrowSpent()) == "throw-first"
    table.turn("chance", *SIX).throw(*SIX)
    assert table.refused(SavedThrowSpent()) == "throws-left"
    table.throw(*SIX)
    assert table.refused(SavedThrowSpent()) == "throws-left"
    table.throw(*SIX)
    assert table.refused(Thrown(SIX)) == "no-throw-left"
    table.do(SavedThrowSpent())
    assert (table.match.saved["Anna"], table.match.throws_left) == (1, 1)
    assert table.refused(SavedThrowSpent()) == "throws-left"
    table.throw(*SIX)
    assert (table.match.throw, table.match.throws_left) == (4, 0)
    table.do(SavedThrowSpent()).throw(*SIX)
    assert table.refused(SavedThrowSpent()) == "no-saved-throw"
    table.enter("ones")
    assert table.match.saved["Anna"] == 0  # bought throws earn nothing


def test_one_paid_but_not_thrown_goes_back():
    table = Table("maxi-yatzy").turn("chance", *SIX)
    for _ in range(3):
        table.throw(*SIX)
    table.do(SavedThrowSpent()).throw(*SIX).do(SavedThrowSpent()).enter("ones")
    assert table.match.saved["Anna"] == 1


def test_no_upper_limit():
    table = Table("trippel-maxi-yatzy")
    for box in list(table.match.game.places):
        for column in (1, 2, 3):
            table.turn(box, *SIX, column=column)
    assert table.match.saved["Anna"] == 120


def test_a_turn_that_passes_banks_too():
    table = Table("maxi-yatzy", write_zero=False, order="down").throw(2, 3, 4, 5, 6, 6).throw(*(2,) * 6)
    table.do(Passed())
    assert table.match.saved["Anna"] == 1
    for _ in range(3):
        table.throw(*(2,) * 6)
    table.do(SavedThrowSpent()).do(Passed())
    assert table.match.saved["Anna"] == 1


def test_a_teams_bank_belongs_to_its_sheet():
    table = Table("maxi-yatzy", ("Anna", "Bo"), teams=(("Anna", "Bo"),)).turn("chance", *SIX)
    assert table.match.player == "Bo"
    assert table.match.saved == {"Anna & Bo": 2}
    for _ in range(3):
        table.throw(*SIX)
    assert table.do(SavedThrowSpent()).match.saved == {"Anna & Bo": 1}


def test_saved_throws_off_and_games_without():
    table = Table("maxi-yatzy", saved_throws=False).turn("chance", *SIX)
    for _ in range(3):
        table.throw(*SIX)
    assert table.refused(SavedThrowSpent()) == "no-saved-throw"
    assert table.match.saved == {}
    assert table.change(saved_throws=True).match.saved == {"Anna": 0}  # nothing was banked meanwhile
    yatzy = Table("yatzy").throw(1, 2, 3, 4, 6)
    assert yatzy.refused(SavedThrowSpent()) == "no-saved-throw"
    assert yatzy.match.saved == {}


def test_switching_saved_throws_off_loses_none():
    table = Table("maxi-yatzy").turn("chance", *SIX)
    for _ in range(3):
        table.throw(*SIX)
    table.do(SavedThrowSpent()).change(saved_throws=False)
    assert table.match.throws_left == 1
    table.enter("ones").change(saved_throws=True)
    assert table.match.saved == {"Anna": 2}


def test_undo_never_loses_a_saved_throw():
    table = Table("maxi-yatzy").turn("chance", *SIX)
    for _ in range(3):
        table.throw(*SIX)
    table.do(SavedThrowSpent())
    assert table.match.saved["Anna"] == 1
    table.undo()
    assert (table.match.saved["Anna"], table.match.throws_left) == (2, 0)
    table.redo().throw(*SIX).undo().undo().enter("ones")
    assert table.match.saved["Anna"] == 2
    table.undo().undo().enter("ones").undo()
    assert table.match.saved["Anna"] == 2


# Correcting


def test_correcting_the_present_dice():
    table = Table("yatzy")
    assert table.refused(Corrected((1, 2, 3, 4, 6))) == "throw-first"
    table.throw(1, 2, 3, 4, 6).hold(5).do(Corrected((1, 2, 3, 4, 5)))
    assert table.match.dice == (1, 2, 3, 4, 5)
    assert (table.match.throw, table.match.held) == (1, (5,))
    assert table.offers()["small-straight", 1] == 15
    assert table.refused(Thrown((1, 1, 1, 1, 6))) == "held-die-changed"  # the held die is the true one now
    table.throw(1, 1, 1, 1, 5)


def test_correcting_an_entry_scores_its_box_again():
    table = Table("trippel-yatzy", ("Anna", "Ben")).turn("sixes", 6, 6, 6, 6, 1, column=2)
    assert table.refused(Corrected((6,) * 5, "Cia", "sixes", 2)) == "unknown-player"
    assert table.refused(Corrected((6,) * 5, "Anna", "sevens", 2)) == "unknown-box"
    assert table.refused(Corrected((6,) * 5, "Anna", "sixes", 4)) == "unknown-column"
    assert table.refused(Corrected((6,) * 5, "Anna", "sixes", 1)) == "throw-first"
    table.throw(1, 2, 3, 4, 6).do(Corrected((6, 6, 6, 1, 1), "Anna", "sixes", 2))
    assert table.box("sixes", 2) == 36
    assert (table.match.player, table.match.dice) == ("Ben", (1, 2, 3, 4, 6))
    assert table.undo().box("sixes", 2) == 48


def test_a_correction_moves_bonus_and_joker():
    table = Table("yahtzee").turn("yahtzee", *(5,) * 5).turn("fives", *(5,) * 5).turn("full-house", *(5,) * 5)
    assert (table.box("yahtzee-bonus"), table.box("full-house")) == (200, 25)
    table.do(Corrected((5, 5, 5, 5, 4), "Anna", "yahtzee"))
    assert table.box("yahtzee-bonus") is None
    assert table.box("yahtzee") == 0
    assert table.box("full-house") == 25  # a struck yahtzee box still allows the joker
    table.do(Corrected((5, 5, 5, 5, 4), "Anna", "full-house"))
    assert table.box("full-house") == 0


def test_a_correction_makes_an_entry_irregular():
    table = Table("yahtzee").turn("yahtzee", *(5,) * 5).turn("chance", 5, 5, 5, 5, 4)
    assert "irregular" not in table.column()
    assert table.do(Corrected((5,) * 5, "Anna", "chance")).column()["irregular"] == ["chance"]


def test_correcting_after_the_last_box():
    table = Table("yatzy", ("Anna", "Ben"))
    for box in table.match.game.places:
        table.turn(box, 1, 2, 3, 4, 6).turn(box, 1, 2, 3, 4, 6)
    assert table.match.winners == ("Anna", "Ben")
    table.do(Corrected((6, 6, 6, 6, 6), "Ben", "yatzy"))
    assert table.match.winners == ("Ben",)
    assert table.refused(Corrected((1, 2, 3, 4, 6))) == "game-over"


def test_what_an_upper_entry_does_to_the_bonus():
    table = Table("yatzy").throw(6, 6, 6, 6, 1)
    assert table.effect("sixes") == {"over": 6}
    assert table.effect("ones") == {"short": 2}
    assert table.effect("fives") == {"short": 15}
    assert table.effect("chance") == {}
    table.enter("sixes").throw(3, 3, 3, 1, 1)
    assert table.effect("threes") == {"over": 6}
    assert table.effect("ones") == {"over": 5}
    table.enter("twos").throw(3, 3, 1, 1, 4)
    assert table.effect("threes") == {"short": 3}  # 30 where 33 is par
    table.enter("threes").turn("fours", 4, 4, 4, 4, 4).throw(5, 5, 1, 1, 1)
    assert table.effect("ones") == {"over": 5}  # 53 where 48 is par: fives are to come


def test_the_bonus_reached_and_lost():
    table = Table("yatzy")
    for face, box in ((6, "sixes"), (5, "fives"), (4, "fours")):
        table.turn(box, face, face, face, face, face)
    assert table.throw(3, 3, 3, 3, 3).effect("threes") == {}
    table = Table("yatzy")
    for face, box in ((6, "sixes"), (5, "fives")):
        table.turn(box, face, face, face, face, face)
    assert table.throw(4, 4, 4, 4, 4).effect("fours") == {"reached": 63}
    assert table.effect("threes") == {"over": 13}
    table = Table("yatzy")
    for box in ("sixes", "fives"):
        table.turn(box, 1, 2, 2, 2, 3)
    assert table.throw(4, 4, 1, 1, 1).effect("fours") == {"lost": 63}
    assert Table("yatzy", upper_bonus_value=0).throw(6, 6, 6, 6, 1).effect("sixes") == {}
    assert Table("yatzy", upper_bonus_threshold=0).throw(6, 6, 6, 6, 1).effect("sixes") == {}


def test_the_bonus_reached_to_the_point():
    table = Table("yatzy").turn("sixes", 6, 6, 6, 6, 6).turn("fives", 5, 5, 5, 5, 5)
    assert table.throw(4, 4, 1, 1, 2).effect("fours") == {"reached": 63}  # 30 + 25 + 8
    assert table.effect("ones") == {"over": 21}  # 57 where 36 is par
    table.enter("fours").throw(1, 1, 1, 2, 3)
    assert table.effect("ones") == {}  # reached before


def test_the_bonus_out_of_reach_by_one_point():
    table = Table("yatzy").turn("sixes", 6, 6, 6, 6, 1).turn("fives", 5, 5, 5, 5, 1).turn("twos", 2, 2, 3, 3, 3)
    table.turn("threes", 3, 3, 1, 1, 1).throw(4, 4, 1, 1, 2)  # 54, fours and ones are free
    assert table.effect("fours") == {"over": 2}  # 62, and 5 from ones would do: 60 is par
    table = Table("yatzy").turn("sixes", 6, 6, 6, 1, 1).turn("fives", 5, 5, 5, 5, 1).turn("twos", 2, 2, 3, 3, 3)
    table.turn("threes", 3, 3, 1, 1, 1).throw(4, 4, 1, 1, 2)
    assert table.total() == 48
    assert table.effect("ones") == {"short": 1}  # 50, and 13 are needed: four fours make 16; 51 is par
    table.enter("ones").throw(4, 4, 4, 1, 1)
    assert table.effect("fours") == {"lost": 63}  # 62
    assert table.throw(4, 4, 4, 4, 1).effect("fours") == {"reached": 63}
    table = Table("yatzy").turn("sixes", 6, 6, 6, 1, 1).turn("fives", 5, 5, 5, 1, 1).turn("twos", 2, 2, 3, 3, 3)
    table.turn("threes", 3, 3, 1, 1, 1).throw(4, 4, 4, 4, 1)  # 43, and 16 make 59: 4 ones would make 63
    assert table.effect("fours") == {"short": 1}
    table.undo().throw(4, 4, 4, 1, 1)
    assert table.effect("fours") == {"lost": 63}  # 55 + 5


def test_par_of_a_threshold_that_is_no_multiple():
    """75 shared out over 21: a six is worth 21 3/7 of it; a point missing in part counts as one."""
    table = Table("maxi-yatzy", bonus_variant="75-50").throw(6, 6, 6, 6, 1, 2)
    assert table.effect("sixes") == {"over": 2}  # 24 - 21.43
    assert table.effect("ones") == {"short": 3}  # 1 - 3.57
    table.undo().throw(1, 1, 1, 1, 6, 6)
    assert table.effect("ones") == {"level": 0}  # 4 - 3.57
    assert Table("yatzy").throw(4, 4, 4, 1, 2).effect("fours") == {"level": 0}
