"""Whole games: who begins, teams, ties, who comes and goes, undo, rules changed in mid-game."""

import pytest
from rules_table import Table

import rules
from rules import (
    Corrected,
    Entered,
    GameClosed,
    GameStarted,
    Held,
    LotThrown,
    Passed,
    PlayerJoined,
    PlayerLeft,
    RulesChanged,
    Thrown,
)

POOR = (1, 2, 3, 4, 6)
ANNA_BEN = ("Anna", "Ben")


def play_out(table, dice=POOR, but=()):
    """Everybody fills every free box with the same throw, ``but`` (name, box) with another."""
    better = dict(but)
    while table.match.phase == "throw":
        box, column = next(
            (box, column + 1)
            for column, entries in enumerate(table.match.seat.sheet.columns)
            for box, place in table.match.game.places.items()
            if entries[place] is None
        )
        table.turn(box, *better.get((table.match.player, box), dice), column=column)
    return table


def start(**fields):
    return GameStarted(**({"game": "yatzy", "players": ANNA_BEN} | fields))


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (start(game="yacht"), "unknown-game"),
        (start(players=()), "bad-players"),
        (start(players=("Anna", "Anna")), "bad-players"),
        (start(players=("",)), "bad-players"),
        (start(players=(" Anna",)), "bad-players"),
        (start(players=("A" * 21,)), "bad-players"),
        (start(players=("An\tna",)), "bad-players"),
        (start(teams=(("Anna",),)), "bad-players"),
        (start(teams=(("Anna",), ("Ben", "Cia"))), "bad-players"),
        (start(teams=(("Anna", "Ben"), ())), "bad-players"),
        (start(teams=(("Anna",), ("Ben",)), team_names=("Reds",)), "bad-players"),
        (start(teams=(("Anna",), ("Ben",)), team_names=("Reds", "Reds")), "bad-players"),
        (start(teams=(("Anna",), ("Ben",)), team_names=("Reds", "")), "bad-players"),
        (start(teams=(("Anna",), ("Ben",)), team_names=("Reds", "Anna")), "bad-players"),
        (start(team_names=("Reds", "Blues")), "bad-players"),
        (start(players=("Anna", "Ben", "Anna & Ben"), teams=(("Anna", "Ben"), ("Anna & Ben",))), "bad-players"),
        (start(begins="Cia"), "unknown-player"),
        (start(rules=(("jokers", True),)), "unknown-rule"),
        (start(rules=(("upper-bonus-value", 51),)), "rule-out-of-range"),
    ],
)
def test_games_that_cannot_start(event, name):
    assert rules.check(None, event) == name


def test_names_that_are_fine():
    table = Table("yatzy", ("A" * 20, "Åsa Ölund", "李"))
    assert table.match.players == ("A" * 20, "Åsa Ölund", "李")
    assert table.refused(start()) == "already-started"


def test_players_take_turns_clockwise():
    table = Table("yatzy", ("Anna", "Ben", "Cia"), begins="Ben")
    order = []
    for box in ("ones", "ones", "ones", "twos"):
        order.append(table.match.player)
        table.turn(box, *POOR)
    assert order == ["Ben", "Cia", "Anna", "Ben"]


def test_teams_alternate_and_members_rotate():
    """Teams need not be equal; members take their team's turns in rotation."""
    teams = (("Anna", "Bo", "Cia"), ("Dan",))
    table = Table("yatzy", ("Anna", "Bo", "Cia", "Dan"), teams=teams, begins="Bo")
    order = []
    for box in ("ones", "ones", "twos", "twos", "threes", "threes", "fours"):
        order.append(table.match.player)
        table.turn(box, *POOR)
    assert order == ["Bo", "Dan", "Cia", "Dan", "Anna", "Dan", "Bo"]
    sheet = table.sheet()
    assert (sheet["player"], sheet["members"]) == ("Anna & Bo & Cia", ["Anna", "Bo", "Cia"])
    assert list(sheet["columns"][0]["boxes"]) == ["ones", "twos", "threes", "fours"]


def test_teams_may_have_names():
    table = Table("yatzy", ANNA_BEN, teams=(("Anna",), ("Ben",)), team_names=("Reds", "Blues"))
    play_out(table, but={("Ben", "yatzy"): (6,) * 5})
    assert table.match.winners == ("Blues",)
    assert [sheet["player"] for sheet in table.state["sheets"]] == ["Reds", "Blues"]


def test_a_lone_player_has_won_when_the_sheet_is_full():
    table = play_out(Table("yatzy", ("Anna",), begins="throw"))
    assert table.match.winners == ("Anna",)
    assert table.sheet()["rank"] == 1


# Who begins


def test_the_highest_lot_begins():
    table = Table("yatzy", ("Anna", "Ben", "Cia"), begins="throw")
    assert (table.match.phase, table.match.player) == ("begin", "Anna")
    for event in (Thrown(POOR), Held((1,)), Entered("ones"), Passed(), Corrected(POOR)):
        assert table.refused(event) == "not-started"
    assert table.match.throws_left == 0
    table.do(LotThrown("Ben", (6, 6, 6, 6, 6)))
    assert table.refused(LotThrown("Ben", (1, 1, 1, 1, 1))) == "no-throw-left"
    assert table.refused(LotThrown("Dan", (1, 1, 1, 1, 1))) == "unknown-player"
    assert table.refused(LotThrown("Anna", (6,))) == "wrong-number-of-dice"
    table.do(LotThrown("Anna", (1, 1, 1, 1, 1)))
    assert table.match.phase == "begin"
    table.do(LotThrown("Cia", (6, 6, 6, 6, 5)))
    assert (table.match.phase, table.match.player, table.match.throws_left) == ("throw", "Ben", 3)
    assert table.refused(LotThrown("Anna", (1, 1, 1, 1, 1))) == "already-started"


def test_ties_throw_again():
    table = Table("maxi-yatzy", ("Anna", "Ben", "Cia"), begins="throw")
    for name, die in (("Anna", 5), ("Ben", 2), ("Cia", 5)):
        table.do(LotThrown(name, (die,)))
    assert table.match.lots_due == ("Anna", "Cia")
    assert table.refused(LotThrown("Ben", (6,))) == "no-throw-left"
    table.do(LotThrown("Cia", (3,))).do(LotThrown("Anna", (3,)))
    assert table.match.lots_due == ("Anna", "Cia")
    table.do(LotThrown("Cia", (4,))).do(LotThrown("Anna", (3,)))
    assert table.match.player == "Cia"


def test_maxi_lots_are_one_die():
    table = Table("trippel-maxi-yatzy", ANNA_BEN, begins="throw")
    assert table.refused(LotThrown("Anna", (1, 2, 3, 4, 5, 6))) == "wrong-number-of-dice"
    assert table.refused(LotThrown("Anna", (7,))) == "not-a-die"


def test_a_member_begins_for_the_team():
    table = Table("yatzy", ("Anna", "Bo", "Dan"), teams=(("Anna", "Bo"), ("Dan",)), begins="throw")
    assert table.refused(LotThrown("Anna & Bo", (1,) * 5)) == "unknown-player"  # every player throws, not the team
    for name, die in (("Anna", 1), ("Bo", 6), ("Dan", 5)):
        table.do(LotThrown(name, (die,) * 5))
    assert table.match.player == "Bo"


def test_one_team_needs_no_lots():
    assert Table("yatzy", ANNA_BEN, teams=(ANNA_BEN,), begins="throw").match.phase == "throw"


def test_leaving_and_joining_before_the_first_turn():
    table = Table("yatzy", ("Anna", "Ben", "Cia"), begins="throw").do(LotThrown("Anna", (3,) * 5))
    table.do(PlayerJoined("Dan")).do(LotThrown("Dan", (5,) * 5)).do(LotThrown("Ben", (1,) * 5))
    table.do(PlayerLeft("Cia"))
    assert (table.match.phase, table.match.player) == ("throw", "Dan")
    table = Table("yatzy", ANNA_BEN, begins="throw").do(PlayerLeft("Anna"))
    assert (table.match.phase, table.match.player) == ("throw", "Ben")
    table.do(PlayerLeft("Ben"))
    assert (table.match.phase, table.match.winners) == ("over", ())


# How it ends


def test_ranks_are_1_1_3():
    table = Table("yatzy", ("Anna", "Ben", "Cia"))
    play_out(table, but={("Anna", "yatzy"): (6,) * 5, ("Ben", "yatzy"): (5,) * 5})
    assert [sheet["rank"] for sheet in table.state["sheets"]] == [1, 1, 3]
    assert table.match.winners == ("Anna", "Ben")
    assert table.match.player is None


@pytest.mark.parametrize(("game", "tie"), [("yahtzee", "stands"), ("yatzy", "shared"), ("maxi-yatzy", "shared")])
def test_what_a_tie_is(game, tie):
    assert Table(game).match.rules["tie"] == tie


def test_a_throw_off():
    table = play_out(Table("yatzy", ("Anna", "Ben", "Cia", "Dan"), tie="throw-off"), but={("Dan", "ones"): (2,) * 5})
    assert (table.match.phase, table.match.player, table.match.winners) == ("throw-off", "Anna", ())
    assert not table.match.options
    assert table.refused(Thrown(POOR)) == "game-over"
    assert table.refused(LotThrown("Dan", (1,) * 5)) == "no-throw-left"
    assert table.refused(LotThrown("Eva", (1,) * 5)) == "unknown-player"
    assert table.refused(PlayerJoined("Eva")) == "game-over"
    for name, die in (("Cia", 4), ("Anna", 4), ("Ben", 3)):
        table.do(LotThrown(name, (die,) * 5))
    assert table.match.lots_due == ("Anna", "Cia")
    table.do(LotThrown("Anna", (1,) * 5)).do(LotThrown("Cia", (1, 1, 1, 1, 2)))
    assert (table.match.phase, table.match.winners) == ("over", ("Cia",))
    assert [sheet["rank"] for sheet in table.state["sheets"]] == [2, 2, 1, 4]
    assert table.refused(LotThrown("Anna", (1,) * 5)) == "game-over"
    assert table.change(tie="shared").match.winners == ("Anna", "Ben", "Cia")
    assert table.change(tie="throw-off").match.winners == ("Cia",)
    table.undo().undo().undo().undo()
    assert table.match.lots_due == ("Anna", "Cia")


def test_a_throw_off_of_teams_and_one_that_is_called_off():
    teams = (("Anna", "Bo"), ("Dan",))
    table = play_out(Table("maxi-yatzy", ("Anna", "Bo", "Dan"), teams=teams, tie="throw-off"), (1, 2, 3, 4, 6, 6))
    table.do(LotThrown("Bo", (2,)))
    assert table.refused(LotThrown("Anna", (6,))) == "no-throw-left"
    table.do(LotThrown("Dan", (2,))).do(LotThrown("Anna & Bo", (5,))).do(LotThrown("Dan", (6,)))
    assert table.match.winners == ("Dan",)
    table.undo().do(PlayerLeft("Dan"))
    assert table.match.winners == ("Anna & Bo",)
    assert [sheet["rank"] for sheet in table.state["sheets"]] == [1, None]


def test_lots_of_an_earlier_throw_off_do_not_count_again():
    table = play_out(Table("yahtzee", ANNA_BEN, tie="throw-off"))
    table.do(LotThrown("Anna", (1,) * 5)).do(LotThrown("Ben", (2,) * 5))
    assert table.match.winners == ("Ben",)
    play_out(table.change(columns=2))
    assert (table.match.phase, table.match.lots_due) == ("throw-off", ANNA_BEN)


def test_after_the_end():
    table = play_out(Table("yatzy", ANNA_BEN))
    for event in (Thrown(POOR), Held((1,)), Entered("ones"), Passed(), rules.SavedThrowSpent()):
        assert table.refused(event) == "game-over"
    for event in (PlayerLeft("Anna"), PlayerJoined("Cia"), LotThrown("Anna", (1,) * 5), Corrected(POOR)):
        assert table.refused(event) == "game-over"
    table.undo()
    assert (table.match.phase, table.match.player, table.match.dice) == ("choose", "Ben", POOR)
    table.redo()
    assert table.match.phase == "over"


def test_closing():
    table = Table("yatzy", ANNA_BEN).throw(*POOR).do(GameClosed())
    assert (table.match.phase, table.match.winners, table.match.dice) == ("over", (), ())
    for event in (GameClosed(), Thrown(POOR), RulesChanged(()), Corrected(POOR, "Anna", "ones")):
        assert table.refused(event) == "game-over"
    assert table.undo().match.dice == POOR
    table.redo().do(start(game="yahtzee", players=("Cia",)))
    assert (table.match.game.id, table.match.player) == ("yahtzee", "Cia")
    assert table.refused(rules.Undone()) == "nothing-to-undo"  # the closed game is put away
    finished = play_out(Table("yatzy", ANNA_BEN)).do(GameClosed())
    assert finished.match.winners == ANNA_BEN


# Who comes and goes


def test_a_player_leaves():
    table = Table("yatzy", ("Anna", "Ben", "Cia")).turn("ones", *POOR).throw(*POOR).hold(1)
    table.do(PlayerLeft("Ben"))
    assert (table.match.player, table.match.dice, table.match.held) == ("Cia", (), ())
    assert table.match.players == ("Anna", "Cia")
    assert table.refused(PlayerLeft("Ben")) == "unknown-player"
    assert table.refused(PlayerLeft("Eva")) == "unknown-player"
    play_out(table, but={("Cia", "yatzy"): (6,) * 5})
    assert [sheet["rank"] for sheet in table.state["sheets"]] == [2, None, 1]
    assert table.match.winners == ("Cia",)
    assert table.sheet(1)["columns"][0]["boxes"] == {}


def test_somebody_leaves_who_is_not_on_turn():
    table = Table("yatzy", ("Anna", "Ben", "Cia")).throw(*POOR).do(PlayerLeft("Cia"))
    assert (table.match.player, table.match.dice) == ("Anna", POOR)
    table.enter("ones").turn("ones", *POOR)
    assert table.match.player == "Anna"


def test_a_team_goes_on_without_a_member():
    """The dice are the team's: the next member takes them over."""
    teams = (("Anna", "Bo", "Cia"), ("Dan",))
    table = Table("yatzy", ("Anna", "Bo", "Cia", "Dan"), teams=teams).turn("ones", *POOR).turn("ones", *POOR)
    table.throw(*POOR)
    assert table.match.player == "Bo"
    table.do(PlayerLeft("Bo"))
    assert (table.match.player, table.match.dice) == ("Cia", POOR)
    table.enter("twos").turn("twos", *POOR)
    assert table.match.player == "Anna"
    table.do(PlayerLeft("Anna")).turn("threes", *POOR).turn("threes", *POOR)
    assert table.match.player == "Cia"
    assert table.sheet()["members"] == ["Anna", "Bo", "Cia"]
    table.do(Corrected((3,) * 5, "Anna", "threes"))
    assert table.box("threes") == 15
    assert table.sheet()["rank"] == 1


def test_a_saved_throw_paid_goes_back_when_its_player_leaves():
    table = Table("maxi-yatzy", ANNA_BEN).turn("ones", *POOR, 6).turn("ones", *POOR, 6)
    for _ in range(3):
        table.throw(*POOR, 6)
    table.do(rules.SavedThrowSpent()).do(PlayerLeft("Anna"))
    assert table.match.saved == {"Anna": 2, "Ben": 2}
    assert table.undo().match.saved == {"Anna": 1, "Ben": 2}


def test_everybody_leaves():
    table = Table("yatzy", ANNA_BEN).do(PlayerLeft("Anna")).do(PlayerLeft("Ben"))
    assert (table.match.phase, table.match.winners, table.match.player) == ("over", (), None)
    assert not rules.sheets(table.match)["finished"]
    assert table.undo().match.player == "Ben"


def test_a_player_joins():
    table = Table("yatzy", ANNA_BEN).turn("ones", *POOR)
    assert table.refused(PlayerJoined("Anna")) == "name-taken"
    assert table.refused(PlayerJoined("")) == "bad-players"
    table.do(PlayerJoined("Cia"))
    assert table.sheet(2)["columns"][0]["boxes"] == {}
    table.turn("ones", *POOR)
    assert table.match.player == "Cia"
    table.turn("chance", *POOR)
    assert table.match.player == "Anna"
    table.do(PlayerLeft("Cia"))
    assert table.refused(PlayerJoined("Cia")) == "name-taken"
    assert table.undo().match.players == ("Anna", "Ben", "Cia")


def test_one_who_joined_late_plays_on_alone():
    table = Table("yatzy", ("Anna",))
    boxes = list(table.match.game.places)
    for box in boxes[:-1]:
        table.turn(box, *POOR)
    table.do(PlayerJoined("Ben")).turn(boxes[-1], *POOR)
    assert (table.match.player, table.match.phase) == ("Ben", "throw")
    for box in boxes:
        assert table.match.player == "Ben"
        table.turn(box, *POOR)
    assert table.match.phase == "over"


# Undo and redo


def test_undo_reaches_the_very_first_event():
    table = Table("yatzy", ANNA_BEN)
    first = table.state
    assert table.refused(rules.Undone()) == "nothing-to-undo"
    assert table.match.can_undo is None
    play_out(table)
    last = table.state
    count = 0
    while table.match.can_undo:
        table.undo()
        count += 1
    assert table.state == first
    assert count == 2 * 2 * 15
    assert table.match.standing == 1
    while table.match.can_redo:
        table.redo()
    assert table.state == last
    assert table.match.standing == 61


def test_undo_takes_back_whatever_it_was():
    table = Table("maxi-yatzy", ANNA_BEN).throw(1, 2, 3, 4, 6, 6)
    events = [
        Held((5, 6)),
        Corrected((1, 2, 3, 4, 5, 6)),
        RulesChanged((("bonus-variant", "75-50"),)),
        PlayerJoined("Cia"),
        PlayerLeft("Ben"),
        Entered("full-straight"),
        Corrected((1, 1, 1, 1, 1, 1), "Anna", "full-straight"),
        GameClosed(),
    ]
    for event in events:
        before = table.state
        table.do(event)
        after = table.state
        assert after != before
        assert table.match.can_undo == event
        assert table.undo().state == before
        assert table.match.can_redo == event
        assert table.redo().state == after


def test_any_other_event_clears_what_could_be_redone():
    table = Table("yatzy").throw(*POOR).undo().throw(*POOR)
    assert table.refused(rules.Redone()) == "nothing-to-redo"
    assert table.match.can_redo is None
    table.undo().redo()
    assert table.refused(rules.Redone()) == "nothing-to-redo"


def test_applying_what_cannot_be_undone_changes_nothing():
    table = Table("yatzy")
    assert rules.apply(table.match, rules.Undone()) is table.match
    assert rules.apply(table.match, rules.Redone()) is table.match


# Rules changed in mid-game


def test_every_score_is_worked_out_again():
    table = Table("yatzy", ANNA_BEN)
    play_out(table, (2, 3, 4, 5, 6), but={("Anna", "small-straight"): (1, 2, 3, 4, 5)})
    before = table.total(0), table.total(1)
    table.change(straights="30-40")
    assert (table.total(0), table.total(1)) == (before[0] + 15 + 20, before[1] + 20)
    table.change(upper_bonus_threshold=20, upper_bonus_value=5)
    assert table.column()["upper-bonus"] == 5
    table.change(upper_bonus_threshold=21)
    assert table.column()["upper-bonus"] == 0


def test_rules_that_cannot_be():
    table = Table("yatzy")
    for rule, value, name in [
        ("jokers", True, "unknown-rule"),
        ("columns", 2, "unknown-rule"),
        ("upper-bonus-threshold", 106, "rule-out-of-range"),
        ("upper-bonus-threshold", -1, "rule-out-of-range"),
        ("upper-bonus-threshold", True, "rule-out-of-range"),
        ("upper-bonus-threshold", "63", "rule-out-of-range"),
        ("upper-bonus-value", 101, "rule-out-of-range"),
        ("upper-bonus-value", 52, "rule-out-of-range"),
        ("extra-yatzy-bonus", 30, "rule-out-of-range"),
        ("order", "sideways", "rule-out-of-range"),
        ("order", ("down", "up"), "rule-out-of-range"),
        ("order", (), "rule-out-of-range"),
        ("straights", "20-30", "rule-out-of-range"),
        ("straights", 15, "rule-out-of-range"),
        ("straights", ("15-20",), "rule-out-of-range"),
        ("write-zero", 1, "rule-out-of-range"),
    ]:
        assert table.refused(RulesChanged(((rule, value),))) == name, (rule, value)
    assert Table("maxi-yatzy", upper_bonus_threshold=126).match.rules["upper-bonus-threshold"] == 126


def test_a_refused_rule_says_its_range_and_step():
    table = Table("yatzy")
    refusal = rules.check(table.match, RulesChanged((("upper-bonus-value", 52),)))
    assert refusal.detail == "upper-bonus-value: 52 is not allowed; allowed: 0 to 100 in steps of 5"
    refusal = rules.check(table.match, RulesChanged((("write-zero", 0),)))
    assert refusal.detail == "write-zero: 0 is not allowed; allowed: on (true) or off (false)"
    refusal = rules.check(table.match, RulesChanged((("straights", True),)))
    assert refusal.detail == "straights: on is not allowed; allowed: 15-20 or 30-40"
    refusal = rules.check(table.match, RulesChanged((("order", ("up", "up")),)))
    assert "[up, up] is not allowed; allowed: free or down or up" in refusal.detail
    assert "(columns here: 1)" in refusal.detail
    assert table.match.game.rule["order"].trouble(("x",)).startswith("order: [x] is not allowed; allowed: free or down")
    refusal = rules.check(table.match, RulesChanged((("jokers", True),)))
    assert refusal.detail.startswith("jokers: no house rule of yatzy; allowed: upper-bonus-threshold, ")


def test_columns_never_fewer_than_in_use():
    table = Table("yahtzee", columns=3).turn("ones", *POOR, column=2)
    assert table.refused(RulesChanged((("columns", 1),))) == "columns-in-use"
    table.change(columns=2)
    assert len(table.sheet()["columns"]) == 2
    assert table.change(columns=6).throw(*POOR).offers()["ones", 6] == 1
    assert table.match.game.rule["columns"].trouble(7) is not None


def test_fewer_columns_can_fill_the_sheet_on_turn():
    """Anna has filled one column of two; with one column she is done, dice on the table or not."""
    table = Table("yahtzee", ANNA_BEN, columns=2)
    boxes = list(table.match.game.places)
    for box in boxes:
        table.turn(box, *POOR)
        if box != boxes[-1]:
            table.turn(box, *POOR)
    assert table.match.player == "Ben"
    table.turn(boxes[-1], *POOR)
    assert table.match.player == "Anna"
    table.throw(*POOR)
    before = table.state
    table.change(columns=1)
    assert (table.match.phase, table.match.dice) == ("over", ())
    assert table.change(columns=2).state == before


def test_the_next_takes_over_when_the_sheet_on_turn_is_full():
    table = Table("yahtzee", ANNA_BEN, columns=2)
    boxes = list(table.match.game.places)
    for box in boxes[:-1]:
        table.turn(box, *POOR).turn(box, *POOR)
    table.turn(boxes[-1], *POOR).throw(*POOR)
    table.do(PlayerJoined("Cia")).enter(boxes[-1])
    assert table.match.player == "Cia"
    table.turn("ones", *POOR).throw(*POOR)  # Anna's dice lie there
    before = table.state
    assert table.match.player == "Anna"
    table.change(columns=1)
    assert (table.match.player, table.match.phase, table.match.throw) == ("Cia", "throw", 0)
    table.throw(1, 1, 1, 1, 1)
    assert (table.match.player, table.match.throw, table.match.dice) == ("Cia", 1, (1,) * 5)
    assert table.undo().undo().state == before


def test_order_per_column_is_repeated_and_cut():
    table = Table("kniffel")
    assert table.match.rules["order"] == ("down", "free", "up")
    assert table.change(columns=5).match.rules["order"] == ("down", "free", "up", "down", "free")
    assert table.change(columns=1).match.rules["order"] == ("down",)
    assert table.change(columns=2, order=["up", "down"]).match.rules["order"] == ("up", "down")
    assert table.change(order="free").match.rules["order"] == "free"
    assert table.refused(RulesChanged((("order", ("up",)),))) == "rule-out-of-range"


def test_entries_a_change_made_illegal_stay_and_are_marked():
    table = Table("yatzy").turn("chance", *POOR).turn("ones", *POOR).turn("yatzy", *POOR)
    table.change(order="down")
    assert table.column()["irregular"] == ["chance", "yatzy"]
    assert table.total() == 16 + 1
    assert table.throw(*POOR).offers() == {("twos", 1): 2}
    assert "irregular" not in table.change(order="free").column()
    table = Table("yahtzee", jokers=False).turn("yahtzee", *(5,) * 5).turn("chance", *(5,) * 5)
    assert table.change(jokers=True).column()["irregular"] == ["chance"]


def test_an_explicit_bonus_wins_over_the_variant():
    table = Table("maxi-yatzy", bonus_variant="75-50")
    shown = table.match.rules
    assert (shown["upper-bonus-threshold"], shown["upper-bonus-value"]) == (75, 50)
    shown = table.change(upper_bonus_threshold=90).match.rules
    assert (shown["upper-bonus-threshold"], shown["upper-bonus-value"]) == (90, 50)
    shown = table.change(bonus_variant="84-100").match.rules
    assert (shown["upper-bonus-threshold"], shown["upper-bonus-value"]) == (90, 100)
    shown = table.change(upper_bonus_threshold=None).match.rules
    assert shown["upper-bonus-threshold"] == 84


def test_the_best_single_column():
    table = Table("triple-yahtzee").turn("yahtzee", *(6,) * 5, column=1).turn("yahtzee", *(6,) * 5, column=3)
    assert table.total() == 50 + 150 + 300
    assert table.change(sum_columns=False).total() == 150 + 300


def test_a_threshold_of_0_is_always_reached():
    assert Table("yatzy", upper_bonus_threshold=0).total() == 50


# Whatever was recorded is accepted


def test_apply_never_judges():
    """An old journal may hold what today's door would refuse; loading it must not fail."""
    table = Table("yatzy", ANNA_BEN)
    match = table.match
    for event in [
        Entered("no-such-box"),
        Thrown((9, 9)),
        Entered("ones", 7),
        Entered("ones"),
        Entered("ones"),
        Held((99,)),
        Corrected((1,), "Nobody", "ones"),
        Corrected((1,), "Anna", "twos"),
        Corrected((1,), "Anna", "no-such-box"),
        Corrected((1,), "Anna", "ones", 5),
        LotThrown("Nobody", (1,)),
        PlayerLeft("Nobody"),
        Passed(),
        RulesChanged((("no-such-rule", 5), ("columns", 9), ("order", "sideways"), ("straights", "9-9"), ("tie", 7))),
        rules.SavedThrowSpent(),
        PlayerLeft("Anna"),
        PlayerLeft("Ben"),
        Thrown((1, 1, 1, 1, 1)),
        Entered("ones"),
        GameClosed(),
    ]:
        match = rules.apply(match, event)
        rules.state(match)
    assert rules.replay([Thrown(POOR)]) is None
    with pytest.raises(ValueError, match="no game was started before thrown"):
        rules.apply(None, Thrown(POOR))
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        rules.apply(None, start(game="chess"))
