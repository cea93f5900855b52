"""`tallytray wiring`: which button and lamp goes to which pin."""

import argparse
from pathlib import Path

from device import choices, config
from device.commands import BadInput
from device.wiring import drawing, pins, text

SUMMARY = "shows which push button and lamp is wired to which pin"
EXAMPLE = "tallytray wiring --svg wiring.svg"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file (default: the usual place)")
    parser.add_argument("--example", action="store_true", help="the wiring of `tallytray config --example`")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw it into FILE instead")


def run(options: argparse.Namespace) -> int:
    wired: tuple[dict[str, int], dict[str, int]] = (config.MOCK_BUTTONS, config.MOCK_LAMPS)
    if not options.example:
        settings = config.load(options.config, chosen=choices.kept(config.usual_state())).config
        wired = (settings.buttons, settings.lamps)
    found = pins(*wired)
    if options.svg is None:
        print(text(found), end="")
        return 0
    try:
        options.svg.write_text(drawing(found), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{options.svg} cannot be written: {error.strerror}") from error
    return 0
