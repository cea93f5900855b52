"""What the owner of the table settled: a PIN, how long a game may be left alone, how the device is switched off."""

import logging
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from display.view import OffState

log = logging.getLogger("tallytray")

WRONG_PINS = 4
"""So many wrong PINs in a row, then a wait: ten thousand PINs are not to be tried in an evening."""
WAIT_SECONDS = 30.0

SAVED_SECONDS = 5.0
"""How long switching off waits for the last events to be on the disk."""
COMMAND_SECONDS = 20.0
"""How long the command may take before it counts as failed."""
DARK_SECONDS = 60.0
"""How long after a command that went well the device may still be on."""


class Lock:
    """The PIN before the setup and the page to switch off; without one everything is open. `clock` is in seconds."""

    def __init__(self, pin: str | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pin = pin
        self._clock = clock
        self._open = False
        self._wrong = 0
        self._wait_until = float("-inf")

    @property
    def locked(self) -> bool:
        return self._pin is not None and not self._open

    def open(self, digits: str) -> str | None:
        """Open it with these digits; a notice when they are wrong, or when too many were."""
        if self._clock() < self._wait_until:
            return "pin-wait"
        if self._pin is None or digits == self._pin:
            self._open, self._wrong = True, 0
            return None
        self._wrong += 1
        if self._wrong % WRONG_PINS == 0:
            self._wait_until = self._clock() + WAIT_SECONDS
        return "wrong-pin"

    def close(self) -> None:
        """The owner has left."""
        self._open = False


class Off:
    """Switches the device off by the owner's `command`, once everything is on the disk.

    Nothing here waits: `going` is true from the wish on, `tick` takes each next step and gives back a notice when it
    went wrong. The command runs beside; that the device goes dark is left to it.
    """

    def __init__(self, command: Sequence[str], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._command = tuple(command)
        self._clock = clock
        self._wished: float | None = None
        self._begun: float | None = None
        self._result: str | None = None
        """What went wrong with the command, "" when nothing did; None while it runs."""

    @property
    def going(self) -> bool:
        return self._wished is not None

    @property
    def state(self) -> OffState:
        """As the screen shows it."""
        return "going" if self.going else "here" if self._command else "not-here"

    def wish(self) -> str | None:
        """Switch off as soon as that is safe; a notice where the owner settled no way to."""
        if not self._command:
            return "off-failed"
        if self._wished is None:
            self._wished, self._begun, self._result = self._clock(), None, None
        return None

    def tick(self, *, saved: bool) -> str | None:
        """The next step; `saved` says that every event is on the disk."""
        if self._wished is None:
            return None
        now = self._clock()
        if self._begun is None:
            if saved:
                self._begun = now
                threading.Thread(target=self._run, name="off", daemon=True).start()
            elif now - self._wished >= SAVED_SECONDS:
                return self._failed("off-unsaved", "the journal is not on the disk")
            return None
        if self._result:
            return self._failed("off-failed", self._result)
        if self._result == "" and now - self._begun >= DARK_SECONDS:
            return self._failed("off-failed", f"still on {DARK_SECONDS:g} s after {self._said}")
        return None

    @property
    def _said(self) -> str:
        return " ".join(self._command)

    def _failed(self, notice: str, why: str) -> str:
        self._wished = None
        log.error("switching off failed: %s", why)
        return notice

    def _run(self) -> None:
        try:
            done = subprocess.run(
                self._command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMMAND_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            self._result = f"{self._said}: no answer in {COMMAND_SECONDS:g} s"
        except (OSError, ValueError) as error:
            self._result = f"{self._said}: {error}"
        else:
            words = " ".join((done.stderr or done.stdout).split())
            self._result = f"{self._said}: {words or f'status {done.returncode}'}" if done.returncode else ""


class House:
    """All of it. A game that nobody touched for `ask_after` seconds (0: never) asks whether it goes on."""

    def __init__(
        self,
        *,
        pin: str | None = None,
        ask_after: float = 600.0,
        off: Sequence[str] = ("systemctl", "poweroff"),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lock = Lock(pin, clock=clock)
        self.off = Off(off, clock=clock)
        self.ask_after = ask_after
        self._clock = clock
        self._touched = clock()

    @property
    def alone(self) -> bool:
        """Whether nobody touched anything for so long."""
        return self.ask_after > 0 and self.alone_seconds >= self.ask_after

    @property
    def alone_seconds(self) -> float:
        """How long ago anybody touched anything."""
        return self._clock() - self._touched

    def touched(self) -> None:
        """Somebody is here."""
        self._touched = self._clock()
