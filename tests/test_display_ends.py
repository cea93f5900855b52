"""The end of a game as people read it: who won and why, everyone's sheet, how it went beside the best so far."""

import os
from collections import Counter
from itertools import pairwise

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest

from display import layout
from display.desk import react
from display.example_ends import ends, left, long_teams, thrown_off
from display.examples import LONG, NAMES, greatest, on, played, six_columns, tie, view
from display.intent import Look, NewGame, Undo
from display.keys import intent
from display.scene import Lettering, Stroke
from display.scores import Best
from display.standing import standings
from display.theme import touch
from display.words import LANGUAGES, words

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (720, 1280))


def result(match, language="en", **parts):
    return on(view(match, language, **parts), screen="result")


def letters(shown, size=SIZES[0]):
    return [thing for thing in layout.scene(shown, size).things if isinstance(thing, Lettering)]


def said(shown, size=SIZES[0]):
    return [" ".join(thing.lines) for thing in letters(shown, size)]


def pages(shown, size):
    """The result as it is and after each touch on More, until it begins anew."""
    found = [shown]
    while True:
        more = [
            meant
            for _, meant in layout.scene(found[-1], size).targets()
            if isinstance(meant, Look) and meant.what == "page"
        ]
        if not more or more[0].value == 0:
            return found
        found.append(on(found[-1], page=react(found[-1].desk, more[0], found[-1]).page))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize(
    "match",
    [
        pytest.param(lambda: played("yatzy", NAMES[:4], 400), id="four"),
        pytest.param(lambda: played("maxi-yatzy", NAMES, 400), id="eight"),
        pytest.param(lambda: played("trippel-maxi-yatzy", NAMES, 600), id="eight-times-three"),
        pytest.param(lambda: six_columns(400), id="six-columns"),
        pytest.param(lambda: played("yahtzee", NAMES[:1], 400), id="alone"),
    ],
)
def test_every_box_of_every_sheet_can_be_read(match, size):
    """Page after page, each sheet once: as many points and strikes as were written, in letters of two millimetres."""
    match = match()
    boxes = {
        sheet.player: [points for column in sheet.columns for points in column.boxes.values()]
        for sheet in standings(match)
    }
    bonus = match.in_force.bonus_box.id if match.in_force.bonus_box else None
    wanted = Counter(
        words("en").number(points)
        for sheet in standings(match)
        for column in sheet.columns
        for box, points in column.boxes.items()
        if points and box != bonus
    )
    strikes = sum(points == 0 for sheet in boxes.values() for points in sheet)
    strikes -= sum(column.boxes[bonus] == 0 for sheet in standings(match) for column in sheet.columns) if bonus else 0
    found, struck, heads = Counter(), 0, Counter()
    for shown in pages(result(match), size):
        scene = layout.scene(shown, size)
        for thing in scene.things:
            if isinstance(thing, Lettering) and thing.align == "centre" and thing.bold:
                assert thing.size >= 0.235 * touch(size), thing
                if thing.ground == "paper" and thing.ink == "ink":
                    found[thing.lines[0]] += 1
                elif thing.ground == "band" and thing.lines[0] in boxes:
                    heads[thing.lines[0]] += 1
            struck += isinstance(thing, Stroke) and thing.rising
    assert found == wanted
    assert struck == strikes
    assert set(heads) == set(boxes)
    assert len(set(heads.values())) == 1, "each sheet is shown once"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_whole_ranking_is_in_sight_whatever_page_the_sheets_are_at(size):
    match = played("trippel-maxi-yatzy", NAMES, 600)
    order = [
        (words("en").number(sheet.rank), sheet.player, words("en").number(sheet.total))
        for sheet in sorted(standings(match), key=lambda sheet: sheet.rank)
    ]
    for shown in pages(result(match), size):
        lines = said(shown, size)
        places = [tuple(lines[place : place + 3]) for place in range(len(lines))]
        assert [place for place in places if place in order] == order


def test_a_tie_is_told_as_the_rule_has_it_in_every_language():
    for language in LANGUAGES:
        table = words(language)
        for rule in ("stands", "shared"):
            lines = said(result(tie(rule), language))
            word = "level" if rule == "stands" else "share"
            assert table.ui(word, names=table.listed(NAMES[:2])) in lines
            assert table.ui(f"tie-{rule}") in lines
        lines = said(result(thrown_off(), language))
        assert table.ui("wins", name="Björn") in lines
        assert table.ui("tie-throw-off") in lines
        lines = said(result(tie("stands", NAMES), language))
        assert table.ui("level-many", n="8") in lines
    ranks = [line for line in said(result(tie("shared", NAMES[:3]))) if line in ("1", "2", "3")]
    assert ranks.count("1") >= 3


def test_without_a_tie_nothing_is_said_of_one():
    for shown in (result(played("yatzy", NAMES[:4], 400)), result(left())):
        assert not [line for line in said(shown) if line.startswith("Equal totals")]


def test_one_who_left_has_no_place_and_is_not_the_winner():
    match = left()
    gone = next(seat.name for seat in match.seats if not seat.here)
    lines = said(result(match))
    assert ("–", gone) in pairwise(lines)
    assert words("en").ui("wins", name=gone) not in lines


def test_a_game_everybody_left_has_no_winner():
    from rules import GameStarted, PlayerLeft, apply

    match = apply(apply(None, GameStarted("yatzy", ("Anna", "Bo"))), PlayerLeft("Anna"))
    match = apply(match, PlayerLeft("Bo"))
    assert match.phase == "over"
    assert words("en").notice("game-over") in said(result(match))


def test_a_team_of_many_wins_under_the_beginning_of_its_name():
    match = long_teams()
    (winner,) = match.winners
    headline = next(line for line in said(result(match)) if line.endswith(" wins"))
    assert winner.startswith(headline.removesuffix("… wins"))


@pytest.mark.parametrize(
    ("best", "key"),
    [
        (Best(), "best-first"),
        (Best(129, 1, 1), "best-new"),
        (Best(130, 1, 1), "best-equal"),
        (Best(131, 7, 22), "best-so-far"),
    ],
)
def test_a_solo_game_is_told_beside_the_best_so_far(best, key):
    match = played("yahtzee", ("Anna",), 400)
    assert match.scores[0].total == 130
    for language in LANGUAGES:
        table = words(language)
        parts = {"n": str(best.total), "which": str(best.which), "of": str(best.games + 1)}
        lines = said(result(match, language, best=best))
        assert table.ui(key, **parts) in lines
        others = {"best-first", "best-new", "best-equal", "best-so-far"} - {key}
        assert not {table.ui(other, **parts) for other in others} & set(lines)
    assert not [line for line in said(result(match)) if "best" in line], "nothing is told before it is known"


def test_the_largest_result_there_is_is_told_in_full():
    match = greatest("trippel-maxi-yatzy", LONG[:1], 0)
    assert match.scores[0].total == 3894
    for size in SIZES:
        assert "3894" in said(result(match), size)
        assert "1947" in said(result(match), size)


def test_idle_shows_the_list_and_what_makes_it_another():
    shown = ends("sv")["idle-rules"]
    lines = " ".join(said(shown))
    assert "Maxi-Yatzy" in lines
    assert "75–50" in lines
    assert words("sv").ui("touch-to-play") in lines
    assert "30 september 2027" in lines


def test_anywhere_on_the_idle_screen_wakes_and_every_key_and_button_does():
    for name, wakes in (("idle", Look("screen", "new-game")), ("idle-over", Look("screen", "result"))):
        shown = ends("en")[name]
        for size in SIZES:
            for x, y in ((0, 0), (size[0] - 1, size[1] - 1), (size[0] // 2, size[1] // 2)):
                assert layout.hit(shown, size, x, y) == wakes
        for key in ("enter", "escape", "a", "1", "up", "n", "hold-6", "saved-throw", "confirm", "undo", "menu"):
            assert intent(shown, key, SIZES[0]) == wakes


def test_the_result_is_left_by_the_keys_too():
    shown = result(played("trippel-maxi-yatzy", NAMES, 600))
    assert intent(shown, "confirm") == NewGame()
    reached = set()
    at = shown
    for key in ("up", "up", "down", "left", "right", "left", "up", "right"):
        look = intent(at, key)
        if look is not None:
            at = on(at, focus=react(at.desk, look, at).focus)
            reached.add(at.desk.focus)
    assert {NewGame(), Undo(), Look("page", 1)} <= reached
