"""Short sounds, made here from sines: no file, no loudspeaker needed. Without a sound device nothing sounds and nothing
fails."""

import logging
import math
import threading
from array import array
from collections.abc import Mapping
from typing import Any

log = logging.getLogger("tallytray")

RATE = 22_050
LOUD = 0.25
"""Part of full scale: a table sound, not an alarm."""

SOUNDS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "seen": ((660, 0.05),),
    "thrown": ((520, 0.06), (660, 0.08)),
    "entered": ((660, 0.07), (880, 0.12)),
    "struck": ((440, 0.09), (330, 0.14)),
    "asked": ((740, 0.07), (740, 0.09)),
    "refused": ((220, 0.16),),
    "won": ((523, 0.12), (659, 0.12), (784, 0.12), (1047, 0.3)),
}
"""Each sound as notes: Hz and seconds."""


def made(notes: tuple[tuple[float, float], ...]) -> "array[int]":
    """The notes one after the other, 16 bits at `RATE` per second; each swells and fades, so that nothing clicks."""
    wave = array("h")
    for pitch, seconds in notes:
        for step in range(round(seconds * RATE)):
            at = step / RATE
            swell = min(1, at / 0.006) * math.exp(-4 * at / seconds) * min(1, (seconds - at) / 0.01)
            tone = math.sin(math.tau * pitch * at) + 0.25 * math.sin(2 * math.tau * pitch * at)
            wave.append(int(tone / 1.25 * swell * LOUD * 32_767))
    return wave


class Sounds:
    """Plays sounds by name. The device is opened by a thread of its own the first time, as some need seconds for that
    or never answer; until then, and where there is none, nothing sounds. `missing` says why there is no sound."""

    def __init__(self) -> None:
        self.missing: str | None = None
        self._known: dict[str, Any] = {}
        self._opening: threading.Thread | None = None
        self._open = False

    def play(self, name: str) -> None:
        """Let it sound, over one that still does; returns at once."""
        if self._opening is None:
            self._opening = threading.Thread(target=self._start, name="sound", daemon=True)
            self._opening.start()
        if self._open:
            self._known[name].play()

    def close(self) -> None:
        """Give the device back."""
        if self._open:
            import pygame

            self._open = False
            pygame.mixer.quit()

    def _start(self) -> None:
        import pygame

        try:
            pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
            self._known = {name: pygame.mixer.Sound(buffer=made(notes)) for name, notes in SOUNDS.items()}
        except (pygame.error, NotImplementedError) as error:
            self.missing = str(error)
            log.warning("no sound: %s", error)
        else:
            self._open = True
