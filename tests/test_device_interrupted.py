"""A camera that fails for a moment, at any moment of a throw, loses no throw and invents none."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

import pytest

from device import vision_process
from device.shared import Shared, new_memory
from device.vision_process import VisionProcess
from device.vision_words import Expect, GoOn, Report
from vision.cameras.virtual import Fault, Virtual

FILM = Path(__file__).parent.parent / "fixtures" / "films" / "yatzy-solo"
VALUES = [tuple(sorted(throw["values"])) for throw in json.loads((FILM / "film.json").read_text())["throws"]]
BEFORE, THROW = (2, 3, 4), 5
"""Throws that go before, and the one that is interrupted: the first of a turn, with dice of the last one to take up."""


class Moody(Virtual):
    """Has `fault` for the `length` reads from number `begin` on, counted since `count` was set to 0."""

    fault: Fault = "none"
    begin = length = 0
    count: int | None = None

    def _read_orders(self) -> None:
        super()._read_orders()
        self._orders.fault = "none"
        if Moody.count is not None:
            Moody.count += 1
            if Moody.begin <= Moody.count < Moody.begin + Moody.length:
                self._orders.fault = Moody.fault


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """The pipe to a vision process, here a thread, that looks through a moody camera."""
    monkeypatch.setattr(vision_process, "open_camera", lambda spec, paced: Moody(FILM, paced=paced))
    monkeypatch.setattr(vision_process, "REOPEN_SECONDS", 0.02)
    ours, theirs = Pipe()
    process = VisionProcess(theirs, Shared(new_memory()), "virtual", paced=False)

    def run() -> None:
        with suppress(EOFError, OSError):  # the pipe was closed: the test is over
            process.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield ours
    ours.close()
    thread.join(20)


def throws(pipe: Connection, done: Callable[[Report], bool], seconds: float) -> list[tuple[int, ...]]:
    """The values of all throws told, until one is what is waited for or the time is over."""
    found = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if pipe.poll(0.05) and isinstance(word := pipe.recv(), Report) and word.seen.throw is not None:
            found.append(word.seen.throw.reading.values)
            if done(word):
                break
    return found


@pytest.mark.slow
@pytest.mark.parametrize("length", [3, 40])
@pytest.mark.parametrize("begin", [0, 4, 8, 12, 17])
@pytest.mark.parametrize("fault", ["unplugged", "frozen", "black", "wrong-size"])
def test_an_interrupted_throw_is_told_once(
    watched: Connection, monkeypatch: pytest.MonkeyPatch, fault: Fault, begin: int, length: int
) -> None:
    monkeypatch.setattr(Moody, "fault", fault)
    monkeypatch.setattr(Moody, "begin", begin)
    monkeypatch.setattr(Moody, "length", length)
    monkeypatch.setattr(Moody, "count", None)
    watched.send(Expect(5))
    for clip in BEFORE:
        watched.send(GoOn(clip))
        assert throws(watched, lambda report: True, 60) == [VALUES[clip]]
    watched.send(GoOn(THROW))
    Moody.count = 0
    assert throws(watched, lambda report: True, 60) == [VALUES[THROW]]
    assert throws(watched, lambda report: True, 0.5) == [], "told twice"
