"""How quick the table is to the finger, and how little it does when nobody touches it: the real loop, window and
journal, driven without a screen."""

import contextlib
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pygame

import rules
from device.journal import Journal
from device.loop import QUIET_ROUNDS, TICK_SECONDS, Loop
from device.session import Session
from device.sweeping import sweep, swept_at_rest
from display import layout
from display.intent import Enter, Hold, Intent, Look, NewGame, Start, ThrowByHand, Undo
from display.view import View
from display.window import Window

TABOO = ("open", "screen", "language", "turned", "night", "rotate")
"""Looks that lead away from the game."""


class Driven(Loop):
    """The loop, touched once in every rest at a moment by chance; `waited` are the seconds from each touch until the
    frame that shows what it did was handed to the screen, `busy` those of the processor."""

    def __init__(self, session: Session, window: Window, chance: random.Random) -> None:
        super().__init__(session, window)
        self._chance = chance
        self._touched: float | None = None
        self.waited: list[float] = []
        self.busy: list[float] = []

    def go(self, touches: int) -> None:
        while len(self.waited) < touches:
            began = time.process_time()
            self.round()
            if self._touched is not None:
                self.waited.append(time.perf_counter() - self._touched)
                self.busy.append(time.process_time() - began)
            sweep()
            early = self._chance.random() * TICK_SECONDS
            time.sleep(early)
            self._touch(self._session.view())
            self._touched = time.perf_counter()
            time.sleep(TICK_SECONDS - early)

    def _touch(self, view: View) -> None:
        """One finger down and up on something that can be touched."""
        targets = [(rect, meant) for rect, meant in layout.scene(view, self._window.size).targets() if _plays(meant)]
        weights = [_weight(meant) for _, meant in targets]
        rect, _ = self._chance.choices(targets, weights)[0]
        x, y = rect.middle
        wide, high = self._window.size
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            pygame.event.post(
                pygame.event.Event(kind, touch_id=1, finger_id=1, x=x / wide, y=y / high, dx=0.0, dy=0.0, pressure=1.0)
            )


def _plays(meant: Intent) -> bool:
    return not (isinstance(meant, NewGame) or (isinstance(meant, Look) and meant.what in TABOO))


def _weight(meant: Intent) -> float:
    """Mostly the game goes on: faces are touched and taken, a die is held, a box is written."""
    match meant:
        case ThrowByHand():
            return 30
        case Enter() | Hold() | Look(what="face"):
            return 5
        case Undo():
            return 0.2
    return 1


def touches(size: tuple[int, int], count: int, folder: Path | None = None) -> tuple[float, float]:
    """Plays so many touches, the journal in `folder` (None: a new one). The 99th percentile of the time from a touch to
    its frame, and of the processor's time for that; seconds."""
    chance = random.Random(1)
    with _table(size, folder) as (session, window), swept_at_rest():
        driven = Driven(session, window, chance)
        while len(driven.waited) < count:
            # A game that has come to its end gives way to the next.
            session.act(Start("trippel-maxi-yatzy", ("Anna", "Bo", "Cia", "Dan", "Eva", "Finn")))
            driven.go(count)
        return _percentile(driven.waited), _percentile(driven.busy)


def idle(size: tuple[int, int], seconds: float) -> float:
    """Part of one processor that the loop takes while nothing happens, with a game on the table."""
    with _table(size, None) as (session, window):
        session.act(Start("yatzy", ("Anna", "Bo")))
        loop = Driven(session, window, random.Random(1))
        for _ in range(QUIET_ROUNDS):
            loop.round()
        began, at = time.process_time(), time.perf_counter()
        while time.perf_counter() - at < seconds:
            loop.round()
            loop.rest()
        return (time.process_time() - began) / (time.perf_counter() - at)


@contextlib.contextmanager
def _table(size: tuple[int, int], folder: Path | None) -> Iterator[tuple[Session, Window]]:
    """A table with its journal on the disk and a window that SDL draws for nobody."""
    with contextlib.ExitStack() as leave:
        folder = folder or Path(leave.enter_context(tempfile.TemporaryDirectory(prefix="tallytray-bench-")))
        before = os.environ.get("SDL_VIDEODRIVER")
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        try:
            window = Window(size)
        finally:
            os.environ.pop("SDL_VIDEODRIVER")
            if before is not None:
                os.environ["SDL_VIDEODRIVER"] = before
        leave.callback(window.close)
        journal = Journal(folder)
        leave.callback(journal.close)
        yield Session(rules.games(), journal), window


def _percentile(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
