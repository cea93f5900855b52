"""Players' names: whole wherever there is room, never alike, with the player's own colour and sign."""

import os
from functools import cache
from itertools import pairwise

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pytest

from display import layout
from display.examples import LONG, NAMES, Dice, gallery, on, played, thrown, view
from display.lettering import apart, fit_apart, narrowest, width
from display.scene import Lettering, Scene, Sign
from rules import GameStarted, Match, apply

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (720, 1280))
LYING = SIZES[:-1]
ORDINARY = ("Alexander", "Elisabeth", "Wilhelmina", "Maximilian", "Anna-Karin", "Christoffer", "Margareta", "Benjamin")
ALIKE = ("Anna-Karin Lindström", "Anna-Karin Lindberg", "Anna-Lena Svensson", "Anna-Lena Svanberg")
GAMES = ("yatzy", "maxi-yatzy", "trippel-maxi-yatzy")


@cache
def over(game: str, players: tuple[str, ...]) -> Match:
    return played(game, players, 700)


@cache
def going(game: str, players: tuple[str, ...]) -> Match:
    return thrown(played(game, players, 8), Dice(3), 2)


def screens(game: str, players: tuple[str, ...], size: tuple[int, int]) -> dict[str, Scene]:
    table = view(going(game, players), "sv")
    ended = view(over(game, players), "sv")
    return {
        "play": layout.scene(table, size),
        "large": layout.scene(on(table, large=True), size),
        "result": layout.scene(on(ended, screen="result"), size),
    }


def shown(scene: Scene, players: tuple[str, ...]) -> list[str]:
    """What is left of any of these names, wherever one stands."""
    said = ["".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering) and thing.ground != "turn"]
    return [text for text in said if any(text.replace(" ", "")[:4] == name.replace(" ", "")[:4] for name in players)]


def shortened(scene: Scene) -> list[str]:
    return [" ".join(thing.lines) for thing in scene.things if isinstance(thing, Lettering) and thing.short]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [2, 4, 6])
def test_an_ordinary_name_is_whole_on_every_screen(game: str, count: int, size: tuple[int, int]) -> None:
    for name, scene in screens(game, ORDINARY[:count], size).items():
        assert not shortened(scene), name


@pytest.mark.parametrize("size", LYING, ids=str)
def test_eight_ordinary_names_are_whole_in_play(size: tuple[int, int]) -> None:
    for game in GAMES:
        assert not shortened(screens(game, ORDINARY, size)["play"]), game


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [2, 4])
def test_long_names_that_begin_alike_never_look_alike(game: str, count: int, size: tuple[int, int]) -> None:
    whole = {name.replace(" ", "") for name in ALIKE}
    for scene in screens(game, ALIKE[:count], size).values():
        for text in shown(scene, ALIKE):
            left = text.replace(" ", "").removesuffix("…")
            assert sum(name.startswith(left) for name in whole) == 1, text


def test_a_name_that_could_be_anothers_is_told_by_its_end() -> None:
    assert apart(ALIKE[0], ("Anna-", "Karin…"), ALIKE) == "…Lindström"
    assert apart(ALIKE[2], ("Anna-", "Lena…"), ALIKE) == "…Svensson"
    assert apart(ALIKE[0], ("Anna-", "Karin", "Linds…"), ALIKE) == ALIKE[0]
    assert apart("Maximilian", ("Maxim…",), ("Maximilian", "Maximiliane")) == "…n"


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_players_mark_stands_by_the_name_in_play_and_in_the_result(size: tuple[int, int]) -> None:
    """The colour and sign chosen on the new game help at the table too."""
    for game in ("yatzy", "trippel-maxi-yatzy"):
        found = screens(game, NAMES, size)
        marks = {f"mark-{seat}" for seat in range(len(NAMES))}
        for name in ("play", "result"):
            drawn = [thing.name for thing in found[name].things if isinstance(thing, Sign)]
            assert marks <= set(drawn), (game, name)
        on_turn = f"mark-{going(game, NAMES).seat_of(going(game, NAMES).player or '')}"
        blocks = [thing for thing in found["play"].things if isinstance(thing, Sign) and thing.name == on_turn]
        assert len(blocks) == 3, "the turn block, the sheet, the totals"
        assert any(thing.name == on_turn for thing in found["large"].things if isinstance(thing, Sign))


def test_a_mark_gives_way_where_the_name_needs_its_room() -> None:
    """Eight of the longest names on the smallest screen: all that any screen has room for are whole."""
    scene = screens("maxi-yatzy", LONG, (800, 480))["result"]
    assert not [text for text in shortened(scene) if not text.startswith("Mmm")]


def test_a_team_without_a_name_is_told_by_all_its_members() -> None:
    teams = tuple(NAMES[first::4] for first in range(4))
    match = thrown(apply(None, GameStarted("yatzy", NAMES, teams=teams)), Dice(6), 2)
    for size in SIZES:
        assert not shortened(layout.scene(view(match, "sv"), size)), size


def test_the_narrowest_room_for_a_name_is_as_wide_as_its_longest_part() -> None:
    assert narrowest(ALIKE[0], 20, True, 2) == width("Anna-Karin", 20, True)
    assert narrowest(ALIKE[0], 20, True, 3) == width("Lindström", 20, True)
    assert narrowest("Anna", 20, False, 2) == width("Anna", 20)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_numbers_of_neighbouring_columns_stand_apart(size: tuple[int, int]) -> None:
    """Six columns of Kniffel and three of two players beside each other: a clear gap between any two numbers."""
    shown = gallery("nb")
    for name in ("six-columns", "six-columns-large", "result-six-columns", "result-two", "result-three-columns"):
        scene = layout.scene(shown[name], size)
        numbers = [t for t in scene.things if isinstance(t, Lettering) and t.bold and t.lines[0].isdecimal()]
        spots = sorted((thing.placed[0].y // 4, thing.placed[0].x, thing) for thing in numbers)
        for (row, _, one), (other_row, _, other) in pairwise(spots):
            if row == other_row:
                gap = other.placed[0].x - one.placed[0].right
                assert gap >= 0.45 * width("0", min(one.size, other.size), True), (name, one.lines, other.lines)


def test_a_number_of_one_digit_is_as_large_as_one_of_two() -> None:
    assert fit_apart(1, 40, 60, 50, 10, bold=True) == fit_apart(2, 40, 60, 50, 10, bold=True)
    for digits in (1, 2, 3, 4):
        size = fit_apart(digits, 40, 60, 50, 5, bold=True)
        assert width("0" * digits, size, True) + width("0", size, True) / 2 <= 40 + 1
