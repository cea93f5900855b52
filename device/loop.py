"""The one loop: fingers, buttons and the camera in; events, a picture and lamps out."""

import select
import time
from collections.abc import Callable
from typing import Protocol

from device.announcer import Announcer
from device.buttons import Buttons
from device.crashes import Crashes
from device.journal import Row
from device.lamps import lit
from device.session import Session
from device.sweeping import sweep, swept_at_rest
from device.upkeep import Upkeep
from device.vision_words import Calibrates, Checked, Ended, Lost, Report
from device.watchdog import Watchdog
from device.watcher import Watcher
from display import keys, layout
from display.intent import Intent, Look
from display.theme import touch
from display.view import View
from display.window import Closed, Key, Tap, Window

TICK_SECONDS = 1 / 60
"""Longest rest of the loop: a touch is drawn within two ticks, under the 33 ms a finger notices."""

QUIET_TICK_SECONDS = 1 / 50
"""The same while nothing comes in: waking up is half of what an idle table costs, and a touch is still in time."""

AGAIN_SECONDS = 0.3
"""A second tap on the same spot so soon is the end of a double tap: it does not do another thing that came there."""

READ_SECONDS = 0.004
"""How long a round reads on in the journal's old games: a quarter of a tick, until all are read."""

QUIET_ROUNDS = 60
"""After so many rounds in which nothing came in, about a second, the loop only listens in five of six rounds."""
ALONE_ROUNDS = 600
"""After so many, about ten seconds, nobody waits for anything."""


class Player(Protocol):
    """Someone who plays by themselves: the recorded person of a demo. Presses buttons, never makes events."""

    def play(self, view: View, watcher: Watcher | None) -> None: ...

    def done(self, view: View) -> bool: ...


class Loop:
    """Runs until the window is closed, a recorded player is done, or `stop` is called."""

    def __init__(
        self,
        session: Session,
        window: Window,
        *,
        watcher: Watcher | None = None,
        buttons: Buttons | None = None,
        watchdog: Watchdog | None = None,
        crashes: Crashes | None = None,
        upkeep: Upkeep | None = None,
        announcer: Announcer | None = None,
        player: Player | None = None,
        on_written: Callable[[Row], None] = lambda row: None,
    ) -> None:
        self._session = session
        self._window = window
        self._watcher = watcher
        self._buttons = buttons
        self._watchdog = watchdog or Watchdog()
        self._crashes = crashes
        self._upkeep = upkeep
        self._announcer = announcer
        self._player = player
        self._on_written = on_written
        self._announced = session.journal.written
        self._expected: int | None = None
        self._quiet = 0
        self._last: tuple[Tap, Intent, float] | None = None
        """The tap that did something last, what, and when."""
        self._running = True

    def stop(self) -> None:
        """End after the current round; safe to call from a signal handler."""
        self._running = False

    def run(self) -> None:
        self._window.show(self._session.view())
        self._watchdog.ready()
        with swept_at_rest():
            while self._running:
                self.round()
                self.rest()
        self._watchdog.stopping()

    def round(self) -> None:
        """One round: everything that came in, then one frame if it changes anything."""
        came = self._fingers()
        came = self._camera() or came
        busy = came or self._window.moving or self._player is not None or not self._session.results.whole
        self._quiet = 0 if busy else self._quiet + 1
        if self._quiet > QUIET_ROUNDS and self._quiet % 6:
            return
        self._session.tick()
        view = self._session.view()
        self._window.show(view)
        self._watchdog.alive()
        if self._crashes is not None:
            self._crashes.alive()
        if self._announcer is not None:
            self._announcer.show(view)
        if self._upkeep is not None:
            self._upkeep.round(view)
        if self._buttons is not None:
            self._buttons.light(lit(view, time.monotonic()))
        if self._player is not None:
            if self._player.done(view):
                self._running = False
            self._player.play(view, self._watcher)
        # Only now: an event is announced when it is on the disk and the frame that shows it was drawn.
        while self._announced < self._session.journal.written and not view.saving:
            row = self._session.journal.rows[self._announced]
            self._announced += 1
            self._on_written(row)
        self._session.results.go_on(READ_SECONDS)
        if self._session.leaving:
            self._running = False

    def _fingers(self) -> bool:
        signals = self._window.poll()
        pressed = self._buttons.poll() if self._buttons is not None else []
        if signals or pressed:
            self._session.stir()
        for signal in signals:
            match signal:
                case Closed():
                    self._running = False
                case Tap(x, y):
                    self._do(self._meant(signal, layout.hit(self._session.view(), self._window.size, x, y)))
                case Key(name):
                    self._do(keys.intent(self._session.view(), name, self._window.size))
        for name in pressed:
            self._do(keys.intent(self._session.view(), name, self._window.size))
        return bool(signals or pressed)

    def _meant(self, tap: Tap, intent: Intent | None) -> Intent | None:
        """What a tap stands for; nothing where it is a double tap's second one and would do something else now."""
        if intent is None:
            return None
        now, last = time.monotonic(), self._last
        if last is not None and not isinstance(intent, Look) and intent != last[1]:
            apart = max(abs(tap.x - last[0].x), abs(tap.y - last[0].y))
            if now - last[2] < AGAIN_SECONDS and apart < touch(self._window.size):
                return None
        self._last = tap, intent, now
        return intent

    def _do(self, intent: Intent | None) -> None:
        if intent is not None:
            self._session.act(intent)
            if self._upkeep is not None:
                self._upkeep.wants(intent)

    def _camera(self) -> bool:
        if self._watcher is None:
            return False
        dice = self._session.dice_told
        if self._session.dice_expected is not None and dice != self._expected:
            self._watcher.expect(dice)
            self._expected = dice
        if self._session.play_on is not None:
            self._watcher.go_on(self._session.play_on.clip)
            self._session.play_on = None
        words = self._watcher.poll()
        for word in words:
            match word:
                case Report(seen=seen, scale=scale, fault=fault):
                    self._session.see(seen, scale, self._watcher.crops(word), fault)
                case Lost(fault, reason, forgot):
                    self._session.lose_camera(fault, reason, forgot=forgot)
                case Checked(fault, detail):
                    self._session.check_calibration(fault, detail)
                case Calibrates():
                    self._session.calibrating = word
                case Ended():
                    pass  # the last picture stays; the game goes on by finger
        picture = self._watcher.picture()
        if picture is not None:
            self._session.picture = picture
        return bool(words) or picture is not None

    def rest(self) -> None:
        """Waits for the next round, or for a word of the vision process."""
        sweep(alone=self._quiet == ALONE_ROUNDS)
        seconds = TICK_SECONDS if self._quiet <= QUIET_ROUNDS else QUIET_TICK_SECONDS
        pipe = self._watcher.pipe if self._watcher is not None else None
        if pipe is None:
            time.sleep(seconds)
        else:
            select.select([pipe], [], [], seconds)
