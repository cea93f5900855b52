"""A table whose loop hangs, for the test in a service manager's place: `python tests/hanging_table.py STATE [hang]`."""

import sys
import time
from pathlib import Path

import rules
from device import app, config
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
        if not self._told and view.match is not None:
            self._told = True
            print(view.match.player, *(view.match.dice or ()), view.desk.screen, flush=True)
        if self._hang:
            self.stuck_for_ever()

    def stuck_for_ever(self) -> None:
        time.sleep(3600)

    def done(self, view: View) -> bool:
        return False


def seat(session: Session, buttons: Buttons | None) -> Seat:
    return Seat("hang" in sys.argv)


def main() -> None:
    state = Path(sys.argv[1])
    if not state.exists():
        session = Session(rules.games(), Journal(state))
        session.act(Start("yatzy", ("Anna",)))
        session.act(ThrowByHand((1, 2, 3, 4, 5)))
        session.journal.close()
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
