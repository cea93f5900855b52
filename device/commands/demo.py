"""`tallytray demo`: the appliance on a recorded game that plays itself."""

import argparse
import itertools
import json
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import rules
from device import app, config
from device.buttons import Buttons
from device.commands import BadInput
from device.fingers import MockFingers
from device.journal import JournalError, Row
from device.recorded_player import RecordedGameError, RecordedPlayer, load
from device.session import Session
from device.sheet_text import score_text
from device.table_options import language, open_window, window_size
from display.intent import NewGame
from display.window import NoScreen, Window

SUMMARY = "plays a whole recorded game by itself, in a window or, without a screen, into numbered screenshots"
EXAMPLE = "tallytray demo --window 1280x720"

FILM = Path(__file__).resolve().parents[2] / "fixtures" / "films" / "yatzy-solo"
OFF_SCREEN = (1280, 720)
SHOWN_EVENTS = ("entered", "passed")
PAUSE_SECONDS = 0.7
"""Between two presses of the recorded person in a window: slow enough to follow."""
PATIENCE_SECONDS = 30.0
"""How long the recorded person waits for a throw before giving up."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--film", type=Path, default=FILM, metavar="DIR", help="the recorded game (default: fixtures/)")
    parser.add_argument("--window", type=window_size, metavar="WxH", help="a window this large (default: full screen)")
    parser.add_argument(
        "--off-screen",
        action="store_true",
        help="draw into screenshots as fast as it goes, even with a screen",
    )
    parser.add_argument("--out", type=Path, default=Path("out/demo"), metavar="DIR", help="for the screenshots")
    parser.add_argument("--state", type=Path, metavar="DIR", help="keep the game here and go on with it next time")
    parser.add_argument("--language", type=language, metavar="LANGUAGE", help="sv, da, nb, fi, de or en")
    parser.add_argument("--json", action="store_true", help="one JSON object per event, then the state")


def run(options: argparse.Namespace) -> int:
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(message)s")
    try:
        recorded = load(options.film)
    except RecordedGameError as error:
        raise BadInput(str(error)) from error
    settings = config.Config(language=options.language or "en", switch_off=())
    off_screen = options.off_screen
    if not off_screen:
        try:
            window = open_window(options.window)
        except NoScreen as error:
            print(f"no screen ({error}): drawing into {options.out}", file=sys.stderr)
            off_screen = True
    if off_screen:
        window = Window(options.window or OFF_SCREEN, off_screen=True)
    clock = hurried if off_screen else time.monotonic
    shots = itertools.count(1)
    person: RecordedPlayer | None = None

    def shoot(name: str) -> None:
        if off_screen:
            window.save(options.out / f"{next(shots):03}-{name}.png")

    def player(session: Session, buttons: Buttons | None) -> RecordedPlayer:
        if session.match is not None and session.match.phase == "over":
            session.act(NewGame())
        if session.match is not None and session.match.game.id != recorded.game:
            raise BadInput(
                f"{options.state}: a game of {session.match.game.id} is going on here; this film is {recorded.game}"
            )
        assert buttons is not None
        nonlocal person
        person = RecordedPlayer(
            recorded,
            MockFingers(buttons, clock),
            start=session.act,
            clock=clock,
            pause=0.0 if off_screen else PAUSE_SECONDS,
            stays=not off_screen,
            on_reading=lambda view: shoot("read"),
            patience=10 * PATIENCE_SECONDS if off_screen else PATIENCE_SECONDS,
        )
        return person

    def written(row: Row) -> None:
        if options.json:
            print(json.dumps({"n": row.number, "event": row.body}, ensure_ascii=False), flush=True)
        else:
            print(_line(row), flush=True)
        if row.body["type"] in SHOWN_EVENTS:
            shoot(row.body["type"])

    try:
        if off_screen:
            options.out.mkdir(parents=True, exist_ok=True)
            for old in options.out.glob("[0-9][0-9][0-9]-*.png"):
                old.unlink()
        with _state(options.state) as state:
            session = app.play(
                state=state,
                settings=config.Settings(settings),
                camera=f"recording:{options.film}",
                open_window=lambda: window,
                pins=app.Pins(config.MOCK_BUTTONS, config.MOCK_LAMPS, "mock"),
                paced=not off_screen,
                kept_up=False,
                clock=clock,
                player=player,
                on_written=written,
            )
    except JournalError as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        if error.filename is None:  # the answer, not a file: every command's is looked after in one place
            raise
        raise BadInput(f"{error.filename}: {error.strerror}") from error
    if person is not None and person.stuck and (session.match is None or session.match.phase != "over"):
        raise BadInput(f"{options.film}: nothing moved for {PATIENCE_SECONDS:g} s and the game is not over")
    if session.match is not None:
        state_now = rules.state(session.match)
        if options.json:
            print(json.dumps({"state": state_now}, ensure_ascii=False))
        elif session.match.phase == "over":
            print("\n" + score_text(state_now, rules.games()))
    return 0


def hurried() -> float:
    """A clock for fingers as hurried as an unpaced film: ten seconds in one."""
    return 10 * time.monotonic()


def _line(row: Row) -> str:
    """One event as a person reads it; starts with # and the event's number in the journal."""
    body = {key: value for key, value in row.body.items() if key != "type"}
    said = ", ".join(f"{key} {_said(value)}" for key, value in body.items() if value not in (None, {}, []))
    return f"#{row.number} {row.body['type']} {said}".rstrip()


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@contextmanager
def _state(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="tallytray-demo-") as name:
        yield Path(name)
