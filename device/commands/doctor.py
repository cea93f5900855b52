"""`tallytray doctor`: looks at everything the table needs and says what to do about each fault."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

from device import choices, config, readings
from device.commands import BadInput
from device.doctor import examined
from device.table_options import camera
from display.view import CheckName, Finding
from display.words import words
from rules.text_file import missing

SUMMARY = "checks camera, buttons, screen, letters, disk, power, clock and service, and says what to do"
EXAMPLE = "tallytray doctor"

SAID = {"well": "well", "wrong": "WRONG", "absent": "not here"}

NOTHING_TO_DO = "Nothing to do: it is not needed here."
TO_HAVE_IT: Mapping[CheckName, str] = {
    "settings": "The table's own settings hold. To change them: tallytray config --example > FILE, and edit that.",
    "camera": "To have dice read, plug a camera in; until then they are entered by touch.",
    "buttons": "To have push buttons, wire them as docs/wiring.md shows and name their pins in the settings.",
    "screen": "To have a table of its own, plug a screen in; on a desktop the program opens a window.",
    "clock": "To have dates that are right, see that the computer's clock is set.",
    "service": "To start with the computer: sudo ./systemd/install",
}
"""What to do about a thing that is not here, for those who want it."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--camera", type=camera, metavar="CAMERA", help="the camera to look for (default: the settings')"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file (default: the usual place)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    if options.config is not None and missing(options.config):
        raise BadInput(f"{options.config}: there is no such settings file")
    state = options.state or config.usual_state()
    settings = config.load(options.config, chosen=choices.kept(state), camera=options.camera)
    findings = examined(readings.take(settings, state))
    well = all(finding.state != "wrong" for finding in findings)
    if options.json:
        told = [
            {
                "check": finding.check,
                "state": finding.state,
                "said": finding.said,
                "cure": cure(finding),
            }
            for finding in findings
        ]
        print(json.dumps({"well": well, "findings": told}, ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{SAID[finding.state]:9} {finding.check:12} {finding.said}")
            if finding.state != "well":
                print(f"{'':22} {cure(finding)}")
    return 0 if well else 1


def cure(finding: Finding) -> str | None:
    """What to do about it; None where all is well."""
    if finding.state == "well":
        return None
    return (
        words("en").check(finding.check)[1]
        if finding.state == "wrong"
        else TO_HAVE_IT.get(finding.check, NOTHING_TO_DO)
    )
