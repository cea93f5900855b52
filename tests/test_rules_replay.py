"""Events as JSON, and the answers of ``tallytray replay``."""

import json

import pytest
from rules_table import Table

import rules
from rules import EventError, ReplayError

CONTRACT = """
{"type": "game-started", "game": "maxi-yatzy", "rules": {}, "players": ["Anna", "Bo"], "teams": [["Anna"], ["Bo"]]}
{"type": "thrown", "dice": [1, 3, 3, 5, 6, 6]}
{"type": "held", "slots": [5, 6]}
{"type": "saved-throw-spent"}
{"type": "corrected", "dice": [1, 3, 3, 5, 6, 5]}
{"type": "corrected", "dice": [6, 6, 6, 6, 2, 1], "player": "Anna", "box": "sixes", "column": 1}
{"type": "lot-thrown", "player": "Bo", "dice": [5]}
{"type": "entered", "box": "one-pair", "column": 1}
{"type": "passed"}
{"type": "rules-changed", "rules": {"bonus-variant": "75-50"}}
{"type": "undone"}
{"type": "redone"}
{"type": "player-left", "player": "Bo"}
{"type": "player-joined", "player": "Cia"}
{"type": "game-closed"}
""".strip().splitlines()


@pytest.mark.parametrize("line", CONTRACT)
def test_every_line_of_the_contract_is_an_event_and_comes_back_as_it_was(line):
    event = rules.event_from_json(json.loads(line))
    assert rules.event_to_json(event) == json.loads(line)
    assert hash(event) is not None


def test_every_event_there_is_comes_back_as_it_was():
    events = [
        rules.GameStarted("yatzy", ("Anna", "Bo"), (("order", ("up",)), ("tie", None)), begins="throw"),
        rules.GameStarted("yatzy", ("Anna", "Bo"), (), (("Anna",), ("Bo",)), ("Reds", "Blues"), "Bo"),
        rules.Entered("ones"),
        rules.Corrected((1, 2, 3, 4, 5), "Anna", "ones"),
        rules.RulesChanged((("jokers", False), ("columns", 3), ("order", ("up", "down")))),
    ]
    for event in events:
        assert rules.event_from_json(json.loads(json.dumps(rules.event_to_json(event)))) == event


def test_column_1_need_not_be_said():
    assert rules.event_from_json({"type": "entered", "box": "ones"}) == rules.Entered("ones", 1)
    assert rules.event_from_json({"type": "entered", "box": "ones", "column": None}) == rules.Entered("ones")


def test_names_are_trimmed_and_spelled_one_way():
    event = rules.event_from_json({"type": "player-joined", "player": "  A\u030asa "})
    assert event.player == "Åsa"


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (5, "an event is an object with a type, not 5"),
        ([], "an event is an object with a type, not []"),
        ({}, "type: None is no event; allowed: game-started, thrown, "),
        ({"type": "rolled"}, "type: 'rolled' is no event"),
        ({"type": ["thrown"]}, "type: ['thrown'] is no event"),
        ({"type": "thrown"}, "thrown: dice is missing"),
        ({"type": "thrown", "dice": 5}, "thrown: dice: 5 is not a list of whole numbers"),
        ({"type": "thrown", "dice": ["5"]}, "thrown: dice: '5' is not a whole number"),
        ({"type": "thrown", "dice": [True]}, "thrown: dice: True is not a whole number"),
        ({"type": "thrown", "dice": [1.0]}, "thrown: dice: 1.0 is not a whole number"),
        ({"type": "thrown", "dice": [None]}, "thrown: dice: None is not a whole number"),
        ({"type": "thrown", "dice": [1], "die": 1}, "thrown: 'die' does not belong here; allowed: dice"),
        ({"type": "passed", "box": "ones"}, "passed: 'box' does not belong here; allowed: nothing more"),
        ({"type": "entered", "box": 5}, "entered: box: 5 is not a text"),
        ({"type": "entered", "box": "ones", "column": "1"}, "entered: column: '1' is not a whole number"),
        ({"type": "corrected", "dice": [1], "box": "ones"}, "corrected: player and box go together"),
        ({"type": "corrected", "dice": [1], "column": 1}, "corrected: column needs player and box"),
        ({"type": "game-started", "game": "yatzy"}, "game-started: players is missing"),
        ({"type": "game-started", "game": "yatzy", "players": "Anna"}, "game-started: players: 'Anna' is not a list"),
        (
            {"type": "game-started", "game": "yatzy", "players": ["Anna"], "teams": "x"},
            "game-started: teams: 'x' is not a list of teams",
        ),
        (
            {"type": "game-started", "game": "yatzy", "players": ["Anna"], "rules": []},
            "game-started: rules: [] is not an object",
        ),
        ({"type": "rules-changed", "rules": {"tie": {}}}, "rules-changed: rules: tie: {} is not a whole number"),
        ({"type": "rules-changed", "rules": {"order": [1]}}, "rules-changed: rules: order: 1 is not a text"),
    ],
)
def test_what_is_no_event(obj, message):
    with pytest.raises(EventError) as error:
        rules.event_from_json(obj)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_one_answer_per_line_then_the_state():
    answers = list(rules.replay_lines(CONTRACT))
    assert [answer["n"] for answer in answers[:-1]] == list(range(1, 16))
    refused = {answer["n"]: answer["refusal"] for answer in answers[:-1] if not answer["ok"]}
    assert refused == {4: "throws-left", 6: "throw-first", 7: "already-started", 9: "throw-first"}
    assert all("refusal" not in answer for answer in answers[:-1] if answer["ok"])
    (state,) = answers[-1].values()
    assert list(state) == [
        "game", "rules", "phase", "player", "throw", "throws-left", "saved", "dice", "held", "options", "sheets",
        "winners",
    ]  # fmt: skip
    assert state["saved"] == {"Anna": 2, "Bo": 0, "Cia": 0}
    assert state["rules"]["bonus-variant"] == "75-50"
    json.dumps(answers)


def test_a_refused_event_changes_nothing():
    lines = [CONTRACT[0], CONTRACT[1]]
    bad = ['{"type": "entered", "box": "no"}', '{"type": "thrown", "dice": [1]}', '{"type": "redone"}']
    assert list(rules.replay_lines(lines))[-1] == list(rules.replay_lines(lines + bad))[-1]


def test_the_state_in_mid_turn():
    lines = [*CONTRACT[:3], ""]
    state = list(rules.replay_lines(lines))[-1]["state"]
    assert (state["phase"], state["player"], state["throw"], state["throws-left"]) == ("choose", "Anna", 1, 2)
    assert (state["dice"], state["held"]) == ([1, 3, 3, 5, 6, 6], [5, 6])
    assert state["options"][0] == {"box": "ones", "column": 1, "points": 1, "joker": False}
    assert [option["box"] for option in state["options"]] == list(rules.games()["maxi-yatzy"].places)
    assert state["sheets"][0] == {
        "player": "Anna",
        "members": ["Anna"],
        "rank": 1,
        "total": 0,
        "chips": 0,
        "columns": [{"boxes": {}, "upper-sum": 0, "upper-bonus": 0, "upper-total": 0, "lower-total": 0, "total": 0}],
    }


def test_options_come_by_column_then_in_the_sheets_order():
    table = Table("trippel-yatzy").throw(1, 2, 3, 4, 6)
    found = [(option["column"], option["box"]) for option in table.state["options"]]
    assert found == [(column, box) for column in (1, 2, 3) for box in table.match.game.places]
    assert [(option.column, option.box) for option in rules.options(table.match)] == found


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "line 1: no JSON: Expecting property name"),
        ([CONTRACT[0], "", "nonsense"], "line 3: no JSON: Expecting value at column 1"),
        ([CONTRACT[0], "[1]"], "line 2: an event is an object with a type, not [1]"),
        ([CONTRACT[0], '{"type": "thrown", "dice": "x"}'], "line 2: thrown: dice: 'x' is not a list"),
        ([CONTRACT[0], '{"type": "held", "slots": [' + "9" * 5000 + "]}"], "line 2: no JSON that can be read"),
        ([CONTRACT[0], "[" * 100_000], "line 2: no JSON that can be read"),
        ([], "no game was started"),
        (["", "  "], "no game was started"),
        ([CONTRACT[1]], "no game was started (line 1: not-started)"),
        (
            ['{"type": "game-started", "game": "chess", "players": ["A"]}'],
            "no game was started (line 1: chess: no game; allowed: yahtzee, kniffel, ",
        ),
    ],
)
def test_files_that_are_no_event_file(lines, message):
    with pytest.raises(ReplayError) as error:
        list(rules.replay_lines(lines))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_replaying_the_journal_gives_the_same_state():
    table = Table("yahtzee", ("Anna", "Bo"), begins="throw").do(rules.LotThrown("Anna", (1,) * 5))
    table.do(rules.LotThrown("Bo", (2,) * 5)).throw(1, 2, 3, 4, 6).undo().redo().enter("chance")
    again = rules.replay(table.events)
    assert again == table.match
    assert rules.state(again) == table.state
    lines = [json.dumps(rules.event_to_json(event)) for event in table.events]
    assert list(rules.replay_lines(lines))[-1] == {"state": table.state}


def test_the_rules_in_force_can_start_the_next_game():
    for game in rules.games():
        state = Table(game).state
        started = {"type": "game-started", "game": game, "players": ["Anna"], "rules": state["rules"]}
        again = rules.replay([rules.event_from_json(started)])
        assert rules.check(None, rules.event_from_json(started)) is None
        assert rules.state(again) == state
