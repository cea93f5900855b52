"""``tallytray score``: sheets written by hand, in numbers or dice."""

import copy

import pytest
from rules_table import written

import rules
from rules import ScoreError

UPPERS = ["ones", "twos", "threes", "fours", "fives", "sixes"]
LOWERS = ["three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance"]


def yahtzee(numbers, bonus):
    """A column from the numbers as games.md and the Danish text list them: upper, lower, bonus box."""
    return dict(zip(UPPERS + LOWERS, numbers, strict=True)) | {"yahtzee-bonus": bonus}


ANNA = yahtzee([3, 8, 9, 12, 20, 18, 24, 23, 25, 30, 40, 50, 23], 100)
BEN = yahtzee([2, 6, 9, 12, 15, 18, 22, 0, 25, 30, 0, 0, 21], 0)


def two(**changes):
    return {
        "game": "yahtzee",
        "sheets": [{"player": "Anna", "columns": [ANNA]}, {"player": "Ben", "columns": [BEN]}],
    } | changes


def test_the_worked_example_of_the_danish_text():
    assert rules.score(two()) == {
        "game": "yahtzee",
        "finished": True,
        "winners": ["Anna"],
        "sheets": [
            {
                "player": "Anna",
                "rank": 1,
                "total": 420,
                "chips": 0,
                "columns": [
                    {
                        "boxes": ANNA,
                        "upper-sum": 70,
                        "upper-bonus": 35,
                        "upper-total": 105,
                        "lower-total": 315,
                        "total": 420,
                    }
                ],
            },
            {
                "player": "Ben",
                "rank": 2,
                "total": 160,
                "chips": 0,
                "columns": [
                    {
                        "boxes": BEN,
                        "upper-sum": 62,
                        "upper-bonus": 0,
                        "upper-total": 62,
                        "lower-total": 98,
                        "total": 160,
                    }
                ],
            },
        ],
    }


def test_a_bonus_box_left_out_leaves_the_column_unfinished():
    sheets = two()
    sheets["sheets"][1]["columns"] = [{box: n for box, n in BEN.items() if box != "yahtzee-bonus"}]
    answer = rules.score(sheets)
    assert (answer["finished"], answer["winners"]) == (False, [])
    assert [sheet["rank"] for sheet in answer["sheets"]] == [1, 2]
    answer = rules.score(sheets | {"rules": {"yahtzee-bonus-value": 0}} | {"sheets": sheets["sheets"][1:]})
    assert answer["finished"]


def test_the_example_of_the_contract():
    answer = rules.score(
        {
            "game": "yahtzee",
            "rules": {"upper-bonus-value": 35},
            "sheets": [
                {
                    "player": "Anna",
                    "columns": [
                        {
                            "ones": 3,
                            "twos": [2, 2, 2, 2, 5],
                            "three-of-a-kind": [6, 6, 6, 4, 2],
                            "yahtzee-bonus": 100,
                        }
                    ],
                    "chips": [300, 200],
                }
            ],
        }
    )
    (sheet,) = answer["sheets"]
    assert sheet["columns"][0]["boxes"] == {"ones": 3, "twos": 8, "three-of-a-kind": 24, "yahtzee-bonus": 100}
    assert (sheet["chips"], sheet["total"], answer["finished"]) == (0, 135, False)


def test_the_worked_example_of_triple_yahtzee():
    """Columns 141 / 254 / 326 make 1627, with 500 in chips 2127 (Swedish rule text)."""
    lists = [
        [3, 6, 9, 8, 10, 12, 20, 0, 25, 30, 0, 0, 18],  # 48 + 93
        [3, 6, 9, 12, 15, 18, 24, 17, 25, 30, 0, 50, 10],  # 63 + 35 + 156
        [4, 8, 12, 16, 20, 18, 28, 25, 25, 30, 40, 50, 15],  # 78 + 35 + 213
    ]
    columns = [dict(zip(UPPERS + LOWERS, numbers, strict=True)) for numbers in lists]
    sheet = written("triple-yahtzee", columns, chips=[300, 200])
    plain = [column["upper-total"] + column["lower-total"] for column in sheet["columns"]]
    assert plain == [141, 254, 326]
    assert [column["total"] for column in sheet["columns"]] == [141, 508, 978]
    assert (sheet["chips"], sheet["total"]) == (500, 2127)
    assert written("triple-yahtzee", columns)["total"] == 1627


@pytest.mark.parametrize(
    ("game", "column", "box", "value", "possible"),
    [
        ("yahtzee", 1, "twos", 7, "0, 2, 4, 6, 8, 10"),
        ("yahtzee", 1, "full-house", 26, "0, 25"),
        ("yahtzee", 1, "yahtzee", 100, "0, 50"),
        ("yahtzee", 1, "small-straight", 15, "0, 30"),
        ("yahtzee", 1, "ones", -1, "0, 1, 2, 3, 4, 5"),
        ("yahtzee", 1, "ones", True, "0, 1, 2, 3, 4, 5"),
        ("yahtzee", 1, "ones", 1.0, "0, 1, 2, 3, 4, 5"),
        ("yahtzee", 1, "ones", "3", "0, 1, 2, 3, 4, 5"),
        ("yahtzee", 1, "three-of-a-kind", 31, ", ".join(map(str, [0, *range(5, 31)]))),
        ("yahtzee", 1, "yahtzee-bonus", 1, ", ".join(map(str, range(0, 1201, 100)))),
        ("yatzy", 1, "one-pair", 9, "0, 2, 4, 6, 8, 10, 12"),
        ("yatzy", 1, "yatzy", 30, "0, 50"),
        ("yatzy", 1, "four-of-a-kind", 26, "0, 4, 8, 12, 16, 20, 24"),
        ("trippel-yatzy", 3, "full-straight", 3, None),
        ("trippel-yatzy", 2, "ones", 3, "0, 2, 4, 6, 8, 10"),
        ("trippel-yatzy", 3, "small-straight", 15, "0, 45"),
        ("triple-yahtzee", 3, "small-straight", 90, "0, 30"),
        ("maxi-yatzy", 1, "three-pairs", 13, "0, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30"),
    ],
)
def test_an_impossible_number_is_refused_with_the_possible_ones(game, column, box, value, possible):
    columns = [{} for _ in range(column - 1)] + [{box: value}]
    with pytest.raises(ScoreError) as error:
        written(game, columns)
    text = str(error.value)
    if possible is None:
        assert text.startswith(f"sheet 1 (Anna), column {column}: '{box}' does not belong here; allowed: ones, ")
    else:
        place = f"sheet 1 (Anna), column {column}, {box}"
        assert text == f"{place}: {value!r} is not possible; possible: {possible}"


def test_every_possible_number_is_accepted():
    """Every number some throw gives, in every box and column: none is wrongly refused."""
    for game in rules.games().values():
        force = rules.Match(game, (), ()).in_force
        for column in range(game.columns):
            for box, place in game.places.items():
                times = force.written_times[column]
                for dice in [(1, 1, 1, 2, 2, 2), (6, 6, 6, 6, 5, 5), (1, 2, 3, 4, 5, 6), (3, 3, 3, 3, 3, 3)]:
                    worth = force.worth(place, dice[: game.dice]) * times
                    columns = [{} for _ in range(column)] + [{box: worth}]
                    found = written(game.id, columns)["columns"][column]["boxes"]
                    assert found == {box: worth}


def test_a_lower_pair_may_be_written():
    """Two pairs in the throw: the player says which one counts (Swedish Yatzy text)."""
    assert written("yatzy", [{"one-pair": 4}])["total"] == 4


def test_a_struck_yahtzee_kills_the_bonus():
    for struck in (0, [1, 2, 3, 4, 6]):
        with pytest.raises(ScoreError, match=r"yahtzee-bonus: 100 is not possible; possible: 0$"):
            written("yahtzee", [{"yahtzee": struck, "yahtzee-bonus": 100}])
    assert written("yahtzee", [{"yahtzee": [4, 4, 4, 4, 4], "yahtzee-bonus": 100}])["total"] == 150
    with pytest.raises(ScoreError, match=r"possible: 0$"):
        written("yahtzee", [{"yahtzee": 50, "yahtzee-bonus": 100}], yahtzee_bonus_value=0)
    with pytest.raises(ScoreError, match=r"possible: 0, 50, 100, 150, 200, 250, 300$"):
        written("kniffel", [{"yahtzee": 50, "yahtzee-bonus": 350}], extra_kniffel="schmidt")


def test_dice_in_a_jokers_place():
    fives = [5, 5, 5, 5, 5]
    column = {"yahtzee": 50, "fives": 20, "full-house": fives, "large-straight": fives, "chance": fives}
    boxes = written("yahtzee", [column])["columns"][0]["boxes"]
    assert (boxes["full-house"], boxes["large-straight"], boxes["chance"]) == (25, 40, 25)
    for left_out in ("yahtzee", "fives"):
        some = {box: value for box, value in column.items() if box != left_out}
        assert written("yahtzee", [some])["columns"][0]["boxes"]["full-house"] == 0
    assert written("yahtzee", [column], jokers=False)["columns"][0]["boxes"]["full-house"] == 0
    triple = [{"yahtzee": 0, "fives": 0}, {"yahtzee": 0, "fives": 0}, column]
    assert written("triple-yahtzee", triple)["columns"][2]["boxes"]["large-straight"] == 40
    triple[0] = {"yahtzee": 0}
    assert written("triple-yahtzee", triple)["columns"][2]["boxes"]["large-straight"] == 0


def test_extra_yatzys_on_paper():
    sixes = [6, 6, 6, 6, 6]
    column = {"yatzy": sixes, "sixes": sixes, "chance": sixes, "one-pair": 12}
    sheet = written("trippel-yatzy", [{}, column | {"yatzy": 100, "one-pair": 24}], extra_yatzy_bonus=50)
    assert sheet["columns"][1]["extra-bonus"] == 2 * 50 * 2
    assert sheet["total"] == 100 + 60 + 60 + 24 + 200
    assert "extra-bonus" not in written("yatzy", [column])["columns"][0]
    assert written("yatzy", [column | {"yatzy": 0}], extra_yatzy_bonus=50)["columns"][0]["extra-bonus"] == 0
    assert written("yatzy", [{"sixes": sixes}], extra_yatzy_bonus=50)["columns"][0]["extra-bonus"] == 0
    given = written("yatzy", [column | {"extra-bonus": 150}], extra_yatzy_bonus=50)
    assert given["columns"][0]["extra-bonus"] == 150
    with pytest.raises(ScoreError, match="extra-bonus: 75 is not possible; possible: 0, 50, 100"):
        written("yatzy", [column | {"extra-bonus": 75}], extra_yatzy_bonus=50)
    with pytest.raises(ScoreError, match="'extra-bonus' does not belong here"):
        written("yatzy", [column | {"extra-bonus": 0}])


def test_the_best_single_column():
    columns = [{"chance": 30}, {"chance": 10}, {"chance": 15}]
    assert written("triple-yahtzee", columns, chips=[100])["total"] == 30 + 20 + 45 + 100
    assert written("triple-yahtzee", columns, chips=[100], sum_columns=False)["total"] == 45 + 100


def test_columns_left_out_are_empty():
    answer = rules.score({"game": "kniffel", "sheets": [{"player": "Anna", "columns": [{"ones": 1}]}]})
    assert [column["boxes"] for column in answer["sheets"][0]["columns"]] == [{"ones": 1}, {}, {}]
    assert not answer["finished"]


def test_a_team_on_paper():
    sheets = [
        {"members": ["Anna", "Bo"], "columns": [{"ones": 1}]},
        {"player": "Reds", "members": ["Cia"], "columns": [{}]},
    ]
    answer = rules.score({"game": "yatzy", "sheets": sheets})
    assert [(sheet["player"], sheet["members"]) for sheet in answer["sheets"]] == [
        ("Anna & Bo", ["Anna", "Bo"]),
        ("Reds", ["Cia"]),
    ]


def test_a_box_may_be_empty_in_so_many_words():
    assert written("yatzy", [{"ones": None, "twos": 4}])["columns"][0]["boxes"] == {"twos": 4}


def test_ties_share_the_rank():
    sheets = [{"player": name, "columns": [BEN]} for name in ("Ben", "Cia")]
    answer = rules.score(two(sheets=[*sheets, two()["sheets"][0], {"player": "Dan", "columns": [ANNA]}]))
    assert [sheet["rank"] for sheet in answer["sheets"]] == [3, 3, 1, 1]
    assert answer["winners"] == ["Anna", "Dan"]


def with_sheet(**changes):
    return two(sheets=[{"player": "Anna", "columns": [{}]} | changes])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "the sheet file: found [], an object with game, sheets is needed"),
        ({"sheets": []}, "the sheet file: game is missing"),
        (two(game="chess"), "game: 'chess' is no game; allowed: yahtzee, kniffel, "),
        (two(game=5), "game: 5 is no game"),
        (two(sheets=[]), "sheets: a list of at least one sheet is needed"),
        (two(sheets={}), "sheets: a list of at least one sheet is needed"),
        (two(sheets=[5]), "sheet 1: found 5, an object with columns is needed"),
        (two(extra=1), "the sheet file: 'extra' does not belong here; allowed: game, sheets, rules"),
        (two(rules=[]), "rules: [] is not an object of house rules"),
        (two(rules={"order": 5.5}), "rules: order: 5.5 is not a whole number, a word"),
        (
            two(rules={"upper-bonus-value": 37}),
            "rules: upper-bonus-value: 37 is not allowed; allowed: 0 to 100 in steps of 5",
        ),
        (two(rules={"straights": "30-40"}), "rules: straights: no house rule of yahtzee"),
        (two(sheets=[{"columns": [{}]}]), "sheet 1: player is missing"),
        (with_sheet(player=""), "sheet 1: player: found '', allowed: a name of 1 to 20 letters"),
        (with_sheet(player=7), "sheet 1: player: found 7"),
        (with_sheet(members="Bo"), "sheet 1: members: found 'Bo', a list of names is needed"),
        (with_sheet(members=[1]), "sheet 1: members: found 1"),
        (with_sheet(column=[]), "sheet 1: 'column' does not belong here; allowed: columns, player, "),
        (with_sheet(columns=[]), "sheet 1 (Anna): columns: found 0 columns, allowed: a list of 1 to 1"),
        (with_sheet(columns=[{}, {}]), "sheet 1 (Anna): columns: found 2 columns"),
        (with_sheet(columns={}), "sheet 1 (Anna): columns: found {}"),
        (with_sheet(columns=[3]), "sheet 1 (Anna), column 1: found 3, an object"),
        (with_sheet(columns=[{"one": 3}]), "sheet 1 (Anna), column 1: 'one' does not belong here; allowed: ones"),
        (with_sheet(columns=[{"ones": [1, 2]}]), "sheet 1 (Anna), column 1, ones: found [1, 2], allowed: 5 dice"),
        (with_sheet(columns=[{"ones": [1, 2, 3, 4, 7]}]), "sheet 1 (Anna), column 1, ones: found [1, 2, 3, 4, 7]"),
        (with_sheet(columns=[{"ones": [1, 2, 3, 4, True]}]), "sheet 1 (Anna), column 1, ones: found"),
        (with_sheet(columns=[{"yahtzee-bonus": [6] * 5}]), "sheet 1 (Anna), column 1, yahtzee-bonus: [6, 6, 6, 6"),
        (with_sheet(chips=5), "sheet 1 (Anna): chips: found 5, a list of chips is needed"),
        (with_sheet(chips=["x"]), "sheet 1 (Anna): chips: 'x' is no chip; allowed: whole numbers"),
        (
            with_sheet(chips=[400]) | {"game": "triple-yahtzee"},
            "sheet 1 (Anna): chips: 400 is no chip; allowed: 100, 200, 300",
        ),
        (two(sheets=two()["sheets"][:1] * 2), "sheet 2: player 'Anna' has a sheet already"),
    ],
)
def test_sheets_that_cannot_be_scored(content, message):
    before = copy.deepcopy(content)
    with pytest.raises(ScoreError) as error:
        rules.score(content)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
    assert content == before
