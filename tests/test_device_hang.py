"""A loop that hangs is killed as the unit says, its stuck line is printed, and the same game comes back.

This test is the service manager: it waits for READY=1, counts the seconds between two WATCHDOG=1, sends the signal and
starts again.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from state_folder import opened
from test_device_unit import settings

ROOT = Path(__file__).parent.parent
GAME = "Anna 1 2 3 4 5 play"
START_SECONDS = 60
"""As much as a machine with other work to do may need."""
ABORT = signal.Signals[settings("Service")["WatchdogSignal"][0]]
PATIENCE_SECONDS = 4
"""Of this manager; the unit's 20 s would only make the test slower."""


class Manager:
    """Starts the table with the unit's environment and hears what it says."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state"
        self._address = str(folder / "notify")
        self._hears = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._hears.bind(self._address)
        self.process: subprocess.Popen[str] | None = None

    def start(self, *words: str) -> None:
        environment = {**os.environ, "NOTIFY_SOCKET": self._address, "PYTHONPATH": str(ROOT)}
        for line in settings("Service")["Environment"]:
            environment |= dict(pair.split("=", 1) for pair in line.split() if not pair.startswith(("SDL", "WLR")))
        command = [sys.executable, "tests/hanging_table.py", str(self.state), *words]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def hear(self, seconds: float) -> bytes:
        """The next word; nothing when none comes for so long."""
        self._hears.settimeout(seconds)
        try:
            return self._hears.recv(64)
        except TimeoutError:
            return b""

    def end(self, how: int) -> tuple[str, str]:
        """What it had said to its end."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait(START_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # nothing of a service outlives it
        return self.process.communicate(timeout=START_SECONDS)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        self._hears.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    one = Manager(tmp_path)
    yield one
    one.close()


@pytest.mark.slow
def test_a_hung_loop_is_killed_says_where_it_hung_and_the_game_comes_back(manager: Manager) -> None:
    manager.start("hang")
    assert manager.hear(START_SECONDS) == b"READY=1"
    heard = []
    while word := manager.hear(PATIENCE_SECONDS):
        heard.append(word)
    assert set(heard) <= {b"WATCHDOG=1"}
    assert len(heard) <= 1, "a loop that hangs tells nothing, whatever its other threads do"
    told, _ = manager.end(ABORT)
    assert manager.process is not None
    assert manager.process.returncode == -signal.SIGABRT
    assert told.strip() == GAME

    manager.start()
    assert manager.hear(START_SECONDS) == b"READY=1"
    assert manager.process.stdout is not None
    assert manager.process.stdout.readline().strip() == GAME
    assert [manager.hear(START_SECONDS) for _ in range(3)] == [b"WATCHDOG=1"] * 3
    _, said_then = manager.end(signal.SIGTERM)
    assert manager.process.returncode == 0
    assert "Fatal Python error: Aborted" in said_then
    assert "in stuck_for_ever" in said_then
    said = []
    while word := manager.hear(0.1):
        said.append(word)
    assert said[-1] == b"STOPPING=1"


@pytest.mark.parametrize(("how", "told"), [("hang", GAME), ("restore", "restoring")])
def test_a_game_that_hangs_the_loop_each_time_is_put_aside_and_named(manager: Manager, how: str, told: str) -> None:
    for _ in range(3):
        manager.start(how)
        assert manager.process is not None
        assert manager.process.stdout is not None
        assert manager.process.stdout.readline().strip() == told
        manager.end(ABORT)
    for _ in range(2):
        manager.start(how)
        assert manager.process.stdout is not None
        line = manager.process.stdout.readline().strip()
        assert line in ("nobody new-game Yatzy, Anna", "nobody new-game")
        manager.end(signal.SIGTERM)
        assert manager.process.returncode == 0
    assert line == "nobody new-game", "said once"
    assert [body["type"] for body in opened(manager.state)[0]] == ["game-started", "thrown", "game-put-aside"]


def test_a_table_that_stops_by_itself_says_so_to_the_manager(manager: Manager) -> None:
    """Where it is the main process. Under cage, which swallows this, only Restart=always starts it again."""
    manager.start("fall")
    assert manager.process is not None
    _, said = manager.process.communicate(timeout=START_SECONDS)
    assert manager.process.returncode == 1
    assert "ZeroDivisionError: as ordered" in said
