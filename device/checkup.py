"""The doctor's rounds while the table is played at, in a thread of their own.

What may go wrong at any time is read every minute. The whole check-up is a process of its own, since it imports and
draws what the table must not wait for.
"""

import contextlib
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from device import doctor, readings
from device.readings import Vital
from display.view import FaultName, Finding
from rules.text_file import missing

log = logging.getLogger("tallytray")

EVERY_SECONDS = 60.0
"""A weak power supply or a hot table is worth knowing of within a minute."""
FIRST_SECONDS = 5.0
"""The first round waits until the table stands: it must not make its start slower."""
PATIENCE_SECONDS = 30.0
"""A whole check-up that takes longer than this will never end."""


class CheckUp:
    """`faults` are those of the last round, by name, None beside what is well; the same mapping until the next round.
    `findings` are those of the last whole check-up that was asked for, empty until there is one."""

    def __init__(self, command: tuple[str, ...], *, vital: Callable[[], Vital] = readings.vital) -> None:
        self._command = command
        self._vital = vital
        self.faults: Mapping[FaultName, str | None] = {}
        self.findings: tuple[Finding, ...] = ()
        self._wake = threading.Condition()
        self._asked = self._over = False
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._rounds, name="check-up", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Begin a whole check-up now."""
        with self._wake:
            self.findings = ()
            self._asked = True
            self._wake.notify()

    def close(self) -> None:
        """No more rounds."""
        with self._wake:
            self._over = True
            self._wake.notify()
            if self._process is not None:
                self._process.kill()
        self._thread.join(readings.SECONDS + 1)

    def _rounds(self) -> None:
        wait = FIRST_SECONDS
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._asked or self._over, wait)
                if self._over:
                    return
                asked, self._asked = self._asked, False
            wait = EVERY_SECONDS
            self.faults = doctor.faults(doctor.vital(self._vital()))
            if asked:
                self.findings = self._examined()

    def _examined(self) -> tuple[Finding, ...]:
        with self._wake:
            if self._over:
                return ()
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True
            )
        with self._process as process:
            try:
                said, _ = process.communicate(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                said = ""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return tuple(Finding(one["check"], one["state"], one["said"]) for one in json.loads(said)["findings"])
        log.error("the check-up gave no answer")
        return ()


def command(state: Path, config: Path | None, camera: str) -> tuple[str, ...]:
    """What tells a whole check-up of this table as JSON."""
    named = () if config is None or missing(config) else ("--config", str(config))
    root = str(Path(__file__).resolve().parent.parent)
    start = f"import sys; sys.path[:0] = [{root!r}]; from device.__main__ import main; sys.exit(main())"
    return (sys.executable, "-c", start, "doctor", "--json", "--state", str(state), "--camera", camera, *named)
