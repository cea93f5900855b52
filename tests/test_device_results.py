"""Personal bests and high scores, from the finished games of the journal."""

import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from device.chain import text
from device.journal import Journal, Row
from device.loop import Loop
from device.results import MOST_SCORES, Results
from device.session import Session
from display.intent import Enter, NewGame, Redo, Start, ThrowByHand, Undo
from display.scores import Best
from display.window import Window

ROOT = Path(__file__).parent.parent


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path))
    yield session
    session.journal.close()


def turn(session: Session, face: int) -> None:
    """Five alike, written into the first box still free."""
    assert session.match is not None
    session.act(ThrowByHand((face,) * 5))
    option = session.match.options[0]
    session.act(Enter(option.box, option.column))
    assert session.notice is None


def play(
    session: Session, *faces: int, players: tuple[str, ...] = ("Anna",), house: Any = (), close: bool = True
) -> None:
    """A whole game of yatzy; each player throws one face only, which is worth 50 and 19 times that face."""
    session.act(Start("yatzy", players, house))
    for _ in range(15):
        for face in faces:
            turn(session, face)
    assert session.match is not None
    assert session.match.phase == "over"
    if close:
        session.act(NewGame())
    session.results.go_on(60)


def total(face: int) -> int:
    return 50 + 19 * face


def scores(session: Session, place: int = 0) -> list[tuple[str, int]]:
    return [(score.player, score.total) for score in session.view().scores[place].scores]


def test_the_first_solo_game_has_nothing_to_beat(session: Session) -> None:
    play(session, 3, close=False)
    assert session.view().best == Best(None, 0, 0)
    assert scores(session) == [("Anna", total(3))]


def test_a_solo_player_is_told_the_best_before_and_which_game_it_was(session: Session) -> None:
    for face in (2, 5, 4, 5):
        play(session, face)
    play(session, 6, close=False)
    assert session.view().best == Best(total(5), which=2, games=4)
    assert scores(session) == [("Anna", total(face)) for face in (6, 5, 5, 4, 2)]
    assert [score.here for score in session.view().scores[0].scores] == [True, False, False, False, False]


def test_undo_after_the_last_box_takes_the_result_back_and_redo_brings_it(session: Session) -> None:
    play(session, 2)
    play(session, 6, close=False)
    session.act(Undo())
    assert session.view().best is None
    assert scores(session) == [("Anna", total(2))]
    session.act(Redo())
    assert session.view().best == Best(total(2), 1, 1)
    assert scores(session) == [("Anna", total(6)), ("Anna", total(2))]
    session.act(Undo())
    session.act(NewGame())  # put away with a box free: it never counts
    play(session, 1, close=False)
    assert session.view().best == Best(total(2), 1, 1)
    assert scores(session) == [("Anna", total(2)), ("Anna", total(1))]


def test_a_best_is_the_players_own_and_from_solo_games(session: Session) -> None:
    play(session, 6, players=("Bo",))
    play(session, 5, 4, players=("Anna", "Bo"))
    play(session, 2)
    play(session, 3, close=False)
    assert session.view().best == Best(total(2), 1, 1)
    assert scores(session) == [(n, total(f)) for n, f in (("Bo", 6), ("Anna", 5), ("Bo", 4), ("Anna", 3), ("Anna", 2))]
    session.act(NewGame())
    play(session, 1, 1, players=("Anna", "Bo"), close=False)
    assert session.view().best is None  # a game of two has a winner instead


def test_changed_house_rules_make_another_list_but_not_how_ties_are_decided(session: Session) -> None:
    play(session, 4, house=(("extra-yatzy-bonus", 100),))
    play(session, 5)
    play(session, 3, house=(("tie", "throw-off"),), close=False)
    assert session.view().best == Best(total(5), 1, 1)
    printed, changed = session.view().scores
    assert (printed.changed, changed.changed) == ((), (("extra-yatzy-bonus", 100),))
    assert [score.total for score in changed.scores] == [total(4)]  # the first five alike that pays is the last box
    session.act(NewGame())
    play(session, 2, house=(("extra-yatzy-bonus", 0),), close=False)  # said, but as printed
    assert session.view().best == Best(total(5), 1, 2)


def test_rules_changed_in_mid_game_count_as_they_stand_at_the_end(tmp_path: Path) -> None:
    changed = {"type": "rules-changed", "rules": {"straights": "30-40"}}
    back = {"type": "rules-changed", "rules": {"straights": None}}
    for tail, lists in (([changed], ((("straights", "30-40"),),)), ([changed, back], ((),))):
        found = read(rows(solo_game(4, tail=tail)))
        assert tuple(one.changed for one in found.lists()) == lists


def test_a_variant_is_named_by_what_was_chosen_not_by_what_follows_from_it() -> None:
    chosen = {"bonus-variant": "75-50"}
    spelt_out = {"upper-bonus-threshold": 75, "upper-bonus-value": 50, "bonus-variant": "75-50"}
    found = read(rows(random_game(1, "maxi-yatzy", house=chosen), random_game(2, "maxi-yatzy", house=spelt_out)))
    (only,) = found.lists()
    assert len(only.scores) == 5
    assert only.changed == (("bonus-variant", "75-50"),)


def test_the_list_played_last_comes_first_and_no_list_is_endless() -> None:
    yatzy = [solo_game(1 + n % 6) for n in range(12)]
    found = read(rows(yatzy[0], random_game(3, "yahtzee"), *yatzy[1:]))
    assert [one.game.id for one in found.lists()] == ["yatzy", "yahtzee"]
    assert [score.total for score in found.lists()[0].scores] == [total(f) for f in (6, 6, 5, 5, 4, 4, 3, 3, 2, 2)]
    assert len(found.lists()[0].scores) == MOST_SCORES


def test_no_date_is_told_from_a_clock_that_did_not_know_it() -> None:
    good = read(rows(solo_game(4), at="2027-03-04T11:00:00.000+00:00")).lists()[0].scores[0]
    bad = read(rows(solo_game(4), at="1970-01-01T00:00:09.000+00:00")).lists()[0].scores[0]
    worse = read(rows(solo_game(4), at="yesterday")).lists()[0].scores[0]
    assert good.day is not None
    assert (good.day.year, good.day.month, good.day.day) == (2027, 3, 4)
    assert bad.day is worse.day is None


def test_games_that_cannot_be_played_through_leave_the_others_alone() -> None:
    gone = {"type": "game-started", "game": "poker", "players": ["Anna"], "rules": {}}
    newer = {"type": "dealt", "cards": 5}
    found = read(rows([gone], solo_game(3), [*solo_game(6)[:9], newer], solo_game(2), [gone]))
    assert [score.total for score in found.lists()[0].scores] == [total(3), total(2)]


def test_a_game_put_aside_counts_when_it_is_played_to_its_end() -> None:
    one, other = solo_game(5), solo_game(3)
    aside, up, forgotten = {"type": "game-put-aside"}, {"type": "game-taken-up", "game": 1}, {"type": "name-forgotten"}
    found = read(rows([*one[:9], aside], other, CLOSED, [{**forgotten, "player": "Bo"}, up], one[9:], CLOSED))
    assert [score.total for score in found.lists()[0].scores] == [total(5), total(3)]
    assert read(rows([*one[:9], aside], other, CLOSED, [up])).lists()[0].scores[0].total == total(3)


def test_a_game_whose_end_was_taken_back_goes_on() -> None:
    """The journal may say so, whatever the screen offers."""
    first = solo_game(5)
    closed = {"type": "game-closed"}
    undone = {"type": "undone"}
    found = read(rows([*first, closed, undone, undone]))
    assert found.lists() == ()
    found = read(rows([*first, closed, undone, undone, first[-1], closed]))
    assert [score.total for score in found.lists()[0].scores] == [total(5)]
    journal = rows([*first, closed])
    found = Results(journal, rules.games())
    found.go_on(60)
    assert len(found.lists()[0].scores) == 1
    journal += rows([undone], start=len(journal))
    found.go_on(60)
    assert found.lists() == ()


def test_old_games_are_read_an_event_at_a_time_and_told_when_all_are() -> None:
    """However many there are, no round of the loop waits for more than one of their events."""
    journal = rows(*[solo_game(1 + n % 6) for n in range(40)], solo_game(4)[:3])
    found = Results(journal, rules.games())
    rounds = 0
    while not found.whole:
        assert found.lists() == ()
        found.go_on(0)
        rounds += 1
    assert rounds >= len(journal) - 3
    assert [score.total for score in found.lists()[0].scores] == [total(6)] * 6 + [total(5)] * 4


def test_the_loop_reads_the_old_games_between_its_rounds(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for row in rows(*[solo_game(1 + n % 6) for n in range(9)], solo_game(2)):
        journal.append(row.body)
    session = Session(rules.games(), journal)
    loop = Loop(session, Window((800, 480), off_screen=True))
    assert session.view().best is None
    for _ in range(300):
        loop.round()
        if session.view().best is not None:
            break
    journal.close()
    assert session.view().best == Best(total(6), 6, 9)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_read_bit_by_bit_as_the_journal_grows_or_all_at_once_it_says_the_same(data: st.DataObject) -> None:
    games = data.draw(st.lists(st.sampled_from(POOL), min_size=1, max_size=6))
    bodies = [*(body for game in games for body in game), {"type": "game-started"}]
    journal: list[Row] = []
    found = Results(journal, rules.games())
    while len(journal) < len(bodies):
        more = data.draw(st.integers(1, len(bodies)))
        journal += rows(bodies[len(journal) : len(journal) + more], start=len(journal))
        found.go_on(data.draw(st.sampled_from((0, 0.0005, 60))))
    found.go_on(60)
    assert found.lists() == read(rows(bodies[:-1])).lists()
    expected: dict[tuple[str, str], list[int]] = {}
    for game in games:
        match = rules.replay(map(rules.event_from_json, game))
        assert match is not None
        if match.finished:
            key = (match.game.id, json.dumps(dict(match.rules) | {"tie": ""}))
            expected.setdefault(key, []).extend(sheet.total for sheet in match.scores)
    told = sorted([score.total for score in one.scores] for one in found.lists())
    assert told == sorted(sorted(totals, reverse=True)[:MOST_SCORES] for totals in expected.values())


LIFE = """
import os, sys
sys.path.insert(0, "tests")
from pathlib import Path
import rules
from device.chain import text
from device.journal import Journal
from device.session import Session
from display.intent import Enter, NewGame, Start, ThrowByHand, Undo
from test_device_results import play, turn
session = Session(rules.games(), Journal(Path(sys.argv[1])))
for face in (2, 5):
    play(session, face)
play(session, 6, close=False)
if sys.argv[2] == "undone":
    session.act(Undo())
while session.journal.written < session.journal.last:
    pass
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("last", ["entered", "undone"])
def test_a_killed_process_comes_back_with_the_same_bests(tmp_path: Path, last: str) -> None:
    died = subprocess.run([sys.executable, "-c", LIFE, str(tmp_path), last], cwd=ROOT, check=False)
    assert died.returncode == -signal.SIGKILL
    session = Session(rules.games(), Journal(tmp_path))
    assert session.view().scores == ()
    session.results.go_on(60)
    view = session.view()
    session.journal.close()
    if last == "entered":
        assert view.best == Best(total(5), 2, 2)
        assert scores(session) == [("Anna", total(6)), ("Anna", total(5)), ("Anna", total(2))]
    else:
        assert view.best is None
        assert scores(session) == [("Anna", total(5)), ("Anna", total(2))]


def rows(*games: list[dict[str, Any]], start: int = 0, at: str = "2027-01-01T12:00:00.000+00:00") -> list[Row]:
    bodies = [body for game in games for body in game]
    return [Row(number, at, text(body)) for number, body in enumerate(bodies, start=start + 1)]


def read(journal: list[Row]) -> Results:
    """All of it, as if another game were started after it."""
    found = Results([*journal, *rows([{"type": "game-started"}], start=len(journal))], rules.games())
    found.go_on(60)
    return found


def solo_game(face: int, tail: tuple[dict[str, Any], ...] | list[dict[str, Any]] = ()) -> list[dict[str, Any]]:
    boxes = [box.id for box in rules.games()["yatzy"].entry_boxes]
    played: list[dict[str, Any]] = [{"type": "game-started", "game": "yatzy", "players": ["Anna"], "rules": {}}]
    for box in boxes:
        played += [{"type": "thrown", "dice": [face] * 5}, {"type": "entered", "box": box}]
    return [*played, *tail]


def random_game(seed: int, name: str = "yatzy", house: Any = None, leave: int = 0) -> list[dict[str, Any]]:
    """A game somebody played; the last `leave` turns were not."""
    chance = random.Random(seed)
    players = ["Anna", "Bo", "Cia"][: 1 + seed % 3]
    body = {"type": "game-started", "game": name, "players": players, "rules": house or {}}
    played: list[dict[str, Any]] = [body]
    match = rules.replay([rules.event_from_json(body)])
    turns = len(players) * len(rules.games()[name].entry_boxes) * rules.games()[name].columns - leave
    for _ in range(turns):
        assert match is not None
        thrown = rules.Thrown(tuple(chance.randint(1, 6) for _ in range(match.game.dice)))
        match = rules.apply(match, thrown)
        option = chance.choice(match.options)
        entered = rules.Entered(option.box, option.column)
        match = rules.apply(match, entered)
        played += [rules.event_to_json(thrown), rules.event_to_json(entered)]
    return played


CLOSED = [{"type": "game-closed"}]
POOL = [
    *(random_game(seed) + CLOSED for seed in range(4)),
    random_game(5),
    random_game(6, leave=1) + CLOSED,
    random_game(7, house={"extra-yatzy-bonus": 50}) + CLOSED,
    random_game(8, "yahtzee", {"tie": "throw-off"}) + CLOSED,
    random_game(9, "yahtzee") + CLOSED,
]
