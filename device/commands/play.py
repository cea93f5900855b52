"""`tallytray play`: the appliance."""

import argparse
import logging
import sys
from pathlib import Path

from device import app, choices, config
from device.commands import BadInput
from device.config import CAMERAS
from device.journal import JournalError
from device.table_options import camera, check_recording, language, open_window, window_size
from display.window import NoScreen
from rules.text_file import missing

SUMMARY = "plays at the table: camera, buttons, touchscreen, score sheet"
EXAMPLE = "tallytray play --window 1280x720 --camera usb:0"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--camera",
        type=camera,
        metavar="CAMERA",
        help=f"{CAMERAS} (default: the settings')",
    )
    parser.add_argument("--window", type=window_size, metavar="WxH", help="a window this large (default: full screen)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file")
    parser.add_argument("--language", type=language, metavar="LANGUAGE", help="sv, da, nb, fi, de or en")
    parser.add_argument(
        "--pins",
        choices=("gpio", "mock", "none"),
        help="the push buttons: real pins, gpiozero's mock pins, or none (default: gpio where the settings wire any)",
    )


def run(options: argparse.Namespace) -> int:
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(message)s")
    if options.config is not None and missing(options.config):
        raise BadInput(f"{options.config}: there is no such settings file")
    state = options.state or config.usual_state()
    chosen = choices.kept(state)
    settings = config.load(options.config, chosen=chosen, language=options.language, camera=options.camera)
    if options.camera is not None:  # what a settings file names may come back: a card on the screen says so
        check_recording(options.camera)
    try:
        app.play(
            state=state,
            settings=settings,
            own_games=config.games_folder(options.config),
            camera=settings.config.camera,
            open_window=lambda: open_window(options.window),
            pins=_pins(options.pins, settings.config),
        )
    except (JournalError, NoScreen) as error:
        raise BadInput(str(error)) from error
    return 0


def _pins(wanted: str | None, settings: config.Config) -> app.Pins | None:
    if wanted == "mock":
        return app.Pins(config.MOCK_BUTTONS, config.MOCK_LAMPS, "mock")
    if wanted == "none" or not (settings.buttons or settings.lamps):
        return None
    return app.Pins(settings.buttons, settings.lamps, "gpio")
