"""Builds the appliance and wires it together: read this first.

`play` puts one table together (journal, session, window, vision process, buttons), runs its loop, and takes it apart
again whatever happens.
"""

import contextlib
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import rules
from device import before_start
from device.announcer import Announcer
from device.backlight import Backlight
from device.buttons import Buttons, ButtonsError, Factory
from device.checkup import CheckUp, command
from device.choices import Choices, on_desk
from device.config import Settings
from device.crashes import Crashes
from device.growing import own_size
from device.house import House
from device.journal import Journal, Row
from device.loop import Loop, Player
from device.session import Session
from device.upkeep import Upkeep
from device.watchdog import Watchdog
from device.watcher import Watcher
from display.window import Window


@dataclass(frozen=True)
class Pins:
    """Which buttons and lamps are wired where, and through which pin factory."""

    buttons: dict[str, int]
    lamps: dict[str, int]
    factory: Factory


def play(
    *,
    state: Path,
    settings: Settings,
    own_games: Path | None = None,
    camera: str,
    open_window: Callable[[], Window],
    pins: Pins | None = None,
    paced: bool = True,
    kept_up: bool = True,
    clock: Callable[[], float] = time.monotonic,
    player: Callable[[Session, Buttons | None], Player] | None = None,
    on_written: Callable[[Row], None] = lambda row: None,
) -> Session:
    """Run one table until its window is closed, a signal ends it, or a recorded player is done. Gives back the
    session as it ended.

    `own_games` is the folder of the owner's game files. `paced` is false for a recording played as fast as it goes;
    with `kept_up` false the machine's health and its backlight are nobody's business;
    `clock` is what the buttons' time is told by, in seconds. Raises JournalError when the state folder cannot be used,
    NoScreen when no window can be opened. A camera, buttons or game files that fail do not end the game.
    """
    with contextlib.ExitStack() as leave:
        journal = Journal(state)
        leave.callback(journal.close)
        recorded = camera.startswith(("recording:", "virtual:")) and player is None
        games, troubles = rules.games_and_troubles(own_games)
        crashes = Crashes(state)
        leave.push(crashes.ended)
        config = settings.config
        house = House(pin=config.pin or None, ask_after=60.0 * config.ask_after, off=config.switch_off)
        session = Session(games, journal, config.language, recorded=recorded, careful=crashes.repeated, house=house)
        session.desk = on_desk(session.desk, config)
        session.choices = Choices(state, settings.owner.values, settings.chosen)
        leave.callback(session.choices.close)
        for fault in settings.faults:
            session.faults.report(fault.name, fault.detail)
        if troubles:
            session.faults.report("game-file-wrong", " · ".join(map(str, troubles)))
        buttons: Buttons | None = None
        if pins is not None:
            try:
                buttons = Buttons(pins.buttons, pins.lamps, pins.factory, clock=clock)
                leave.callback(buttons.close)
            except ButtonsError as error:
                session.faults.report("buttons-missing", str(error))
        window = open_window()
        leave.callback(window.close)
        before_start.opened(state)
        watchdog = Watchdog()
        leave.callback(watchdog.close)
        watcher = Watcher(camera, paced=paced, calibrations=state / "cameras")
        leave.callback(watcher.close)
        upkeep = Upkeep(
            session,
            camera=camera,
            watcher=watcher,
            buttons=buttons,
            wired=(pins.buttons, pins.lamps) if pins is not None and buttons is not None else ({}, {}),
            backlight=Backlight() if kept_up else None,
            bright="brightness" in settings.origins,
            checkup=leave.enter_context(contextlib.closing(CheckUp(command(state, settings.path, camera))))
            if kept_up
            else None,
            size=own_size if watchdog.here else None,
        )
        announcer = Announcer(session.faults)
        leave.callback(announcer.close)
        loop = Loop(
            session,
            window,
            watcher=watcher,
            buttons=buttons,
            watchdog=watchdog,
            crashes=crashes,
            upkeep=upkeep,
            announcer=announcer,
            player=player(session, buttons) if player is not None else None,
            on_written=on_written,
        )

        def end(number: int, frame: FrameType | None) -> None:
            loop.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            before = signal.signal(number, end)
            leave.callback(signal.signal, number, before)
        loop.run()
        return session
