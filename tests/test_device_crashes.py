"""A game over which the program stops by itself does not keep the table down."""

import itertools
from pathlib import Path

import pytest
from state_folder import opened

import rules
from device import app
from device.commands import BadInput
from device.config import Config, Settings
from device.crashes import SOON_SECONDS, Crashes
from device.journal import Journal
from device.session import Session
from display.intent import Start
from display.view import View
from display.window import NoScreen, Window


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
    session = Session(rules.games(), Journal(tmp_path), leave_aside=True)
    assert [fault.name for fault in session.view().faults] == ["game-put-aside"]
    assert session.desk.screen == "new-game"
    session.journal.close()
    empty = Session(rules.games(), Journal(tmp_path / "empty"), leave_aside=True)
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
