"""Spoken announcements through espeak-ng, where it is installed: one at a time, the newest replaces the one before."""

import contextlib
import queue
import subprocess
import threading

PROGRAM = "espeak-ng"
PACE = "150"
"""Words a minute: slower than espeak's own, for a noisy room."""


class Speech:
    """Says sentences. A thread of its own starts the program, as a slow disk may keep that waiting; `say` never waits.
    `missing` says why nothing can be heard."""

    def __init__(self, program: str = PROGRAM) -> None:
        self.missing: str | None = None
        self._program = program
        self._wanted: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._speaker: threading.Thread | None = None

    def say(self, text: str, language: str) -> None:
        """Speak this instead of whatever is being said. `language` is the code of a language file."""
        if self.missing is not None:
            return
        if self._speaker is None:
            self._speaker = threading.Thread(target=self._speak, name="speech", daemon=True)
            self._speaker.start()
        self._wanted.put((text, language))
        self._hush()

    def close(self) -> None:
        """Fall silent at once."""
        if self._speaker is not None:
            self._wanted.put(None)
            self._hush()
            self._speaker.join(2)

    def _hush(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    def _speak(self) -> None:
        while (wanted := self._newest()) is not None:
            text, language = wanted
            command = [self._program, "-v", language, "-s", PACE, "--stdin"]
            try:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError as error:
                self.missing = f"{self._program}: {error.strerror}"
                return
            if not self._wanted.empty():
                self._hush()  # wanted while the program was being started
            with contextlib.suppress(OSError):  # it was hushed before it had read all
                self._process.communicate(text.encode())
            self._process.wait()
            self._process = None

    def _newest(self) -> tuple[str, str] | None:
        wanted = self._wanted.get()
        while wanted is not None and not self._wanted.empty():
            wanted = self._wanted.get()
        return wanted
