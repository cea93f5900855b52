"""A table that stops by itself again and again over the same game must not stay down for ever.

An error that leaves the program is noted in the state folder. After the third one soon after a start the game is put
aside, from where it can be taken up again. A power cut or a kill is no such error.
"""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from device.commands import BadInput
from display.window import NoScreen

MOST = 3
SOON_SECONDS = 60.0
"""Stopping later than this after a start is no reason to suspect the game it started with."""


class Crashes:
    """How often the program stopped by itself, kept in `folder`; `clock` is in seconds."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = folder / "crashes"
        self._clock = clock
        self._started = clock()
        self._count = 0
        with contextlib.suppress(OSError, ValueError):
            self._count = int(self._path.read_text(encoding="utf-8"))
        self.repeated = self._count >= MOST
        """Whether this start follows so many of them."""

    def ended(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """The program ends, as it should, with one line for a person, or (anything else) by itself."""
        with contextlib.suppress(OSError):
            if error is None:
                self._path.unlink(missing_ok=True)
            elif isinstance(error, Exception) and not isinstance(error, NoScreen | BadInput):
                soon = self._clock() - self._started < SOON_SECONDS and not self.repeated
                self._path.write_text(f"{self._count + 1 if soon else 1}\n", encoding="utf-8")
