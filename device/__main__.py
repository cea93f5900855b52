"""The command line: `tallytray COMMAND …`, the same as `python -m device COMMAND …`."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from device.commands import BadInput

COMMANDS = (
    "play",
    "demo",
    "read",
    "evaluate",
    "record",
    "calibrate",
    "games",
    "score",
    "replay",
    "config",
    "doctor",
    "wiring",
    "bench",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns 0 when done, 1 when the input is bad (one line on stderr), 2 for wrong usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    parser = _parser(words)
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return 0
    module = importlib.import_module(f"device.commands.{options.command}")
    try:
        status: int = module.run(options)
        sys.stdout.flush()
    except BadInput as error:
        sys.stderr.write(f"tallytray {options.command}: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away (`tallytray games | head`): nothing is wrong, nothing more to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Only the command asked for is imported in full: `tallytray score` must not wait for OpenCV."""
    parser = argparse.ArgumentParser(
        prog="tallytray",
        description="Reads thrown dice with a camera and keeps the score sheet of Yatzy and Yahtzee games.",
        epilog="example: tallytray demo",
    )
    parser.add_argument("--version", action="version", version=f"tallytray {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name in COMMANDS:
        if wanted in COMMANDS and name != wanted:
            continue
        module = importlib.import_module(f"device.commands.{name}")
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.SUMMARY,
            epilog=f"example: {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
    return parser


def _version() -> str:
    try:
        return version("tallytray")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
