"""Games put aside and taken up again, players who come and go, rules changed: from fingers to the journal and back."""

import os
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
from device.session import Session
from device.shelf import Shelf, remembered
from display.intent import (
    ChangeRules,
    Enter,
    ForgetName,
    Intent,
    JoinTable,
    LeaveTable,
    NewGame,
    PutAside,
    Start,
    TakeUp,
    ThrowByHand,
    Undo,
)

ROOT = Path(__file__).parent.parent


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path))
    yield session
    session.journal.close()


def reopened(session: Session) -> Session:
    """The table after it was switched off and on."""
    session.journal.close()
    return Session(rules.games(), Journal(session.journal.path.parent))


def match(session: Session) -> rules.Match:
    assert session.match is not None
    return session.match


def do(session: Session, *intents: Intent) -> None:
    for intent in intents:
        session.act(intent)
        assert session.notice is None, (intent, session.notice)


def test_a_game_put_aside_is_listed_and_taken_up_as_it_stood(session: Session) -> None:
    do(session, Start("yatzy", ("Anna", "Bo")), ThrowByHand((1, 2, 3, 4, 5)))
    before = match(session)
    do(session, PutAside())
    assert session.match is None
    assert session.desk.screen == "new-game"
    do(session, Start("maxi-yatzy", ("Cia",)), ThrowByHand((1, 2, 3, 4, 5, 6)), Enter("chance", 1), PutAside())
    newest, older = session.view().aside
    assert (newest.game.id, newest.players, newest.filled, newest.boxes) == ("maxi-yatzy", ("Cia",), 1, 20)
    assert (older.game.id, older.players, older.filled) == ("yatzy", ("Anna", "Bo"), 0)
    do(session, TakeUp(older.number))
    assert match(session) == before
    assert session.desk.screen == "play"
    assert [one.game.id for one in session.view().aside] == ["maxi-yatzy"]
    do(session, Undo())
    assert match(session).dice == (), "undo reaches back before it was put aside"


def test_taking_up_a_game_puts_aside_the_one_on_the_table(session: Session) -> None:
    do(session, Start("yatzy", ("Anna",)), PutAside(), Start("yahtzee", ("Bo",)))
    (other,) = session.view().aside
    do(session, TakeUp(other.number))
    assert match(session).game.id == "yatzy"
    (back,) = session.view().aside
    assert back.game.id == "yahtzee"
    do(session, TakeUp(back.number))
    assert match(session).players == ("Bo",)


def test_games_put_aside_survive_switching_off(session: Session) -> None:
    do(session, Start("yatzy", ("Anna",)), ThrowByHand((6, 6, 6, 6, 6)), PutAside(), Start("yahtzee", ("Bo",)))
    again = reopened(session)
    assert match(again).players == ("Bo",)
    (one,) = again.view().aside
    do(again, TakeUp(one.number))
    assert match(again).dice == (6, 6, 6, 6, 6)
    last = reopened(again)
    assert match(last).players == ("Anna",)
    assert [one.players for one in last.view().aside] == [("Bo",)]
    do(last, PutAside())
    empty = reopened(last)
    assert empty.match is None
    assert [one.players for one in empty.view().aside] == [("Anna",), ("Bo",)]
    empty.journal.close()


def test_an_ended_game_is_not_put_aside_and_a_finished_one_not_either(session: Session) -> None:
    session.act(PutAside())
    assert session.notice == "not-started"
    do(session, Start("yatzy", ("Anna",)), NewGame())
    assert session.view().aside == ()
    do(session, Start("yatzy", ("Anna",)))
    for box in rules.games()["yatzy"].entry_boxes:
        do(session, ThrowByHand((1, 2, 3, 4, 5)), Enter(box.id, 1))
    session.act(PutAside())
    assert session.notice == "not-started"
    assert match(session).phase == "over"
    session.act(TakeUp(1))
    assert session.notice == "game-gone"


def test_a_finished_game_makes_room_for_one_taken_up(session: Session) -> None:
    do(session, Start("maxi-yatzy", ("Bo",)), PutAside(), Start("yatzy", ("Anna",)))
    for box in rules.games()["yatzy"].entry_boxes:
        do(session, ThrowByHand((1, 2, 3, 4, 5)), Enter(box.id, 1))
    do(session, TakeUp(session.view().aside[0].number))
    assert match(session).game.id == "maxi-yatzy"
    assert session.view().aside == ()


def test_a_game_put_aside_whose_file_is_gone_is_not_offered_and_comes_back_with_it(session: Session) -> None:
    do(session, Start("yahtzee", ("Anna",)), PutAside(), Start("yatzy", ("Bo",)))
    session.journal.close()
    folder = session.journal.path.parent
    few = {name: game for name, game in rules.games().items() if name != "yahtzee"}
    without = Session(few, Journal(folder))
    assert without.view().aside == ()
    without.act(TakeUp(1))
    assert without.notice == "game-gone"
    without.journal.close()
    again = Session(rules.games(), Journal(folder))
    assert [one.game.id for one in again.view().aside] == ["yahtzee"]
    again.journal.close()


def test_a_game_on_the_table_whose_file_is_gone_lies_aside_once_another_starts(session: Session) -> None:
    do(session, Start("yahtzee", ("Anna",)))
    session.journal.close()
    folder = session.journal.path.parent
    few = {name: game for name, game in rules.games().items() if name != "yahtzee"}
    without = Session(few, Journal(folder))
    assert [fault.name for fault in without.faults.standing] == ["game-missing"]
    do(without, Start("yatzy", ("Bo",)))
    without.journal.close()
    again = Session(rules.games(), Journal(folder))
    assert match(again).players == ("Bo",)
    assert [one.players for one in again.view().aside] == [("Anna",)]
    again.journal.close()


def test_players_join_and_leave_and_both_can_be_undone(session: Session) -> None:
    do(session, Start("yatzy", ("Anna", "Bo")), JoinTable("Cia"))
    assert match(session).players == ("Anna", "Bo", "Cia")
    assert session.view().remembered == ("Cia", "Anna", "Bo")
    session.act(JoinTable("Cia"))
    assert session.notice == "name-taken"
    do(session, LeaveTable("Anna"))
    assert match(session).player == "Bo"
    session.act(LeaveTable("Anna"))
    assert session.notice == "unknown-player"
    do(session, Undo(), Undo())
    assert match(session).players == ("Anna", "Bo")


def test_house_rules_change_in_mid_game_and_every_sheet_with_them(session: Session) -> None:
    do(session, Start("yatzy", ("Anna",)), ThrowByHand((1, 2, 3, 4, 5)), Enter("small-straight", 1))
    do(session, ChangeRules((("straights", "30-40"),)))
    assert match(session).scores[0].total == 30
    session.act(ChangeRules((("upper-bonus-value", 7),)))
    assert session.notice == "rule-out-of-range"
    do(session, ChangeRules((("straights", None),)))
    assert match(session).scores[0].total == 15


def test_teams_and_lots_reach_the_game(session: Session) -> None:
    teams = (("Anna", "Cia"), ("Bo",))
    do(session, Start("yatzy", ("Anna", "Bo", "Cia"), teams=teams, team_names=("Mor", "Bo"), begins="throw"))
    assert [seat.name for seat in match(session).seats] == ["Mor", "Bo"]
    assert match(session).phase == "begin"
    do(session, ThrowByHand((1, 1, 1, 1, 1)), ThrowByHand((1, 1, 1, 1, 2)), ThrowByHand((6, 1, 1, 1, 1)))
    assert match(session).player == "Bo"
    assert match(session).phase == "throw"


def test_remembered_names_stand_by_last_use_and_can_be_forgotten(session: Session) -> None:
    do(session, Start("yatzy", ("Anna", "Bo")), NewGame(), Start("yatzy", ("Cia", "Anna")), NewGame())
    assert session.view().remembered == ("Cia", "Anna", "Bo")
    do(session, ForgetName("Anna"))
    assert session.view().remembered == ("Cia", "Bo")
    again = reopened(session)
    assert again.view().remembered == ("Cia", "Bo")
    do(again, Start("yatzy", ("Anna",)))
    assert again.view().remembered == ("Anna", "Cia", "Bo")
    again.journal.close()


def test_a_row_this_program_does_not_know_takes_no_game_with_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append({"type": "game-started", "game": "yatzy", "players": ["Anna"], "rules": {}})
    journal.append({"type": "dealt", "cards": 5})
    journal.append({"type": "game-put-aside"})
    journal.append({"type": "game-taken-up", "game": 99})
    session = Session(rules.games(), journal)
    assert session.match is None
    assert session.view().aside == ()
    do(session, Start("yatzy", ("Bo",)))
    journal.close()


def table(seed: int) -> list[dict[str, Any]]:
    """What a table might write down in an evening: several games, put aside and taken up."""
    chance = random.Random(seed)
    rows: list[dict[str, Any]] = []
    games: list[int] = []
    on_table: int | None = None
    for _ in range(40):
        deed = chance.choice(("start", "throw", "throw", "aside", "up", "close", "forget", "undo"))
        if deed == "start" and on_table is None:
            rows.append({"type": "game-started", "game": "yatzy", "players": [f"P{len(rows)}"], "rules": {}})
            on_table = len(rows)
        elif deed == "throw" and on_table is not None:
            rows.append({"type": "thrown", "dice": [chance.randint(1, 6) for _ in range(5)]})
        elif deed == "undo" and on_table is not None:
            rows.append({"type": "undone"})
        elif deed == "aside" and on_table is not None:
            rows.append({"type": "game-put-aside"})
            games, on_table = [on_table, *games], None
        elif deed == "up" and games:
            taken = games.pop(chance.randrange(len(games)))
            games, on_table = ([on_table, *games] if on_table is not None else games), taken
            rows.append({"type": "game-taken-up", "game": taken})
        elif deed == "close" and on_table is not None:
            rows.append({"type": "game-closed"})
            on_table = None
        elif deed == "forget":
            rows.append({"type": "name-forgotten", "player": "P0"})
    return [{"aside": games, "current": on_table}, *rows]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_every_row_belongs_to_one_game_and_the_order_of_the_shelf_is_that_of_the_evening(seed: int) -> None:
    expected, *bodies = table(seed)
    rows = [Row(number, "2027-01-01T12:00:00+00:00", text(body)) for number, body in enumerate(bodies, start=1)]
    shelf = Shelf(rows)
    assert list(shelf.aside) == expected["aside"]
    assert shelf.current == expected["current"]
    kept = [row.number for game in (*shelf.aside, *filter(None, [shelf.current])) for row in shelf.rows(game)]
    assert len(kept) == len(set(kept))
    assert [row.number for row in shelf.rows(shelf.current or 0)] == sorted(
        row.number for row in shelf.rows(shelf.current or 0)
    )
    fed = Shelf()
    for row in rows:
        fed.put(row)
    looked = (shelf.aside, shelf.current, [shelf.rows(game) for game in expected["aside"]], shelf.game_of(len(rows)))
    assert looked == (fed.aside, fed.current, [fed.rows(game) for game in expected["aside"]], fed.game_of(len(rows)))
    assert "P0" not in remembered([*rows, Row(len(rows) + 1, "", text({"type": "name-forgotten", "player": "P0"}))])


LIFE = """
import os, sys
from pathlib import Path
import rules
from device.chain import text
from device.journal import Journal
from device.session import Session
from display.intent import Enter, PutAside, Start, TakeUp, ThrowByHand
session = Session(rules.games(), Journal(Path(sys.argv[1])))
deeds = [Start("yatzy", ("Anna",)), ThrowByHand((6, 6, 6, 6, 6)), PutAside(), Start("yahtzee", ("Bo",)),
         ThrowByHand((1, 2, 3, 4, 5)), TakeUp(1), Enter("yatzy", 1), PutAside()]
for deed in deeds[: int(sys.argv[2])]:
    session.act(deed)
    assert session.notice is None
while session.journal.written < session.journal.last:
    pass
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(
    "deeds", [3, 6, pytest.param(4, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.slow)]
)
def test_nothing_is_lost_by_a_kill_between_two_games(tmp_path: Path, deeds: int) -> None:
    died = subprocess.run(
        [sys.executable, "-c", LIFE, str(tmp_path), str(deeds)], cwd=ROOT, check=False, env={**os.environ}
    )
    assert died.returncode == -signal.SIGKILL
    session = Session(rules.games(), Journal(tmp_path))
    on_table = None if session.match is None else session.match.players
    aside = [one.players for one in session.view().aside]
    session.journal.close()
    assert (on_table, aside) == {
        3: (None, [("Anna",)]),
        4: (("Bo",), [("Anna",)]),
        6: (("Anna",), [("Bo",)]),
        8: (None, [("Anna",), ("Bo",)]),
    }[deeds]
