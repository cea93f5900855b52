"""`tallytray doctor`: looks at everything the table needs and says what to do about each fault."""

import argparse
import json
from pathlib import Path

from device import choices, config, readings
from device.commands import BadInput
from device.doctor import examined
from device.table_options import camera
from display.words import words

SUMMARY = "checks camera, buttons, screen, letters, disk, power, clock and service, and says what to do"
EXAMPLE = "tallytray doctor"

SAID = {"well": "well", "wrong": "WRONG", "absent": "not here"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--camera", type=camera, metavar="CAMERA", help="the camera to look for (default: the settings')"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file (default: the usual place)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games are kept")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    if options.config is not None and not options.config.exists():
        raise BadInput(f"{options.config}: there is no such settings file")
    state = options.state or config.usual_state()
    settings = config.load(options.config, chosen=choices.kept(state), camera=options.camera)
    findings = examined(readings.take(settings, state))
    english = words("en")
    well = all(finding.state != "wrong" for finding in findings)
    if options.json:
        told = [
            {
                "check": finding.check,
                "state": finding.state,
                "said": finding.said,
                "cure": english.check(finding.check)[1] if finding.state == "wrong" else None,
            }
            for finding in findings
        ]
        print(json.dumps({"well": well, "findings": told}, ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{SAID[finding.state]:9} {finding.check:12} {finding.said}")
            if finding.state == "wrong":
                print(f"{'':22} {english.check(finding.check)[1]}")
    return 0 if well else 1
