"""What the table does for its owner beside the game: the setup's live values, the backlight, the check-ups, its size.

The loop calls `round` once in each of its rounds; nothing here waits.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import replace

from device.backlight import Backlight
from device.buttons import Buttons
from device.checkup import CheckUp
from device.growing import starts_anew
from device.session import Session
from device.vision_words import Calibrates
from device.watcher import Watcher
from display import intent as wants
from display.desk import current
from display.intent import Intent
from display.view import Calibrating, Setup, View, Wired

log = logging.getLogger("tallytray")

SIZE_SECONDS = 60.0
"""Between two looks at the table's own memory."""


class Upkeep:
    """`wired` are the pins of the buttons and of their lamps by name. The backlight is left as it is until a brightness
    is chosen; `bright`: somebody chose the one that the desk has. `size` tells the bytes of memory the table has in
    use, where somebody starts it again when it ends; `clock` is in seconds."""

    def __init__(
        self,
        session: Session,
        *,
        camera: str,
        watcher: Watcher | None = None,
        buttons: Buttons | None = None,
        wired: tuple[dict[str, int], dict[str, int]] = ({}, {}),
        backlight: Backlight | None = None,
        bright: bool = False,
        checkup: CheckUp | None = None,
        size: Callable[[], int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._watcher = watcher
        self._buttons = buttons
        self._pins, self._lamps = wired
        self._backlight = backlight
        self._checkup = checkup
        self._size = size
        self._clock = clock
        self._size_at = clock() + SIZE_SECONDS
        self._bright = None if bright else session.desk.brightness
        self._page: str | None = None
        self._known: object = None
        self._plain = Setup(
            camera=camera,
            calibrates=watcher is not None and not camera.startswith("recording:"),
            backlight=backlight is not None and backlight.here,
        )
        session.setup = self._plain

    def wants(self, intent: Intent) -> None:
        """A person wants something of the owner's."""
        match intent:
            case wants.CheckUp() if self._checkup is not None:
                self._checkup.look()
            case wants.Calibrate(on, insist) if self._watcher is not None and self._plain.calibrates:
                self._watcher.calibrate(on, insist=insist)
                if not insist:
                    self._session.calibrating = Calibrates("empty-the-tray") if on else None

    def round(self, view: View) -> None:
        """Bring the setup up to date with what is shown."""
        self._faults()
        self._contacts()
        self._light(view.desk.brightness)
        self._grown(view)
        page = current(view).open
        if page != self._page:
            self._turned_to(page)
        if page is None or not page.startswith("setup"):
            self._session.setup = self._plain
        elif page == "setup-buttons":
            self._session.setup = replace(self._plain, wired=self._wired())
        elif page == "setup-camera":
            sight, troubles = self._session.sight
            calibrating = self._session.calibrating
            self._session.setup = replace(
                self._plain,
                sight=sight,
                troubles=troubles,
                calibrating=_told(calibrating) if calibrating is not None else None,
            )
        elif page == "setup-checks" and self._checkup is not None:
            self._session.setup = replace(self._plain, findings=self._checkup.findings)

    def _turned_to(self, page: str | None) -> None:
        if self._watcher is not None and "setup-camera" in (page, self._page):
            self._watcher.live(page == "setup-camera")
            if page != "setup-camera" and self._session.calibrating is not None:
                self._watcher.calibrate(on=False)
                self._session.calibrating = None
        if page == "setup-checks" and self._checkup is not None:
            self._checkup.look()
        self._page = page

    def _wired(self) -> tuple[Wired, ...]:
        down = self._buttons.down() if self._buttons is not None else frozenset()
        return tuple(Wired(name, pin, self._lamps.get(name), name in down) for name, pin in self._pins.items())

    def _faults(self) -> None:
        if self._checkup is not None and self._checkup.faults is not self._known:
            self._known = self._checkup.faults
            for name, said in self._checkup.faults.items():
                self._session.faults.set(name, said)

    def _contacts(self) -> None:
        if self._buttons is not None:
            self._session.faults.set("buttons-stuck", self._named(self._buttons.stuck()))
            self._session.faults.set("buttons-floating", self._named(self._buttons.floating()))

    def _named(self, buttons: tuple[str, ...]) -> str | None:
        return ", ".join(f"{name} (GPIO {self._pins[name]})" for name in buttons) or None

    def _light(self, percent: int) -> None:
        if percent != self._bright and self._backlight is not None:
            self._bright = percent
            self._backlight.set(percent)

    def _grown(self, view: View) -> None:
        if self._size is None or self._clock() < self._size_at:
            return
        self._size_at = self._clock() + SIZE_SECONDS
        size = self._size()
        if starts_anew(size, view, self._session.house.alone_seconds):
            log.error("the table has grown to %d MB, and starts anew while nobody is here", size // 2**20)
            self._session.leaving = True


def _told(word: Calibrates) -> Calibrating:
    done = word.die is not None
    return Calibrating(word.ask, word.snag, word.share, word.outline, done, word.advice)
