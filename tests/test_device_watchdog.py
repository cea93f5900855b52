"""What the service manager hears, through a socket of our own in its place."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.watchdog import Watchdog


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
