"""Which screens are plugged in, and the wait for one before the table starts: a television is slower than a Raspberry
Pi, and cage that starts without a screen never shows anything.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path

LONGEST_SECONDS = 20.0
"""Then the table starts all the same: a screen may be one that does not tell."""
BETWEEN_SECONDS = 0.25


def connectors(root: Path = Path("/")) -> Mapping[str, str]:
    """The status of each connector of the graphics cards, by its name: "connected", "disconnected" or "unknown"."""
    return {path.parent.name: _status(path) for path in sorted((root / "sys/class/drm").glob("*-*/status"))}


def wait_for_screen(
    root: Path = Path("/"),
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Waits until some connector may have a screen, LONGEST_SECONDS at most; whether one may. Where there is no
    connector at all there is nothing to wait for."""
    until = clock() + LONGEST_SECONDS
    while (found := connectors(root)) and set(found.values()) <= {"disconnected"}:
        if clock() >= until:
            return False
        sleep(BETWEEN_SECONDS)
    return True


def _status(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or "unknown"
    except OSError:
        return "unknown"
