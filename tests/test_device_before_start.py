"""Starts that open no screen come more and more seldom, the lamps tell of them, and a screen ends that."""

import contextlib
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from test_device_unit import settings

from device import app, before_start, buttons
from device.buttons import NAMES, Buttons
from device.config import MOCK_LAMPS, Config, Settings
from display.view import View
from display.window import NoScreen, Window

ROOT = Path(__file__).parent.parent
RESTART_SECONDS = int(settings("Service")["RestartSec"][0])


class Passing:
    """Time that passes in rests only."""

    now = 0.0

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def no_window() -> Window:
    raise NoScreen("no screen can be opened")


def start(state: Path, open_window: Callable[[], Window] = no_window) -> float:
    """One start of the service on that state folder; how long it waited first, in seconds."""
    waited = before_start.seconds_to_wait(before_start.begun(state))
    with contextlib.suppress(NoScreen):
        app.play(
            state=state,
            settings=Settings(Config()),
            camera="recording:nowhere",
            open_window=open_window,
            kept_up=False,
        )
    return waited


def test_without_a_screen_the_delay_between_starts_grows_from_two_seconds_to_thirty(tmp_path: Path) -> None:
    waits = [start(tmp_path) for _ in range(10)]
    assert waits[:2] == [0, 0]
    delays = [RESTART_SECONDS + seconds for seconds in waits[1:]]
    assert delays == sorted(delays)
    assert (delays[0], delays[-1]) == (2, 30)
    assert len(set(delays)) >= 4


class Shown(Exception):
    """Ends a start whose window was opened."""


class Opens(Window):
    def show(self, view: View) -> None:
        raise Shown


def test_a_screen_that_opens_ends_the_count(tmp_path: Path) -> None:
    for _ in range(6):
        start(tmp_path)
    with pytest.raises(Shown):
        start(tmp_path, lambda: Opens((800, 480), off_screen=True))
    assert start(tmp_path) == 0
    assert before_start.begun(tmp_path) == 1


@pytest.mark.parametrize("kept", ["", "-3", "many", "9" * 5000, "\0\0"])
def test_a_count_that_cannot_be_believed_keeps_no_table_down(tmp_path: Path, kept: str) -> None:
    (tmp_path / "starts-without-screen").write_text(kept)
    assert before_start.seconds_to_wait(before_start.begun(tmp_path)) in before_start.WAITS_SECONDS
    assert before_start.begun(tmp_path / "is-not-there") == 0


def test_it_tries_at_once_when_a_screen_is_plugged_in(tmp_path: Path) -> None:
    status = tmp_path / "sys/class/drm/card1-HDMI-A-1/status"
    status.parent.mkdir(parents=True)
    status.write_text("disconnected\n")
    passing = Passing()

    def light(passed: float) -> None:
        if passed >= 5:
            status.write_text("connected\n")

    before_start.wait(28, light, tmp_path, clock=passing.clock, sleep=passing.sleep)
    assert 5 <= passing.now < 6
    before_start.wait(3, lambda passed: None, tmp_path, clock=passing.clock, sleep=passing.sleep)
    assert 8 <= passing.now < 9, "else as long as it said"


def test_all_lamps_tell_of_no_screen_and_the_log_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether cage or the table could not open one: what waits is neither."""
    seen: list[frozenset[str]] = []
    light = Buttons.light

    def noted(self: Buttons, names: Iterable[str]) -> None:
        light(self, names)
        seen.append(self.lit())

    lamps = "".join(f"{name} = {pin}\n" for name, pin in MOCK_LAMPS.items())
    (tmp_path / "config.toml").write_text(f"[lamps]\n{lamps}")
    (tmp_path / "starts-without-screen").write_text("3\n")
    passing = Passing()
    monkeypatch.setattr(Buttons, "light", noted)
    monkeypatch.setattr(buttons, "_factory", lambda kind: MockFactory())
    monkeypatch.setattr(before_start, "connectors", lambda root: {"card1-HDMI-A-1": "disconnected"})
    monkeypatch.setattr(before_start, "wait_for_screen", lambda: True)
    monkeypatch.setattr(time, "monotonic", passing.clock)
    monkeypatch.setattr(time, "sleep", passing.sleep)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    before_start.main()
    assert set(seen) == {frozenset(NAMES), frozenset()}
    rises = sum(after > before for before, after in itertools.pairwise([frozenset(), *seen]))
    assert rises == 4, "one flash in two seconds, for eight"
    (line,) = capsys.readouterr().err.splitlines()
    assert line == ("the last 3 starts opened no screen (card1-HDMI-A-1 disconnected); the next try is in 8 seconds")


def test_the_first_start_waits_for_nothing_and_loads_little(tmp_path: Path) -> None:
    """It stands before every start of the table."""
    asked = """
import sys
from device import before_start
before_start.main()
print([name for name in ("gpiozero", "pygame", "msgspec", "cv2") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=25,
    )
    assert done.stdout.strip() == "[]"
