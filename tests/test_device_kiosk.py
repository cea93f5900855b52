"""The real kiosk: the unit's own command under cage, with a screen that is only memory.

grim sees that screen only while something on it moves: of a still one it gives nothing but black. So the picture is
that of the demo, whose film rolls, and it is taken again and again.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from test_device_hang import ROOT, START_SECONDS, Manager
from test_device_unit import environment, settings

import rules
from device.journal import Journal
from device.session import Session
from display.intent import Start, ThrowByHand
from display.theme import DAY, Colour

MISSING = [name for name in ("cage", "Xwayland", "grim") if shutil.which(name) is None]
APT = "apt-get install cage grim xwayland libwayland-egl1 libwayland-cursor0"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"not here: {', '.join(MISSING)}; {APT}",
    ),
]
NO_ROOT = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
"""cage does not start as root; so it believes that it is not, and may still read what root may."""
SCREEN = (1280, 720)
"""Of cage's screen in memory, in pixels."""
PICTURE_SECONDS = 20.0


class Kiosk(Manager):
    """The service manager; cage's screen is in memory. Everything lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._folder = folder
        self._runtime = folder / "run"
        self._runtime.mkdir(mode=0o700)

    def start(self, *words: str) -> None:
        """The unit's command, `words` in place of `play` when there are any."""
        (line,) = settings("Service")["ExecStart"]
        line = line.replace("/run/tallytray", str(self._runtime))
        line = line.replace("/opt/tallytray/current/bin/python", sys.executable)
        somebody = NO_ROOT if os.geteuid() == 0 else ()
        command, options = line.removesuffix(" play").split(), words
        if not words:
            options = ("play", "--state", str(self.state), "--camera", "usb:no-such-camera", "--pins", "none")
        self.process = subprocess.Popen(
            [*somebody, *command, *options],
            cwd=self._runtime,
            env={
                **{name: value for name, value in os.environ.items() if name not in ("WAYLAND_DISPLAY", "DISPLAY")},
                **environment(),
                "HOME": str(self._folder),
                "WLR_BACKENDS": "headless",
                "WLR_RENDERER": "pixman",
                "PYTHONPATH": str(ROOT),
                "NOTIFY_SOCKET": self._address,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def ready(self) -> None:
        word = self.hear(START_SECONDS)
        while word in (b"WATCHDOG=1", b"STOPPING=1"):  # of the one before
            word = self.hear(START_SECONDS)
        if word != b"READY=1":
            raise AssertionError(self.end(signal.SIGABRT)[1])

    def picture(self) -> np.ndarray:
        """What stands on the screen, (height, width, 3), blue-green-red; of no height where there is none yet."""
        shot = self._folder / "shot.ppm"
        shot.unlink(missing_ok=True)
        for socket in self._runtime.glob("wayland-?"):
            where = {"XDG_RUNTIME_DIR": str(self._runtime), "WAYLAND_DISPLAY": socket.name}
            subprocess.run(["grim", "-t", "ppm", shot], env=os.environ | where, capture_output=True, check=False)
        found = cv2.imread(str(shot)) if shot.exists() else None
        return found if found is not None else np.zeros((0, 0, 3), np.uint8)

    def end(self, how: int) -> tuple[str, str]:
        """As the service manager does it, the signal goes to all that was started."""
        assert self.process is not None
        os.killpg(self.process.pid, how)
        return self.process.communicate(timeout=START_SECONDS)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
        super().close()


@pytest.fixture
def kiosk() -> Iterator[Kiosk]:
    with tempfile.TemporaryDirectory(prefix="tallytray-kiosk-") as folder:
        one = Kiosk(Path(folder))
        yield one
        one.close()


def test_the_game_is_ready_under_cage_and_again_after_the_watchdog(kiosk: Kiosk) -> None:
    session = Session(rules.games(), Journal(kiosk.state))
    session.act(Start("yatzy", ("Anna", "Björn")))
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    session.journal.close()
    kiosk.start()
    kiosk.ready()
    assert kiosk.hear(START_SECONDS) == b"WATCHDOG=1"
    kiosk.end(signal.Signals[settings("Service")["WatchdogSignal"][0]])
    kiosk.start()
    kiosk.ready()
    assert kiosk.hear(START_SECONDS) == b"WATCHDOG=1"
    assert kiosk.process is not None
    assert kiosk.process.poll() is None
    _, said = kiosk.end(signal.SIGTERM)
    assert "the last run ended with:" in said
    assert "loop.py" in said, "where the loop was"


def share(picture: np.ndarray, colour: Colour) -> float:
    """The share of the picture that has exactly this colour, red-green-blue."""
    return float((picture == colour[::-1]).all(axis=2).mean()) if picture.size else 0.0


def test_the_sheet_is_on_the_kiosks_screen(kiosk: Kiosk) -> None:
    kiosk.start("demo", "--state", str(kiosk.state))
    kiosk.ready()
    ends = time.monotonic() + PICTURE_SECONDS
    while True:  # the first it may see is the choice of the game: that has paper on its left
        picture = kiosk.picture()
        right = picture[:, SCREEN[0] // 2 :]
        if share(right, DAY["paper"]) > 0.5:
            break
        lit = float(picture.mean()) if picture.size else "no picture"
        assert time.monotonic() < ends, f"no sheet on the right: mean level {lit}"
        time.sleep(0.1)
    assert picture.shape == (SCREEN[1], SCREEN[0], 3)
    shares = {role: share(picture, DAY[role]) for role in ("paper", "turn", "table", "band")}
    assert min(shares.values()) > 0.01, f"the turn, the table and the band stand beside it: {shares}"
