"""A table whose loop hangs over the game in it, for the test in a service manager's place:

    python tests/hanging_table.py STATE [hang | restore | fall]

With `restore` it hangs wherever the game is played through, with `fall` it stops by itself instead.
"""

import sys
import time
from pathlib import Path
from typing import NoReturn

import rules
from device import app, config, shelf
from device.buttons import Buttons
from device.journal import Journal
from device.session import Session
from device.watcher import Watcher
from display.intent import Start, ThrowByHand
from display.view import View
from display.window import Window


class Seat:
    """Sits at the table; tells what stands on the screen, and hangs the loop if it is to."""

    def __init__(self, hang: bool) -> None:
        self._hang = hang
        self._told = False

    def play(self, view: View, watcher: Watcher | None) -> None:
        if not self._told:
            self._told = True
            tell(view)
        if "fall" in sys.argv:
            raise ZeroDivisionError("as ordered")
        if self._hang and view.match is not None:
            stuck_for_ever()

    def done(self, view: View) -> bool:
        return False


def tell(view: View) -> None:
    """Who plays, what lies there, and the names of faults, as long as they do not concern a camera."""
    match = view.match
    known = [match.player, *(match.dice or ())] if match is not None else ["nobody"]
    print(*known, view.desk.screen, *(fault.detail for fault in view.faults if "game" in fault.name), flush=True)


def stuck_for_ever(*_: object) -> NoReturn:
    while True:
        time.sleep(3600)


def restore(*_: object) -> NoReturn:
    print("restoring", flush=True)
    stuck_for_ever()


def seat(session: Session, buttons: Buttons | None) -> Seat:
    return Seat("hang" in sys.argv)


def main() -> None:
    state = Path(sys.argv[1])
    if not state.exists():
        session = Session(rules.games(), Journal(state))
        session.act(Start("yatzy", ("Anna",)))
        session.act(ThrowByHand((1, 2, 3, 4, 5)))
        session.journal.close()
    if "restore" in sys.argv:
        shelf.replay = restore  # type: ignore[assignment]
    app.play(
        state=state,
        settings=config.load(state / "none.toml"),
        camera="usb:no-such-camera",
        open_window=lambda: Window((800, 480), off_screen=True),
        kept_up=False,
        player=seat,
    )


if __name__ == "__main__":
    main()
