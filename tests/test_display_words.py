"""The languages: complete, in the players' own words, with every letter in the font."""

import os
import re
import tomllib
from dataclasses import replace
from datetime import date
from importlib import resources
from pathlib import Path
from string import Formatter

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest

from display import layout
from display.desk import LOOKS
from display.example_setup import SAID
from display.examples import LONG, gallery, known_games
from display.lettering import clusters, drawable, fit, has_glyph, line_height, shortened, width
from display.scene import Lettering
from display.screens.naming import LETTERS, LYING, UPRIGHT
from display.seating import cased
from display.theme import FAMILY
from display.view import FAULTS, PASSING, TRAY_STATES
from display.words import LANGUAGES, words

ROOT = Path(__file__).parent.parent

REFUSALS = (
    *("unknown-game", "unknown-rule", "rule-out-of-range", "not-a-die", "wrong-number-of-dice", "held-die-changed"),
    *("all-held", "unknown-slot", "not-started", "already-started", "bad-players", "name-taken", "throws-left"),
    *("columns-in-use", "joker-must-go-lower", "no-throw-left", "no-saved-throw", "throw-first", "unknown-box"),
    *("unknown-column", "box-taken", "out-of-order", "joker-must-go-upper", "cannot-pass", "nothing-to-undo"),
    *("nothing-to-redo", "unknown-player", "game-over"),
)
TROUBLES = (
    *("count", "doubtful-face", "cocked", "cut-off", "stacked", "hidden", "touching-unresolved", "glare", "dark"),
    *("blurred", "hand", "disagree", "unexplained", "no-dice"),
)


def flat(table, before=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{before}{key}.")
        elif isinstance(value, list):
            yield from ((f"{before}{key}.{place}", one) for place, one in enumerate(value))
        else:
            yield before + key, value


@pytest.fixture(scope="module")
def tables():
    return {code: dict(flat(words(code).table)) for code in LANGUAGES}


def test_every_language_has_every_key_and_no_other(tables):
    for code, table in tables.items():
        assert table.keys() == tables["en"].keys(), (code, table.keys() ^ tables["en"].keys())
        assert all(isinstance(text, str) and text for text in table.values()), code


def test_sentences_keep_their_parts(tables):
    for key, text in tables["en"].items():
        parts = {part for _, part, _, _ in Formatter().parse(text) if part}
        for code, table in tables.items():
            assert {part for _, part, _, _ in Formatter().parse(table[key]) if part} == parts, (code, key)


def test_no_number_stands_in_a_word(tables):
    for code, table in tables.items():
        for key, text in table.items():
            assert not any(mark.isdigit() for mark in text), (code, key, text)


def test_every_refusal_and_every_trouble_has_a_sentence(tables):
    for code in LANGUAGES:
        table = words(code).table
        assert set(REFUSALS) <= table["notice"].keys(), code
        assert set(TROUBLES) == table["trouble"].keys(), code
        assert set(TRAY_STATES) == table["tray"].keys(), code
        for name in (*REFUSALS, *TROUBLES):
            assert re.search(r"[.!?]$", words(code).notice(name)), (code, name)
        assert "plonk" in words(code).notice("plonk")


def test_every_fault_has_a_title_and_a_cure():
    assert set(FAULTS) >= PASSING
    for code in LANGUAGES:
        assert set(FAULTS) == words(code).table["fault"].keys(), code
        for name in FAULTS:
            title, cure = words(code).fault(name)
            assert re.fullmatch(r"[^.!?]+\.", title), (code, name, "one sentence")
            assert re.search(r"[.!]$", cure), (code, name)
            assert title not in cure


def test_every_box_of_every_game_has_a_word():
    for code in LANGUAGES:
        table = words(code).table
        for game in known_games():
            assert set(table["box"][game.id]) == {box.id for box in game.boxes}, (code, game.id)
            assert words(code).game(game)
            assert words(code).about(game)


def test_every_house_rule_and_every_choice_has_words():
    ids = {rule.id for game in known_games() for rule in game.house_rules}
    for code in LANGUAGES:
        assert set(words(code).table["rule"]) == ids, code
        for game in known_games():
            for rule in game.house_rules:
                assert all(words(code).rule(game, rule))
                for value in (rule.default, *rule.choices):
                    said = words(code).value(value)
                    assert said
                    assert "-" not in said or value in words(code).table["choice"], (code, rule.id, said)
    assert words("sv").value(("down", "free")) == "nedåt · fritt"


def test_a_house_rule_calls_all_dice_alike_what_that_game_calls_them():
    """A Kniffel sheet has no Yahtzee box that a rule could be about, a Maxi sheet no Yatzy box."""
    for code in LANGUAGES:
        for game in known_games():
            box = words(code).box(game, game.yahtzee_box)
            for rule in ("yahtzee-bonus-value", "extra-yatzy-bonus", "chip-with-zero"):
                if rule in game.rule:
                    said = " ".join(words(code).rule(game, game.rule[rule]))
                    assert box in said, (code, game.id)
                    assert "{" not in said
                    assert box.endswith("Yahtzee") or "Yahtzee" not in said, (code, game.id)


@pytest.mark.parametrize(
    ("code", "game", "box", "word"),
    [
        ("sv", "yatzy", "small-straight", "Liten stege"),
        ("sv", "trippel-yatzy", "small-straight", "Liten straight"),
        ("sv", "trippel-maxi-yatzy", "full-straight", "Full straight"),
        ("sv", "yatzy", "full-house", "Kåk"),
        ("sv", "maxi-yatzy", "house", "Hus"),
        ("da", "yahtzee", "full-house", "Fuldt hus"),
        ("da", "yatzy", "full-house", "Hus"),
        ("da", "maxi-yatzy", "house", "Villa"),
        ("nb", "yatzy", "full-house", "Hus"),
        ("nb", "maxi-yatzy", "full-house", "Hytte"),
        ("nb", "maxi-yatzy", "house", "Hus"),
        ("fi", "yatzy", "full-house", "Täyskäsi"),
        ("de", "kniffel", "three-of-a-kind", "Dreierpasch"),
        ("de", "yatzy", "three-of-a-kind", "Drilling"),
        ("en", "yahtzee", "ones", "Aces"),
        ("en", "yatzy", "ones", "Ones"),
    ],
)
def test_boxes_are_called_what_players_of_that_game_call_them(code, game, box, word):
    chosen = next(one for one in known_games() if one.id == game)
    assert words(code).box(chosen, box) == word


def test_words_without_a_source_are_marked_for_a_native_speaker():
    text = resources.files("display.languages").joinpath("fi.toml").read_text(encoding="utf-8")
    assert text.count("# (?)") >= 4
    assert "(?)" not in str(tomllib.loads(text))


@pytest.mark.parametrize("bold", [False, True])
def test_the_font_has_every_letter_that_is_ever_shown(tables, bold):
    shown = {mark for table in tables.values() for text in table.values() for mark in text}
    shown |= {mark for key in LETTERS for mark in (key, cased(key, "")) if len(mark) == 1}
    shown |= set("".join(LONG)) | set("0123456789×+−±–…?|.,")
    missing = [mark for mark in sorted(shown) if not has_glyph(mark, bold) or drawable(mark) != mark]
    assert not missing, f"{FAMILY} lacks {missing}"
    assert not has_glyph("\ue456", bold), "the test itself must be able to fail"


def test_the_keyboards_have_the_letters_of_all_languages():
    for rows in (LYING, UPRIGHT):
        keys = "".join(rows)
        assert sorted(keys) == sorted(set(keys))
        assert set("abcdefghijklmnopqrstuvwxyzåäöæøßéü-'") == set(keys)
    assert cased("å", "") == "Å"
    assert cased("m", "åse-") == "M"
    assert cased("ß", "") == "ß"
    assert cased("é", "n") == "é"
    assert "letter" in LOOKS


def test_numbers_and_dates_need_no_locale():
    sv, de, en = words("sv"), words("de"), words("en")
    assert (sv.number(3894), sv.number(12345)) == ("3894", "12\u00a0345")
    assert (de.number(12345), en.number(-7)) == ("12.345", "−7")
    assert (en.signed(4), en.signed(-2), en.signed(0)) == ("+4", "−2", "±0")
    day = date(2026, 5, 9)
    assert sv.date(day) == "9 maj 2026"
    assert de.date(day) == "9. Mai 2026"
    assert words("fi").date(day) == "9. toukokuuta 2026"
    assert sv.listed(["Anna", "Bo", "Cia"]) == "Anna, Bo och Cia"
    assert (sv.listed(["Anna"]), de.listed(["Anna", "Bo"])) == ("Anna", "Anna und Bo")


def test_nobody_sets_a_locale_that_a_system_may_lack():
    rooms = [path for room in ("rules", "vision", "display", "device") for path in (ROOT / room).rglob("*.py")]
    assert len(rooms) > 60
    assert not [path for path in rooms if "setlocale" in path.read_text(encoding="utf-8")]


def test_an_unknown_language_is_an_error():
    with pytest.raises(KeyError):
        words("xx")


def test_names_are_shortened_between_letters_only():
    name = "Åse-Ma\u0308rta"  # ä as two signs
    for wide in range(10, 200, 3):
        cut = shortened(name, wide, 20)
        assert width(cut, 20) <= wide or cut == "…"
        kept = "".join(clusters(cut.removesuffix("…")))
        assert "".join(clusters(name)).startswith(kept)
    assert shortened(name, 1000, 20) == name


def test_text_is_fitted_by_size_then_by_lines():
    one = fit("Liten straight", (500, 60), 30, 10)
    assert one == (30, ("Liten straight",), False)
    size, lines, cut = fit("Liten straight", (70, 60), 30, 10, False, 2)
    assert lines == ("Liten", "straight")
    assert not cut
    assert size * 2 < 60
    assert 2 * line_height(size) <= 60
    assert fit("Liten straight", (20, 20), 30, 12)[2]


def test_a_house_rule_calls_a_box_what_that_games_sheet_calls_it():
    """Three and two alike are Hytte on a Norwegian Maxi sheet, where Hus is another box; a sheet with Liten straight
    on it has no stege."""
    about = {
        "yatzy-as-full-house": ("full-house",),
        "four-as-two-pairs": ("two-pairs",),
        "straights": ("small-straight", "large-straight"),
    }
    for code in LANGUAGES:
        told = words(code)
        for game in known_games():
            for rule, boxes in about.items():
                if rule in game.rule:
                    for text in told.rule(game, game.rule[rule]):
                        assert all(told.box(game, box) in text for box in boxes), (code, game.id, text)
    maxi = next(game for game in known_games() if game.id == "maxi-yatzy")
    assert words("nb").rule(maxi, maxi.rule["yatzy-as-full-house"])[0] == "Fem like som Hytte"
    assert "stege" not in " ".join(words("sv").rule(maxi, maxi.rule["straights"])).lower()


def test_a_house_rule_about_a_box_that_an_own_game_lacks_keeps_the_words_of_its_file():
    maxi = next(game for game in known_games() if game.id == "maxi-yatzy")
    rule = maxi.rule["yatzy-as-full-house"]
    own = replace(maxi, boxes=tuple(box for box in maxi.boxes if box.id != "full-house"))
    assert words("sv").rule(own, rule) == (rule.name, rule.explanation)


def test_the_norwegian_word_for_a_box_is_felt_everywhere(tables):
    assert not [key for key, text in tables["nb"].items() if re.search(r"\brut(e|a|er|ene)\b", text.lower())]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_check_up_tells_what_a_program_says_only_of_what_is_wrong(code):
    """A tick needs no English beside it."""
    shown, told = gallery(code), words(code)
    states = {finding.check: finding.state for finding in shown["setup-checks"].setup.findings}
    said = set()
    for page in range(2):
        view = shown["setup-checks"]
        view = replace(view, desk=replace(view.desk, page=page))
        scene = layout.scene(view, (800, 480))
        said |= {" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering)}
    for check, state in states.items():
        assert told.check(check)[0] in said, (code, check)
        assert (SAID[check] in said) == (state == "wrong"), (code, check)
    assert told.ui("not-here") in said
