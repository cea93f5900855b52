"""A game over which the program stops by itself does not keep the table down."""

import itertools
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from state_folder import opened

import rules
from device import app
from device.commands import BadInput
from device.config import Config, Settings
from device.crashes import SOON_SECONDS, Crashes
from device.journal import Journal
from device.session import Session
from display.intent import Start, TakeUp
from display.view import Fault, View
from display.window import NoScreen, Window

ROOT = Path(__file__).parent.parent


class Falling(Window):
    """A window that cannot draw a game."""

    def show(self, view: View) -> None:
        if view.match is not None:
            raise ZeroDivisionError("a fault nobody foresaw")
        raise KeyboardInterrupt  # somebody looks at it and switches it off


def begin(folder: Path) -> None:
    session = Session(rules.games(), Journal(folder))
    session.act(Start("yatzy", ("Anna",)))
    session.journal.close()


def start(folder: Path) -> None:
    app.play(
        state=folder,
        settings=Settings(Config()),
        camera="recording:fixtures/films/yatzy-solo",
        open_window=lambda: Falling((800, 480), off_screen=True),
        kept_up=False,
    )


def test_after_the_third_time_the_game_is_put_aside_and_can_be_taken_up(tmp_path: Path) -> None:
    begin(tmp_path)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            start(tmp_path)
        assert [body["type"] for body in opened(tmp_path)[0]] == ["game-started"]
    with pytest.raises(KeyboardInterrupt):
        start(tmp_path)
    assert [body["type"] for body in opened(tmp_path)[0]] == ["game-started", "game-put-aside"]
    session = Session(rules.games(), Journal(tmp_path))
    assert session.match is None
    assert [game.players for game in session.view().aside] == [("Anna",)]
    session.journal.close()


def test_what_the_screen_says_then(tmp_path: Path) -> None:
    begin(tmp_path)
    session = Session(rules.games(), Journal(tmp_path), careful=True)
    assert session.view().faults == (Fault("game-put-aside", "Yatzy, Anna"),)
    assert session.desk.screen == "new-game"
    session.journal.close()
    empty = Session(rules.games(), Journal(tmp_path / "empty"), careful=True)
    assert not empty.view().faults
    empty.journal.close()


def test_kills_late_errors_and_lines_for_a_person_do_not_count(tmp_path: Path) -> None:
    times = itertools.count(0.0, SOON_SECONDS + 1)
    fault = ZeroDivisionError()
    for error in (NoScreen("none"), BadInput("wrong"), KeyboardInterrupt()):
        for _ in range(4):
            Crashes(tmp_path).ended(type(error), error, None)
            Crashes(tmp_path)  # killed: nothing is noted
    assert not Crashes(tmp_path).repeated
    for _ in range(4):
        Crashes(tmp_path, lambda: next(times)).ended(type(fault), fault, None)
    assert not Crashes(tmp_path).repeated
    for _ in range(2):
        Crashes(tmp_path).ended(type(fault), fault, None)
    assert Crashes(tmp_path).repeated
    Crashes(tmp_path).ended(None, None, None)
    assert not Crashes(tmp_path).repeated


@pytest.mark.parametrize("content", ["", "three", "-", "9" * 5000, "\0\0"])
def test_a_damaged_note_counts_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "crashes").write_text(content)
    assert not Crashes(tmp_path).repeated


CRASHING = """
import ctypes, sys
from pathlib import Path
from device.crashes import Crashes
Crashes(Path(sys.argv[1]))
ctypes.string_at(0)
"""


def test_a_crash_in_a_library_counts_and_is_said_at_the_next_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        command = [sys.executable, "-c", CRASHING, str(tmp_path)]
        assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == -signal.SIGSEGV
    crashes = Crashes(tmp_path)
    assert crashes.repeated
    assert "Segmentation fault" in caplog.text
    crashes.ended(None, None, None)
    assert not list(tmp_path.iterdir())


def test_a_kill_after_the_game_was_put_aside_puts_no_other_one_aside(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("3")
    assert Crashes(tmp_path).repeated
    assert not Crashes(tmp_path).repeated


def test_who_was_alive_for_a_while_begins_to_count_anew(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("2")
    now = 0.0
    crashes = Crashes(tmp_path, lambda: now)
    crashes.alive()
    now = SOON_SECONDS + 1
    crashes.alive()
    (tmp_path / "last-words").write_text("Fatal Python error: Aborted")
    assert not Crashes(tmp_path).repeated


def test_no_old_game_is_played_through_by_a_table_that_fell_over_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path)
    journal = Journal(tmp_path)
    for body in (
        {"type": "game-put-aside"},
        {"type": "game-started", "game": "kniffel", "players": ["Bo", "Cia"], "rules": {}},
    ):
        journal.append(body)
    journal.close()

    def fall(*_: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr("device.shelf.replay", fall)
    session = Session(rules.games(), Journal(tmp_path), careful=True)
    assert [(game.game.id, game.players) for game in session.view().aside] == [
        ("kniffel", ("Bo", "Cia")),
        ("yatzy", ("Anna",)),
    ]
    session.journal.close()
    monkeypatch.undo()
    session = Session(rules.games(), Journal(tmp_path))
    assert [game.boxes for game in session.view().aside] == [0, 15], "only the one it fell over is left alone"
    session.act(TakeUp(3))
    assert session.match is not None
    session.journal.close()
