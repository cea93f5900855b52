"""The person of a recorded game: presses the buttons they pressed then, at the moments the screen asks for them.

They see the screen and nothing else. What they wanted (which faces to keep, which box) was recorded beside the film;
what the dice show comes through the camera.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec

from device.watcher import Watcher
from display.intent import Start
from display.view import View
from rules import Match


class RecordedGameError(Exception):
    """The recorded game cannot be used. Its text is one line that says where and why."""


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`keep`: the faces kept after the first throw, the second, …; `box`: where the dice were written."""

    keep: tuple[tuple[int, ...], ...]
    box: str
    column: int = 1


class RecordedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: str
    players: tuple[str, ...]
    turns: tuple[Turn, ...]


class Fingers(Protocol):
    def press(self, button: str) -> None:
        """Press and let go one push button."""


def load(folder: Path) -> RecordedGame:
    """What the person of the film in `folder` did. Raises RecordedGameError."""
    path = folder / "game.json"
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(found, RecordedGame)
    except OSError as error:
        raise RecordedGameError(f"{path}: no recorded game here ({error.strerror})") from error
    except (json.JSONDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise RecordedGameError(f"{path}: {error}") from error


@dataclass
class RecordedPlayer:
    """Plays `game` by pressing `fingers`, at most one press each `pause` seconds, waiting for each to show."""

    game: RecordedGame
    fingers: Fingers
    start: Callable[[Start], None]
    pause: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _clip: int | None = None
    _next_at: float = 0.0
    _pressed_in: object = None

    def done(self, view: View) -> bool:
        return view.match is not None and view.match.phase == "over" and not view.saving

    def play(self, view: View, watcher: Watcher | None) -> None:
        now = self.clock()
        if now < self._next_at:
            return
        if view.match is None:
            self.start(Start(self.game.game, self.game.players))
            return
        if self._clip is None and watcher is not None:
            # After a restart in mid-turn the dice lie in the tray as they lay: the last clip shows them again.
            thrown = view.match.thrown_count
            self._show(watcher, thrown - 1 if view.match.phase == "choose" else thrown)
            return
        situation = (view.match, view.seen, view.desk)
        if situation == self._pressed_in and now < self._next_at + 1.0:
            return
        button = self._button(view)
        if button is not None:
            self._pressed_in = situation
            self._next_at = now + self.pause
            self.fingers.press(button)
        elif watcher is not None and not view.seen and view.match.phase in ("throw", "choose"):
            self._show(watcher, view.match.thrown_count)

    def _show(self, watcher: Watcher, clip: int) -> None:
        if clip != self._clip:
            self._clip = clip
            watcher.go_on(clip)

    def _button(self, view: View) -> str | None:
        match = view.match
        assert match is not None
        if view.seen:
            return "confirm" if all(die.value is not None for die in view.seen) else None
        if match.phase != "choose":
            return None
        turn = self.game.turns[match.turns_taken]
        if match.throw - 1 < len(turn.keep):
            return self._hold(match, turn.keep[match.throw - 1])
        return self._towards(view, turn)

    def _hold(self, match: Match, faces: tuple[int, ...]) -> str | None:
        """The next hold button towards holding exactly `faces`; None when they are held."""
        wanted = Counter(faces)
        keep: set[int] = set()
        for slot, face in enumerate(match.dice, start=1):
            if wanted[face] > 0:
                wanted[face] -= 1
                keep.add(slot)
        wrong = sorted(keep ^ set(match.held))
        return f"hold-{wrong[0]}" if wrong else None

    def _towards(self, view: View, turn: Turn) -> str:
        """The next button on the way of the sheet's cursor to the turn's box."""
        raise NotImplementedError
