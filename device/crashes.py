"""A table that stops or hangs by itself again and again over the same game must not stay down for ever.

An error that leaves the program is noted in the state folder; so is a crash in a library, and the signal by which the
service manager ends a loop that hangs. After the third one in a row, each soon after a start, the game is put aside,
from where it can be taken up again. A power cut or a kill from outside is no such end.
"""

import contextlib
import faulthandler
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from device.commands import BadInput
from device.textfile import write_text
from display.window import NoScreen
from rules.text_file import read_text

log = logging.getLogger("tallytray")

MOST = 3
SOON_SECONDS = 60.0
"""A table that was alive for longer than this has done well: how it ended then is no reason to suspect its game."""


class Crashes:
    """How often in a row the program stopped by itself, kept in `folder`; `clock` is in seconds.

    What a fatal signal finds the program doing is written there too, instead of to stderr, and said at the next start.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = folder / "crashes"
        self._last_words = folder / "last-words"
        self._clock = clock
        self._started = clock()
        count = 0
        with contextlib.suppress(OSError, ValueError):
            count = int(read_text(self._path))
        with contextlib.suppress(OSError):
            if said := read_text(self._last_words, errors="replace").strip():
                log.error("the last run ended with: %s", said)
                count += 1
                self._note(count)
        self.repeated = count >= MOST
        """Whether this start follows so many of them."""
        self._count = count
        if self.repeated:
            self._forget()
        self._told_before = faulthandler.is_enabled()
        self._hears: int | None = None
        with contextlib.suppress(OSError):
            self._hears = os.open(
                self._last_words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NONBLOCK, 0o600
            )
            faulthandler.enable(self._hears)

    def alive(self) -> None:
        """Called by the loop after a drawn frame."""
        if self._count and self._clock() - self._started > SOON_SECONDS:
            self._forget()

    def ended(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """The program ends, as it should, with one line for a person, or (anything else) by itself."""
        if error is None:
            self._forget()
        elif isinstance(error, Exception) and not isinstance(error, NoScreen | BadInput):
            self.alive()
            self._note(self._count + 1)
        if self._hears is not None:
            faulthandler.disable()
            os.close(self._hears)
            with contextlib.suppress(OSError):
                self._last_words.unlink(missing_ok=True)
            if self._told_before:
                with contextlib.suppress(OSError, RuntimeError, ValueError):  # no stderr to tell it to
                    faulthandler.enable()

    def _note(self, count: int) -> None:
        with contextlib.suppress(OSError):
            write_text(self._path, f"{count}\n")

    def _forget(self) -> None:
        self._count = 0
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
