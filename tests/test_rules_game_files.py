"""Game files: the seven shipped ones, a household's own, and every way of getting one wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rules_table import Table

import rules
from rules import GameFileError

SHIPPED = Path(rules.__file__).parent / "games"
MENU = ["yahtzee", "kniffel", "triple-yahtzee", "yatzy", "trippel-yatzy", "maxi-yatzy", "trippel-maxi-yatzy"]
UPPERS = ["ones", "twos", "threes", "fours", "fives", "sixes"]
AMERICAN = ["three-of-a-kind", "four-of-a-kind", "full-house", "small-straight", "large-straight", "yahtzee", "chance"]
NORDIC = [
    "one-pair",
    "two-pairs",
    "three-of-a-kind",
    "four-of-a-kind",
    "small-straight",
    "large-straight",
    "full-house",
]
NORDIC += ["chance", "yatzy"]
MAXI = ["one-pair", "two-pairs", "three-pairs", "three-of-a-kind", "four-of-a-kind", "five-of-a-kind"]
MAXI += ["small-straight", "large-straight", "full-straight", "full-house", "house", "tower", "chance", "maxi-yatzy"]


@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_what_is_no_game_file_is_refused_in_one_line(tmp_path, kind):
    path = tmp_path / "own.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_text("#" * 300_000)
    with pytest.raises(
        rules.GameFileError, match="is larger than 256 KiB" if kind == "large" else "is no file"
    ) as said:
        rules.load_game(path)
    assert len(str(said.value).splitlines()) == 1
    assert rules.games_and_troubles(tmp_path)[1]


def test_the_menu():
    assert list(rules.games()) == MENU
    assert rules.games() is rules.games()
    assert {path.stem for path in SHIPPED.glob("*.toml")} == set(MENU)


@pytest.mark.parametrize(
    ("game", "dice", "columns", "multipliers", "boxes"),
    [
        ("yahtzee", 5, 1, (1,), [*UPPERS, *AMERICAN, "yahtzee-bonus"]),
        ("kniffel", 5, 3, (1, 1, 1), [*UPPERS, *AMERICAN, "yahtzee-bonus"]),
        ("triple-yahtzee", 5, 3, (1, 2, 3), [*UPPERS, *AMERICAN]),
        ("yatzy", 5, 1, (1,), [*UPPERS, *NORDIC]),
        ("trippel-yatzy", 5, 3, (1, 2, 3), [*UPPERS, *NORDIC]),
        ("maxi-yatzy", 6, 1, (1,), [*UPPERS, *MAXI]),
        ("trippel-maxi-yatzy", 6, 3, (1, 2, 3), [*UPPERS, *MAXI]),
    ],
)
def test_what_each_game_is(game, dice, columns, multipliers, boxes):
    found = rules.games()[game]
    assert (found.id, found.dice, found.faces, found.throws) == (game, dice, 6, 3)
    assert (found.columns, found.multipliers) == (columns, multipliers)
    assert [box.id for box in found.boxes] == boxes
    assert found.written == ("multiplied" if game.startswith("trippel") else "plain")
    assert found.lot_dice == (1 if dice == 6 else 5)
    assert all(box.name.strip() for box in found.boxes)
    assert found.name
    assert found.description
    assert found.source
    assert found.box(boxes[0]).name == "Ones"
    assert found.box("no-such-box") is None


EVERY = {
    "upper-bonus-threshold": (0, 105, 1, 63),
    "upper-bonus-value": (0, 100, 5, 50),
    "order": "free",
    "write-zero": True,
    "tie": "shared",
}
FAMILY = EVERY | {"upper-bonus-value": (0, 100, 5, 35), "tie": "stands"}
YAHTZEE = FAMILY | {
    "yahtzee-bonus-value": (0, 200, 25, 100),
    "jokers": True,
    "columns": (1, 6, 1, 1),
    "sum-columns": True,
}
YATZY = EVERY | {
    "straights": "15-20",
    "extra-yatzy-bonus": (0, 200, 25, 0),
    "four-as-two-pairs": False,
    "yatzy-as-full-house": False,
}
SIX_DICE = YATZY | {
    "upper-bonus-threshold": (0, 126, 1, 84),
    "upper-bonus-value": (0, 100, 5, 100),
    "bonus-variant": "84-100",
    "saved-throws": True,
}
KNIFFEL = {"columns": (1, 6, 1, 3), "order": ("down", "free", "up"), "extra-kniffel": "as-yahtzee"}


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("yahtzee", YAHTZEE),
        ("kniffel", YAHTZEE | KNIFFEL),
        ("triple-yahtzee", FAMILY | {"sum-columns": True, "chip-with-zero": True}),
        ("yatzy", YATZY),
        ("trippel-yatzy", YATZY | {"sum-columns": True}),
        ("maxi-yatzy", SIX_DICE),
        ("trippel-maxi-yatzy", SIX_DICE | {"sum-columns": True}),
    ],
)
def test_the_house_rules_of_each_game(game, expected):
    found = {}
    for rule in rules.games()[game].house_rules:
        number = rule.kind == "number"
        found[rule.id] = (rule.low, rule.high, rule.step, rule.default) if number else rule.default
        assert rule.name
        assert rule.explanation.endswith(".")
        assert rule.trouble(rule.default) is None
    assert found == expected


def test_what_a_rule_allows_in_words():
    rule = rules.games()["kniffel"].rule
    assert rule["yahtzee-bonus-value"].allowed == "0 to 200 in steps of 25"
    assert rule["jokers"].allowed == "on (true) or off (false)"
    assert rule["tie"].allowed == "stands or shared or throw-off"
    assert rule["order"].allowed == "free or down or up, one for all or a list with one per column"


def test_rules_imports_nothing_outside_the_standard_library():
    root = str(SHIPPED.parents[1])
    code = f"import sys; before = set(sys.modules); sys.path.insert(0, {root!r}); import rules; " + (
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "rules" in loaded
    assert loaded - sys.stdlib_module_names == {"rules"}


def test_rules_reads_no_clock_and_no_randomness():
    text = "".join(path.read_text(encoding="utf-8") for path in SHIPPED.parent.glob("*.py"))
    for word in ("import random", "import time", "import datetime", "from time", "from datetime", "import os"):
        assert word not in text


# A household's own


OWN = """
id = "tiny"
name = "Tiny"
description = "Two boxes and a house rule of its own"
dice = 5

[[boxes]]
id = "sixes"
name = "Sixes"
section = "upper"
pattern = "face"
face = 6

[[boxes]]
id = "flush"
name = "Three alike or a small run"
section = "lower"
pattern = "groups"
groups = [3]
points = { rule = "flush", plain = 10, rich = 50 }
also = { rule = "runs", pattern = "straight", length = 3 }

[[house-rules]]
id = "flush"
name = "Flush"
explanation = "What it pays."
default = "plain"
choices = ["plain", "rich"]

[[house-rules]]
id = "runs"
name = "Runs"
explanation = "Whether a run of three counts."
default = false
"""


def own(tmp_path, text=OWN, name="tiny.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_an_own_game_appears_after_the_shipped_ones_and_can_be_played(tmp_path):
    own(tmp_path)
    (tmp_path / "notes.txt").write_text("no game", encoding="utf-8")
    found = rules.games(tmp_path)
    assert list(found) == [*MENU, "tiny"]
    start = rules.GameStarted("tiny", ("Anna",), (("runs", True),))
    assert rules.check(None, start) == "unknown-game"
    assert rules.check(None, start, found) is None
    match = rules.apply(rules.apply(None, start, found), rules.Thrown((1, 2, 3, 3, 6)))
    assert [(option.box, option.points) for option in match.options] == [("sixes", 6), ("flush", 10)]
    assert match.options[0].bonus_effect == ()
    assert rules.score({"game": "tiny", "sheets": [{"player": "A", "columns": [{"flush": 10}]}]}, found)
    lines = ['{"type": "game-started", "game": "tiny", "players": ["A"], "rules": {"flush": "rich"}}']
    assert list(rules.replay_lines(lines, found))[-1]["state"]["rules"] == {"flush": "rich", "runs": False}
    assert rules.replay([start], found).game is found["tiny"]


def test_a_copied_game_with_other_numbers(tmp_path):
    text = (SHIPPED / "yatzy.toml").read_text(encoding="utf-8")
    text = text.replace('id = "yatzy"\nname = "Yatzy"\ndesc', 'id = "grandma"\nname = "Grandma\'s Yatzy"\ndesc')
    text = text.replace("points = 50", "points = 60")
    own(tmp_path, text, "grandma.toml")
    match = rules.apply(None, rules.GameStarted("grandma", ("Anna",)), rules.games(tmp_path))
    match = rules.apply(match, rules.Thrown((4,) * 5))
    assert {option.box: option.points for option in match.options}["yatzy"] == 60
    assert Table("yatzy").throw(*(4,) * 5).offers()["yatzy", 1] == 50


def test_a_bonus_box_in_a_column_written_multiplied(tmp_path):
    """No shipped game has both; an own one may, and then the bonus is written multiplied like the rest."""
    text = (SHIPPED / "yahtzee.toml").read_text(encoding="utf-8")
    text = text.replace('id = "yahtzee"\nname = "Yahtzee"\ndesc', 'id = "double"\nname = "Double"\ndesc')
    text = text.replace('columns = 1\nwritten = "plain"', 'columns = 2\nmultipliers = [1, 2]\nwritten = "multiplied"')
    text = text.replace("default = 1\nrange = [1, 6]", "default = 2\nrange = [1, 6]")
    own(tmp_path, text, "double.toml")
    found = rules.games(tmp_path)
    match = rules.replay(
        [
            rules.GameStarted("double", ("Anna",)),
            rules.Thrown((5,) * 5),
            rules.Entered("yahtzee", 2),
            rules.Thrown((5,) * 5),
        ],
        found,
    )
    (must,) = [option for option in match.options if option.column == 2]
    assert (must.box, must.points) == ("fives", 50)
    assert dict(must.bonus_effect)["yahtzee-bonus"] == 200
    column = rules.sheets(rules.apply(match, rules.Entered("fives", 2)))["sheets"][0]["columns"][1]
    assert column["boxes"] == {"fives": 50, "yahtzee": 100, "yahtzee-bonus": 200}
    assert (column["lower-total"], column["total"]) == (300, 350)
    sheet = {"player": "Anna", "columns": [{}, column["boxes"]]}
    again = rules.score({"game": "double", "sheets": [sheet]}, found)["sheets"][0]["columns"][1]
    assert again == column


def test_no_folder_and_an_empty_one(tmp_path):
    assert list(rules.games(tmp_path)) == MENU
    assert list(rules.games(tmp_path / "missing")) == MENU
    assert rules.games_and_troubles(None) == (rules.games(), ())


def test_one_bad_file_does_not_hide_the_others(tmp_path):
    own(tmp_path)
    bad = own(tmp_path, OWN.replace("dice = 5", "dice = 0"), "a.toml")
    again = own(tmp_path, OWN, "z.toml")
    found, troubles = rules.games_and_troubles(tmp_path)
    assert list(found) == [*MENU, "tiny"]
    assert troubles == (
        f"{bad}: dice: found 0, allowed: 1 to 8",
        f"{again}: id: found 'tiny', allowed: an id no other game has",
    )
    with pytest.raises(GameFileError, match="dice: found 0, allowed: 1 to 8"):
        rules.games(tmp_path)


WRONG = [
    ('id = "tiny"', 'id = "Tiny Game"', "id: found 'Tiny Game', allowed: small letters a-z, digits and -"),
    ('name = "Tiny"', "name = 5", "name: found 5, allowed: a text"),
    ('name = "Tiny"', 'name = ""', "name: found '', allowed: a text"),
    ('name = "Tiny"', "", "name: found nothing, allowed: a text"),
    ("dice = 5", "", "dice: found nothing, allowed: 1 to 8"),
    ("dice = 5", "dice = true", "dice: found True, allowed: 1 to 8"),
    ("dice = 5", "dice = 9", "dice: found 9, allowed: 1 to 8"),
    ("dice = 5", "dice = 5\ncolums = 2", "colums: found an unknown key, allowed: dice, columns, "),
    ("dice = 5", "dice = 5\ncolumns = 7", "columns: found 7, allowed: 1 to 6"),
    ("dice = 5", "dice = 5\nmultipliers = [1, 2]", "multipliers: found 2 numbers, allowed: one per column, 1"),
    ("dice = 5", "dice = 5\nmultipliers = 2", "multipliers: found 2, allowed: a list of numbers 1 to 10"),
    ("dice = 5", 'dice = 5\nwritten = "tripled"', "written: found 'tripled', allowed: plain or multiplied"),
    ("dice = 5", 'dice = 5\nyahtzee-box = "yatzy"', "yahtzee-box: found 'yatzy', allowed: sixes, flush"),
    ("dice = 5", "dice = 5\nchips = [100]", "yahtzee-box: found nothing, allowed: the id of the box that the chips"),
    ("dice = 5", "dice = 5\nchips = [100, 200]", "chips: found 2 numbers, allowed: one per column, 1"),
    ('section = "upper"', 'section = "middle"', "boxes sixes.section: found 'middle', allowed: upper or lower or"),
    ('pattern = "face"', 'pattern = "faec"', "boxes sixes.pattern: found 'faec', allowed: face or groups or faces"),
    ('pattern = "face"\nface = 6', 'pattern = "any"', "boxes sixes.pattern: found 'any', allowed: face, in the"),
    ("face = 6", "face = 7", "boxes sixes.face: found 7, allowed: 1 to 6"),
    ("face = 6", "face = 6\nface2 = 1", "boxes sixes.face2: found an unknown key, allowed: section, id, name"),
    ("face = 6", "face = 6\njoker = true", "boxes sixes.joker: found true, allowed: true only where points is"),
    ("face = 6", "face = 6\njoker = 1", "boxes sixes.joker: found 1, allowed: true or false"),
    ("face = 6", 'face = 6\npoints = "some"', 'boxes sixes.points: found \'some\', allowed: "used", "all", a number'),
    ("face = 6", "face = 6\npoints = -1", "boxes sixes.points: found -1, allowed: "),
    ("face = 6", "face = 6\npoints = true", "boxes sixes.points: found True, allowed: "),
    ("groups = [3]", "groups = [3, 3]", "boxes flush.groups: found [3, 3], allowed: together at most 5 dice"),
    ("groups = [3]", "groups = []", "boxes flush.groups: found [], allowed: a list of numbers 1 to 5"),
    ("groups = [3]", 'groups = ["3"]', "boxes flush.groups: found '3', allowed: 1 to 5"),
    ('pattern = "groups"\ngroups = [3]', 'pattern = "faces"\nfaces = [1, 1]', "boxes flush.faces: found [1, 1]"),
    ("length = 3", "length = 6", "boxes flush.also.length: found 6, allowed: 2 to 5"),
    ("length = 3", "length = 3, size = 1", "boxes flush.also.size: found an unknown key"),
    ('rule = "runs"', 'rule = "run"', "boxes flush.also.rule: found 'run', allowed: runs"),
    ('rule = "flush", ', 'rule = "flsh", ', "boxes flush.points.rule: found 'flsh', allowed: flush"),
    ("rich = 50", "rih = 50", "boxes flush.points.rich: found nothing, allowed: 0 to 1000"),
    ("also = {", "also = 5 #", "boxes flush.also: found 5, allowed: a table"),
    ('id = "flush"\nname = "Three', 'id = "sixes"\nname = "Three', "boxes: found 'sixes' twice, allowed: every id"),
    ('id = "runs"', 'id = "flush"', "house-rules: found 'flush' twice, allowed: every id once"),
    ("default = false", "default = 5\nrange = [0, 9]", "boxes flush.also.rule: found 'runs', allowed: nothing, the"),
    (
        'default = "plain"',
        'default = "poor"',
        "house-rules flush.default: flush: 'poor' is not allowed; allowed: plain",
    ),
    ('default = "plain"', "default = [1]", "house-rules flush.default: found [1], allowed: a list of words"),
    ('default = "plain"', "default = 1.5", "house-rules flush.default: found 1.5, allowed: a text"),
    ('choices = ["plain", "rich"]', 'choices = "plain"', "house-rules flush.choices: found 'plain', allowed: a list"),
    ("default = false", "", "house-rules runs.default: found nothing, allowed: a number, a word, true or false"),
    ('explanation = "What it pays."', "", "house-rules flush.explanation: found nothing, allowed: a text"),
    ("[[boxes]]", "[boxes]", "found"),
]


@pytest.mark.parametrize(("good", "bad", "message"), WRONG)
def test_a_wrong_file_is_refused_with_the_key(tmp_path, good, bad, message):
    assert good in OWN
    path = own(tmp_path, OWN.replace(good, bad, 1) if good != "[[boxes]]" else 'boxes = "x"\n' + OWN[: OWN.index("[[")])
    with pytest.raises(GameFileError) as error:
        rules.load_game(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


RULE = '[[house-rules]]\nid = "{}"\nname = "N"\nexplanation = "E."\n{}\n'
BONUS_BOX = '[[boxes]]\nid = "{}"\nname = "B"\nsection = "bonus"\n'
NUMBER = "default = 0\nrange = [0, 10]"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            RULE.format("luck", "default = true"),
            "house-rules luck: found a rule that does nothing, allowed: a rule that",
        ),
        (
            RULE.format("jokers", NUMBER),
            "yahtzee-box: found nothing, allowed: the id of the box that jokers depends on",
        ),
        (RULE.format("write-zero", NUMBER), "house-rules write-zero.default: found a number, allowed: a switch"),
        (
            RULE.format("tie", 'default = "fight"\nchoices = ["fight"]'),
            "house-rules tie.choices: found fight, allowed: stands, shared, throw-off",
        ),
        (
            RULE.format("tie", 'default = "shared"\nchoices = ["shared"]\nper-column = true'),
            "house-rules tie.per-column: found true, allowed: only for order",
        ),
        (RULE.format("upper-bonus-value", "default = 0"), "house-rules upper-bonus-value.range: found nothing"),
        (RULE.format("upper-bonus-value", "default = 0\nrange = [5]"), "range: found [5], allowed: the lowest and"),
        (RULE.format("upper-bonus-value", "default = 0\nrange = [5, 0]"), "range: found [5, 0], allowed: the lowest"),
        (
            RULE.format("upper-bonus-value", "default = 11\nrange = [0, 10]"),
            "upper-bonus-value: 11 is not allowed; allowed: 0 to 10 in steps of 1",
        ),
        (
            RULE.format("columns", "default = 2\nrange = [1, 6]"),
            "house-rules columns.default: found 2, allowed: 1, as columns",
        ),
        (BONUS_BOX.format("extra"), "boxes: found bonus boxes extra, allowed: only yahtzee-bonus, once"),
        (BONUS_BOX.format("yahtzee-bonus"), "boxes: found one of two, allowed: the box yahtzee-bonus with the house"),
        (BONUS_BOX.format("yahtzee-bonus") + "face = 1", "boxes yahtzee-bonus.face: found an unknown key"),
        (RULE.format("yahtzee-bonus-value", NUMBER), "boxes: found one of two"),
        (
            BONUS_BOX.format("yahtzee-bonus")
            + RULE.format("yahtzee-bonus-value", NUMBER)
            + RULE.format("extra-yatzy-bonus", NUMBER),
            "house-rules: found two bonuses, allowed: yahtzee-bonus-value or extra-yatzy-bonus, not both",
        ),
        (
            RULE.format("v", 'default = "a"\nchoices = ["a", "b"]\nsets = { c = {} }'),
            "house-rules v.sets.c: found an unknown key, allowed: a, b",
        ),
        (
            RULE.format("v", 'default = "a"\nchoices = ["a", "b"]\nsets = { b = { upper-bonus-value = 5 } }'),
            "house-rules v.sets.b: found upper-bonus-value, no house rule of this file",
        ),
        (
            RULE.format("v", 'default = "a"\nchoices = ["a", "b"]\nsets = { b = { upper-bonus-value = 50 } }')
            + RULE.format("upper-bonus-value", NUMBER),
            "house-rules v.sets.b: found upper-bonus-value: 50 is not allowed; allowed: 0 to 10 in steps of 1",
        ),
        (
            '[[boxes]]\nid = "s"\nname = "S"\nsection = "upper"\npattern = "face"\nface = 6\n',
            "two upper boxes for face 6",
        ),
        (RULE.format("runs", "default = true"), "house-rules: found 'runs' twice, allowed: every id once"),
    ],
)
def test_a_file_whose_parts_do_not_fit_is_refused(tmp_path, more, message):
    with pytest.raises(GameFileError) as error:
        rules.load_game(own(tmp_path, OWN + more))
    assert message in str(error.value)


@pytest.mark.parametrize("rule", ["columns", "jokers", "yahtzee-bonus-value", "extra-yatzy-bonus"])
def test_chips_stand_alone(tmp_path, rule):
    values = {"columns": "default = 1\nrange = [1, 6]", "jokers": "default = true"}
    text = OWN.replace("dice = 5", 'dice = 5\nchips = [100]\nyahtzee-box = "flush"') + RULE.format(
        rule, values.get(rule, NUMBER)
    )
    if rule == "yahtzee-bonus-value":
        text += BONUS_BOX.format("yahtzee-bonus")
    with pytest.raises(GameFileError, match=f"chips: found the house rule {rule}, allowed: chips or {rule}"):
        rules.load_game(own(tmp_path, text))


def test_no_box_at_all(tmp_path):
    text = OWN[: OWN.index("[[boxes]]")] + "boxes = []\n"
    with pytest.raises(GameFileError, match="boxes: found no box for a throw, allowed: at least one upper or lower"):
        rules.load_game(own(tmp_path, text))


def test_files_that_are_no_game_file(tmp_path):
    with pytest.raises(GameFileError, match=r"missing\.toml: No such file"):
        rules.load_game(tmp_path / "missing.toml")
    with pytest.raises(GameFileError, match="is no file"):
        rules.load_game(tmp_path)
    with pytest.raises(GameFileError, match=r"broken\.toml: .*line 2"):
        rules.load_game(own(tmp_path, 'id = "x"\nname = \n', "broken.toml"))
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(GameFileError, match=r"picture\.toml: byte 0 is no UTF-8 text"):
        rules.load_game(picture)
    with pytest.raises(GameFileError, match="dice: found nothing"):
        rules.load_game(str(own(tmp_path, "", "empty.toml")))
