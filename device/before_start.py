"""What the service does before each start of the table: where the starts before it opened no screen, it waits, longer
and longer, and the lamps tell of it; then it waits for a screen that wakes up slowly.

Here and not in the table: where cage cannot open the screen, it never starts the table. And not by the service manager:
Debian 12's knows no delay that grows.

    python -m device.before_start
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from device.connectors import LONGEST_SECONDS, connectors, wait_for_screen
from device.odd_files import is_odd, put_aside

WAITS_SECONDS = (0.0, 0.0, 3.0, 8.0, 16.0, 28.0)
"""Before a start, by the number of those in a row before it that opened no screen; the unit adds its two seconds."""

BETWEEN_SECONDS = 0.05

Light = Callable[[float], None]
"""Lights the lamps as they are so many seconds after the first flash."""


def begun(folder: Path) -> int:
    """How many starts in a row have opened no screen before this one, which counts as another until `opened`. Kept in
    that folder; where nothing can be written, nothing is counted."""
    path, count = folder / "starts-without-screen", 0
    if is_odd(path):
        return count
    with contextlib.suppress(OSError, ValueError):
        count = min(max(0, int(path.read_text(encoding="utf-8"))), len(WAITS_SECONDS))
    with contextlib.suppress(OSError):
        path.write_text(f"{count + 1}\n", encoding="utf-8")
    return count


def opened(folder: Path) -> None:
    """A screen is open: what came before is forgotten."""
    with contextlib.suppress(OSError):
        (folder / "starts-without-screen").unlink(missing_ok=True)


def seconds_to_wait(count: int) -> float:
    """Before a start that follows so many that opened no screen."""
    return WAITS_SECONDS[min(count, len(WAITS_SECONDS) - 1)]


def wait(
    seconds: float,
    light: Light,
    root: Path = Path("/"),
    *,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> None:
    """Waits for so long, while the lamps flash; less when a screen is plugged in or out."""
    before, began = connectors(root), clock()
    while (passed := clock() - began) < seconds and connectors(root) == before:
        light(passed)
        sleep(BETWEEN_SECONDS)


def main() -> None:
    folder = os.environ.get("STATE_DIRECTORY")
    if folder:
        put_aside(Path(folder))
    count = begun(Path(folder)) if folder else 0
    if seconds := seconds_to_wait(count):
        plugged = ", ".join(f"{name} {status}" for name, status in connectors(Path("/")).items()) or "no graphics card"
        many = f"the last {count}" if count < len(WAITS_SECONDS) else f"at least the last {count}"
        _say(f"{many} starts opened no screen ({plugged}); the next try is in {seconds:g} seconds")
        with contextlib.ExitStack() as leave:
            wait(seconds, _lamps(leave), clock=time.monotonic, sleep=time.sleep)
    if not wait_for_screen():
        _say(f"no screen is plugged in after {LONGEST_SECONDS:g} seconds; the table starts all the same")


def _lamps(leave: contextlib.ExitStack) -> Light:
    """Flashes the wired lamps with the code of no screen; nothing where there are none or their pins cannot be had."""
    from device import config  # nothing of this is needed for a start as it should be
    from device.buttons import Buttons, ButtonsError
    from device.lamps import NO_SCREEN, flashes

    wired = config.load().config.lamps
    try:
        pins = Buttons({}, wired, "gpio") if wired else None
    except ButtonsError:
        pins = None
    if pins is None:
        return lambda passed: None
    leave.callback(pins.close)
    return lambda passed: pins.light(pins.lamps if flashes(NO_SCREEN, passed) else ())


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
