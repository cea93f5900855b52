"""What the table does for its owner beside the game: the setup's live values, the backlight, the check-ups.

The loop calls `round` once in each of its rounds; nothing here waits.
"""

from dataclasses import replace

from device.backlight import Backlight
from device.buttons import Buttons
from device.checkup import CheckUp
from device.session import Session
from device.watcher import Watcher
from display.desk import current
from display.intent import CheckUp as WantsCheckUp
from display.intent import Intent
from display.view import Setup, View, Wired


class Upkeep:
    """`wired` are the pins of the buttons and of their lamps by name. The backlight is left as it is until another
    brightness is chosen than the one the desk had."""

    def __init__(
        self,
        session: Session,
        *,
        camera: str,
        watcher: Watcher | None = None,
        buttons: Buttons | None = None,
        wired: tuple[dict[str, int], dict[str, int]] = ({}, {}),
        backlight: Backlight | None = None,
        checkup: CheckUp | None = None,
    ) -> None:
        self._session = session
        self._watcher = watcher
        self._buttons = buttons
        self._pins, self._lamps = wired
        self._backlight = backlight
        self._checkup = checkup
        self._bright = session.desk.brightness
        self._page: str | None = None
        self._known: object = None
        self._plain = Setup(camera=camera, backlight=backlight is not None and backlight.here)
        session.setup = self._plain

    def wants(self, intent: Intent) -> None:
        """A person wants something of the owner's."""
        if isinstance(intent, WantsCheckUp) and self._checkup is not None:
            self._checkup.look()

    def round(self, view: View) -> None:
        """Bring the setup up to date with what is shown."""
        self._faults()
        self._stuck()
        self._light(view.desk.brightness)
        page = current(view).open
        if page != self._page:
            self._turned_to(page)
        if page is None or not page.startswith("setup"):
            self._session.setup = self._plain
        elif page == "setup-buttons":
            self._session.setup = replace(self._plain, wired=self._wired())
        elif page == "setup-camera":
            sight, troubles = self._session.sight
            self._session.setup = replace(self._plain, sight=sight, troubles=troubles)
        elif page == "setup-checks" and self._checkup is not None:
            self._session.setup = replace(self._plain, findings=self._checkup.findings)

    def _turned_to(self, page: str | None) -> None:
        if self._watcher is not None and "setup-camera" in (page, self._page):
            self._watcher.live(page == "setup-camera")
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

    def _stuck(self) -> None:
        stuck = self._buttons.stuck() if self._buttons is not None else ()
        said = ", ".join(f"{name} (GPIO {self._pins[name]})" for name in stuck)
        self._session.faults.set("buttons-stuck", said or None)

    def _light(self, percent: int) -> None:
        if percent != self._bright and self._backlight is not None:
            self._bright = percent
            self._backlight.set(percent)
