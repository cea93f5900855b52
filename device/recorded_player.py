"""The person of a recorded game: presses the buttons they pressed then, at the moments the screen asks for them.

They see the screen and nothing else. What they wanted (which faces to keep, which box) was recorded beside the film;
what the dice show comes through the camera.
"""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from device.fingers import MockFingers
from device.watcher import Watcher
from display.intent import Start
from display.view import View
from rules import Entered, Event, Match, Thrown
from vision.json_file import as_kind, load_json


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


def load(folder: Path) -> RecordedGame:
    """What the person of the film in `folder` did. Raises RecordedGameError."""
    path = folder / "game.json"
    return as_kind(load_json(path, RecordedGameError), RecordedGame, path, RecordedGameError)


class RecordedPlayer:
    """Plays `game` by pressing `fingers`, one button at a time, each press at least `pause` seconds after the last
    and only after the screen showed what that did.

    `start` begins the game. With `stays` they look at the result until somebody closes the window. They give up
    when nothing moved for `patience` seconds. `on_reading` is called before a reading is confirmed. `clock` is in
    seconds.
    """

    def __init__(
        self,
        game: RecordedGame,
        fingers: MockFingers,
        *,
        start: Callable[[Start], None],
        pause: float = 0.0,
        stays: bool = False,
        patience: float = 60.0,
        on_reading: Callable[[View], None] = lambda view: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._game = game
        self._fingers = fingers
        self._start = start
        self._pause = pause
        self._stays = stays
        self._clock = clock
        self._clip: int | None = None
        self._next_at = 0.0
        self._patience = patience
        self._on_reading = on_reading
        self._match: Match | None = None
        self._tray = ""
        self._moved_at = clock()

    @property
    def stuck(self) -> bool:
        """The throw the game waits for never came to rest readable, or the recording ended before the game."""
        return self._clock() - self._moved_at > self._patience

    def done(self, view: View) -> bool:
        over = view.match is not None and view.match.phase == "over"
        return (over and not self._stays and not view.saving) or (not over and self.stuck)

    def play(self, view: View, watcher: Watcher | None) -> None:
        """Look at the screen and do the next thing, if it is time for one."""
        if view.match is not self._match or view.tray != self._tray:
            self._match, self._tray, self._moved_at = view.match, view.tray, self._clock()
        self._fingers.move()
        if self._fingers.busy or view.saving or self._clock() < self._next_at:
            return
        if view.match is None:
            self._start(Start(self._game.game, self._game.players))
            return
        button = self._button(view, view.match)
        if button is not None:
            if view.seen:
                self._on_reading(view)
            self._fingers.press(button)
            self._next_at = self._clock() + self._pause
        elif watcher is not None and not view.seen:
            self._throw(view, view.match, watcher)

    def _throw(self, view: View, match: Match, watcher: Watcher) -> None:
        """Let the recording show the throw that the game waits for: one clip per throw."""
        clip = _count(match, Thrown)
        if self._clip is None and match.phase == "choose":
            # After a restart in mid-turn the dice lie in the tray as they lay.
            self._clip = clip - 1
            watcher.go_on(self._clip, at_rest=True)
        elif clip != self._clip and match.phase in ("throw", "choose") and self._may_throw(view, match):
            self._clip = clip
            watcher.go_on(clip)

    def _may_throw(self, view: View, match: Match) -> bool:
        """In mid-turn only when the tray was seen at rest; at the start of a turn the first throw needs no look."""
        if match.phase == "choose":
            return view.tray in ("settled", "unsure")
        return self._clip is None or view.tray in ("empty", "settled", "unsure")

    def _button(self, view: View, match: Match) -> str | None:
        """What to press now; None to throw, or to wait for the dice."""
        if view.seen:
            return "confirm" if all(die.value is not None for die in view.seen) else None
        turn = _count(match, Entered)
        if match.phase != "choose" or turn >= len(self._game.turns) or self._clip is None:
            return None
        recorded = self._game.turns[turn]
        if match.throw <= len(recorded.keep):
            return _hold(match, recorded.keep[match.throw - 1])
        return _towards(view, (recorded.box, recorded.column))


def _count(match: Match, kind: type[Event]) -> int:
    """How many events of this kind stand."""
    count = 0
    step: Match | None = match
    while step is not None:
        count += isinstance(step.last, kind)
        step = step.previous
    return count


def _hold(match: Match, faces: tuple[int, ...]) -> str | None:
    """The next hold button towards holding exactly `faces`; None when they are held."""
    wanted = Counter(faces)
    keep: set[int] = set()
    for slot, face in enumerate(match.dice, start=1):
        if wanted[face] > 0:
            wanted[face] -= 1
            keep.add(slot)
    wrong = sorted(keep ^ set(match.held))
    return f"hold-{wrong[0]}" if wrong else None


def _towards(view: View, target: tuple[str, int]) -> str:
    """The next button on the way of the sheet's cursor to `target`, a box and a column."""
    cursor = view.desk.box
    if cursor is None or cursor == target:
        return "confirm"
    assert view.match is not None
    if cursor[1] != target[1]:
        return "hold-4"
    order = [option.box for option in view.match.options]
    return "hold-1" if order.index(target[0]) < order.index(cursor[0]) else "hold-2"
