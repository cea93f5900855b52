"""The one loop: a touch is shown in the round it comes in, and nothing (a slow disk, a quiet hour) keeps it waiting."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

import rules
from device import bench_table, journal_file
from device.bench_table import Driven
from device.journal import Journal
from device.loop import QUIET_ROUNDS, Loop
from device.session import Session
from display import layout
from display.intent import Enter, Intent, Look, SpendSavedThrow, Start, ThrowByHand
from display.window import Window

SIZE = (800, 480)


@pytest.fixture
def window() -> Iterator[Window]:
    made = Window(SIZE)
    pygame.event.clear()
    yield made
    made.close()


def touch(session: Session, wanted: Intent) -> None:
    """A finger on what means this."""
    scene = layout.scene(session.view(), SIZE)
    x, y = next(rect.middle for rect, meant in scene.targets() if meant == wanted)
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        place = {"x": x / SIZE[0], "y": y / SIZE[1], "dx": 0.0, "dy": 0.0, "pressure": 1.0}
        pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=1, **place))


def test_a_slow_disk_keeps_nobody_waiting(tmp_path: Path, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    add = journal_file.add

    def slowly(*what: Any) -> None:
        time.sleep(0.6)
        add(*what)

    monkeypatch.setattr(journal_file, "add", slowly)
    journal = Journal(tmp_path)
    session = Session(rules.games(), journal)
    loop = Loop(session, window)
    session.act(Start("yatzy", ("Anna",)))
    loop.round()
    began = time.monotonic()
    for face in (2, 3, 4, 5, 6):
        touch(session, Look("face", face))
        loop.round()
    assert session.view().desk.pad == (2, 3, 4, 5, 6)
    assert session.view().saving, "shown as pending while it is not on the disk"
    assert journal.written == 0
    assert time.monotonic() - began < 0.6, "five touches were shown while one event was being written"
    while session.view().saving:
        time.sleep(0.02)
        loop.round()
    assert journal.written == journal.last == 1
    monkeypatch.undo()
    journal.close()


def test_a_touch_after_a_quiet_while_is_shown_in_its_round(tmp_path: Path, window: Window) -> None:
    journal = Journal(tmp_path)
    session = Session(rules.games(), journal)
    session.act(Start("yatzy", ("Anna",)))
    loop = Loop(session, window)
    looked = 0
    view = session.view

    def counted() -> Any:
        nonlocal looked
        looked += 1
        return view()

    session.view = counted  # type: ignore[method-assign]
    for _ in range(QUIET_ROUNDS + 1):
        loop.round()
    looked = 0
    for _ in range(100):
        loop.round()
    assert looked <= 30, "a table nobody touches only listens"
    for face in (1, 6, 3):
        drawn = window.drawn
        touch(session, Look("face", face))
        loop.round()
        assert window.drawn == drawn + 1
    assert view().desk.pad == (1, 6, 3)
    journal.close()


def test_a_double_tap_does_not_spend_what_comes_under_the_finger(
    tmp_path: Path, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("device.loop.time.monotonic", lambda: now)
    journal = Journal(tmp_path)
    session = Session(rules.games(), journal)
    session.act(Start("maxi-yatzy", ("Anna", "Bo")))
    session.act(ThrowByHand((6,) * 6))
    session.act(Enter("chance", 1))  # two throws saved
    for _ in range(3):
        session.act(ThrowByHand((1, 2, 3, 4, 5, 6)))
    session.act(Enter("chance", 1))
    for faces in ((1, 1, 1, 2, 2, 3), (1, 1, 1, 2, 2, 4)):
        session.act(ThrowByHand(faces))
    for face in (1, 1, 1, 2, 2, 5):
        session.act(Look("face", face))
    loop = Loop(session, window)
    third = ThrowByHand((1, 1, 1, 2, 2, 5))
    touch(session, third)
    loop.round()
    assert session.match is not None
    assert session.match.throw == 3
    spend = [rect for rect, meant in layout.scene(session.view(), SIZE).targets() if meant == SpendSavedThrow()]
    assert spend, "the saved throw's button stands where the throw was taken"
    standing = session.match.standing
    now += 0.15
    touch(session, SpendSavedThrow())
    loop.round()
    assert session.match.standing == standing
    now += 0.5
    touch(session, SpendSavedThrow())
    loop.round()
    assert session.match.standing == standing + 1
    journal.close()


def test_the_driven_session_of_bench_plays_on_and_every_touch_is_shown(tmp_path: Path, window: Window) -> None:
    journal = Journal(tmp_path)
    session = Session(rules.games(), journal)
    session.act(Start("yatzy", ("Anna", "Bo")))
    driven = Driven(session, window, random.Random(3))
    driven.go(60)
    assert len(driven.waited) == len(driven.busy) == 60
    assert {"thrown", "entered"} <= {row.body["type"] for row in journal.rows}
    journal.close()


@pytest.mark.slow
def test_touch_to_frame_on_the_disk_as_bench_measures_it(tmp_path: Path) -> None:
    waited, busy = bench_table.touches((1280, 720), 1000, tmp_path)
    print(f"touch to frame, 99th percentile: {waited * 1e3:.1f} ms, of it the processor's {busy * 1e3:.1f} ms")
    assert busy <= 0.033, "even of the processor's own time a touch takes too much"
