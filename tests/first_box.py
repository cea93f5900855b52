"""From the idle screen to the first scored box, as somebody would do it whom nobody here knows, touch by touch.

    python tests/first_box.py DIR

draws what they see, for `fixtures/screens/first-box`.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from state_folder import memory_folder, wait_written
from test_device_idle import Table

from device.loop import AGAIN_SECONDS
from device.session import IDLE_SECONDS
from display.intent import Confirm, Enter, Intent, Look, Start, ThrowByHand
from vision.reading import Die, Reading
from vision.throws import Seen, ThrowSeen, TrayState

Keep = Callable[[str], None]
FACES = (2, 6, 3, 6, 6)


def asleep(folder: Path) -> Table:
    """Nothing moves, so that the pictures are the same each time."""
    table = Table(folder)
    table.session.desk = replace(table.session.desk, motion=False)
    table.wait(IDLE_SECONDS + 1)
    return table


def decides(table: Table, *wanted: type[Intent] | Intent) -> None:
    """A touch that is no double tap."""
    time.sleep(AGAIN_SECONDS)
    table.touch(*wanted)


def sits_down(table: Table, keep: Keep) -> None:
    keep("idle")
    table.finger(400, 240)
    keep("new-game")
    table.touch(Look("type"))
    keep("name")
    table.touch(Look("letter", "a"))
    keep("letter")
    table.touch(Look("add-player", "A"))
    keep("named")
    decides(table, Start)
    keep("to-throw")


def with_a_camera(table: Table, keep: Keep) -> None:
    dice = tuple(Die(face, (100.0 * n, 50.0), 40.0, 0.0, 0.99) for n, face in enumerate(FACES))
    reading = Reading(dice, (), sure=True)
    table.session.see(Seen(TrayState.EMPTY, 0, None, None), 0.5)
    sits_down(table, keep)
    table.session.see(Seen(TrayState.SETTLED, 1, ThrowSeen(1, reading, (None,) * 5), reading), 0.5)
    table.rounds()
    keep("read")
    decides(table, Confirm)
    keep("choose")
    decides(table, Enter("three-of-a-kind", 1))
    keep("written")


def without_a_camera(table: Table, keep: Keep) -> None:
    sits_down(table, keep)
    for face in FACES:
        table.touch(Look("face", face))
    keep("entered")
    decides(table, ThrowByHand(FACES))
    keep("choose")
    decides(table, Enter("three-of-a-kind", 1))
    keep("written")


WALKS = {"camera": with_a_camera, "by-finger": without_a_camera}


def walked(name: str, into: Path) -> Table:
    """The table after that walk; what was seen after each touch is drawn as `<walk>-<touches>-<what>.png`."""
    into.mkdir(parents=True, exist_ok=True)
    with memory_folder() as folder:
        table = asleep(folder)

        def keep(what: str) -> None:
            wait_written(table.session.journal)
            table.rounds()
            table.window.save(into / f"{name}-{table.touches:02d}-{what}.png")

        try:
            WALKS[name](table, keep)
        finally:
            table.window.close()
            table.session.journal.close()
    if name == "by-finger":
        for path in into.glob(f"{name}-0[0-5]-*.png"):
            path.unlink()  # as with a camera, but for the pad
    return table


if __name__ == "__main__":
    for walk in WALKS:
        print(f"{walk}: {walked(walk, Path(sys.argv[1])).touches} touches")
