"""What the service manager hears, through a socket of our own in its place."""

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from device import app, growing, upkeep
from device.config import Config, Settings
from device.journal import Journal
from device.loop import Loop
from device.session import Session
from device.watchdog import Watchdog
from device.watcher import Watcher
from display.intent import Start, ThrowByHand
from display.view import View
from display.window import Window


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    address = str(tmp_path / "notify") if request.param == "file" else f"@tallytray-test-{os.getpid()}"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(address.replace("@", "\0", 1))
    listener.settimeout(1)
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    yield listener
    listener.close()


def test_ready_alive_stopping_arrive_in_order(manager: socket.socket) -> None:
    watchdog = Watchdog()
    watchdog.ready()
    watchdog.alive()
    watchdog.stopping()
    assert [manager.recv(64) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]
    watchdog.close()


def test_it_is_told_once_a_second_that_the_loop_lives(manager: socket.socket) -> None:
    now = 0.0
    watchdog = Watchdog(lambda: now)
    manager.setblocking(False)
    told = []
    for tick in range(60 * 5):
        now = tick / 60
        watchdog.alive()
        with contextlib.suppress(BlockingIOError):
            told.append((manager.recv(64), tick))
    watchdog.close()
    assert told == [(b"WATCHDOG=1", second * 60) for second in range(5)]


def test_children_cannot_speak_for_us(manager: socket.socket) -> None:
    watchdog = Watchdog()
    assert "NOTIFY_SOCKET" not in os.environ
    watchdog.close()


def test_silent_without_a_service_manager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    watchdog = Watchdog()
    watchdog.ready()
    watchdog.close()


def test_a_manager_that_went_away_does_not_stop_the_game(manager: socket.socket) -> None:
    watchdog = Watchdog()
    manager.close()
    watchdog.alive()
    watchdog.close()


class Visitor:
    """Somebody who looks for a while and touches nothing."""

    def __init__(self, session: Session) -> None:
        self._until = time.monotonic() + 60

    def play(self, view: View, watcher: Watcher | None) -> None: ...

    def done(self, view: View) -> bool:
        return time.monotonic() > self._until


@pytest.mark.parametrize("manager", ["file"], indirect=True)
def test_a_table_that_has_grown_ends_where_the_service_manager_starts_it_again(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "MOST_BYTES", 1)
    monkeypatch.setattr(growing, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(upkeep, "SIZE_SECONDS", 0.0)
    session = app.play(
        state=tmp_path / "state",
        settings=Settings(Config()),
        camera="recording:nowhere",
        open_window=lambda: Window((800, 480), off_screen=True),
        kept_up=False,
        player=lambda session, buttons: Visitor(session),
    )
    assert session.leaving
    assert manager.recv(64) == b"READY=1"


def test_ready_means_that_the_game_that_was_played_is_on_the_screen(manager: socket.socket, tmp_path: Path) -> None:
    session = Session(rules.games(), Journal(tmp_path))
    session.act(Start("yatzy", ("Anna",)))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    session.journal.close()
    manager.setblocking(False)
    shown: list[View] = []

    class Screen(Window):
        def show(self, view: View) -> None:
            if not shown:
                with pytest.raises(BlockingIOError):
                    manager.recv(100)
            super().show(view)
            shown.append(view)
            loop.stop()

    session = Session(rules.games(), Journal(tmp_path))
    window = Screen((800, 480), off_screen=True)
    watchdog = Watchdog()
    loop = Loop(session, window, watchdog=watchdog)
    loop.run()
    watchdog.close()
    window.close()
    session.journal.close()
    assert manager.recv(100) == b"READY=1"
    assert shown[0].match is not None
    assert (shown[0].match.player, shown[0].match.dice, shown[0].desk.screen) == ("Anna", (1, 2, 3, 4, 5), "play")


def test_a_manager_too_busy_to_listen_hangs_no_loop_and_hears_of_the_start_later(manager: socket.socket) -> None:
    now = 0.0
    watchdog = Watchdog(lambda: now)
    other = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    other.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            other.sendto(b"from another service", manager.getsockname())
    other.close()
    watchdog.ready()
    watchdog.alive()
    manager.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            assert manager.recv(64) == b"from another service"
    now = 1.0
    watchdog.alive()
    assert [manager.recv(64) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]
    watchdog.close()
