"""Which lamps of the push buttons are lit. Pure: the clock is handed in.

A steady lamp says its button can be pressed; the lamp of confirm also says what the table waits for, and what is wrong
where no screen can say it.
"""

from collections.abc import Iterable

from display.desk import current
from display.view import FaultName, View
from rules import SavedThrowSpent, check

TURN_SECONDS = 2.0
"""Your turn: on for half of this, off for the other half."""

FLASH_SECONDS = 0.4
"""From one flash of a code to the next: the eye counts two or three in a second. It is on for half of this."""

PAUSE_SECONDS = 1.6
"""Dark between two rounds of a code."""

NO_SCREEN = 1
"""Flashes of every lamp where no screen is found."""

CODES: dict[FaultName, int] = {
    "camera-missing": 2,
    "camera-frozen": 2,
    "camera-burnt": 2,
    "camera-slow": 2,
    "camera-size": 2,
    "vision-restarting": 2,
    "disk-full": 3,
    "disk-read-only": 3,
    "disk-failing": 3,
    "state-missing": 3,
    "card-errors": 3,
    "undervoltage": 4,
    "too-hot": 4,
}
"""How many flashes tell of a fault; what is not here can wait for somebody to look at the screen, as the dark
of a closed café."""


def steady(view: View) -> Iterable[str]:
    """The lamps of what can be pressed: held dice, a throw to confirm, a saved throw to spend, undo."""
    match = view.match
    desk = current(view)
    if desk.open == "setup-buttons":
        yield from desk.tried[-1:]
        return
    if match is None:
        return
    if view.seen:
        yield from (f"hold-{slot}" for slot, die in enumerate(view.seen, start=1) if die.held)
        if all(die.value is not None for die in view.seen):
            yield "confirm"
    else:
        yield from (f"hold-{slot}" for slot in match.held)
    if check(match, SavedThrowSpent()) is None:
        yield "saved-throw"
    if match.can_undo:
        yield "undo"


def lit(view: View, at: float) -> frozenset[str]:
    """The lamps that are lit at time `at` (seconds)."""
    names = frozenset(steady(view))
    if "confirm" in names or current(view).open == "setup-buttons":
        return names
    code = next((CODES[fault.name] for fault in view.faults if fault.name in CODES), 0)
    if code:
        return names | {"confirm"} if flashes(code, at) else names
    asks = view.match is not None and view.match.phase in ("begin", "throw", "throw-off") and not view.seen
    return names | {"confirm"} if asks and at % TURN_SECONDS < TURN_SECONDS / 2 else names


def flashes(code: int, at: float) -> bool:
    """Whether a lamp that flashes `code` times, pauses, and begins again is lit at time `at`."""
    phase = at % (code * FLASH_SECONDS + PAUSE_SECONDS)
    return phase < code * FLASH_SECONDS and phase % FLASH_SECONDS < FLASH_SECONDS / 2
