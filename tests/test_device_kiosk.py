"""The real kiosk: the unit's own command under cage, with a screen that is only memory.

What stands on that screen is not looked at: of this screen grim gave nothing but black.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_device_hang import ROOT, START_SECONDS, Manager
from test_device_unit import environment, settings

import rules
from device.journal import Journal
from device.session import Session
from display.intent import Start, ThrowByHand

MISSING = [name for name in ("cage", "Xwayland") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        bool(MISSING),
        reason=f"not here: {', '.join(MISSING)} (apt-get install cage xwayland libwayland-egl1 libwayland-cursor0)",
    ),
]
NO_ROOT = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
"""cage does not start as root; so it believes that it is not, and may still read what root may."""


class Kiosk(Manager):
    """The service manager; cage's screen is in memory. Everything lies in `folder`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.state = folder / "state"
        self._runtime = folder / "run"
        self._runtime.mkdir(mode=0o700)

    def start(self, *words: str) -> None:
        (line,) = settings("Service")["ExecStart"]
        line = line.replace("/run/tallytray", str(self._runtime))
        line = line.replace("/opt/tallytray/current/bin/python", sys.executable)
        somebody = NO_ROOT if os.geteuid() == 0 else ()
        options = ("--state", str(self.state), "--camera", "usb:no-such-camera", "--pins", "none")
        self.process = subprocess.Popen(
            [*somebody, *line.split(), *options],
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

    def end(self, how: int) -> tuple[str, str]:
        """As the service manager does it, the signal goes to all that was started."""
        assert self.process is not None
        os.killpg(self.process.pid, how)
        return self.process.communicate(timeout=START_SECONDS)

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
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
    _, said = kiosk.end(signal.Signals[settings("Service")["WatchdogSignal"][0]])
    assert "loop.py" in said, "where the loop was"
    kiosk.start()
    kiosk.ready()
    assert kiosk.hear(START_SECONDS) == b"WATCHDOG=1"
    assert kiosk.process is not None
    assert kiosk.process.poll() is None
