"""The command line: `tallytray COMMAND …`, the same as `python -m device COMMAND …`."""

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TextIO, cast

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
    """Run one command; returns 0 when done, 1 when the input is bad or the answer cannot be written (one line on
    stderr), 2 for wrong usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    said = _Said(sys.stdout)
    status = 0
    failed: OSError | None = None
    ended: SystemExit | None = None
    try:
        with contextlib.redirect_stdout(cast(TextIO, said)):
            status = _run(words)
    except SystemExit as error:  # argparse said its help, or what is wrong with the words
        ended = error
    except OSError as error:
        failed = error
    said.end()
    if isinstance(said.lost or failed, BrokenPipeError):
        # The reader of our output went away (`tallytray games | head`): nothing is wrong, nothing more to say.
        return status
    if said.lost is not None:
        name = " ".join(("tallytray", *filter(None, (_command(words),))))
        sys.stderr.write(f"{name}: the answer cannot be written: {said.lost.strerror}\n")
        return status or 1
    if failed is not None:
        raise failed
    if ended is not None:
        raise ended
    return status


class _Said:
    """Standard output, which remembers why it could not be written: argparse passes over that, and a command may take
    it for trouble with a file of its own."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.lost: OSError | None = None

    def write(self, text: str) -> int:
        with self._kept():
            return self._stream.write(text) if self._stream is not None else 0

    def flush(self) -> None:
        with self._kept():
            if self._stream is not None:
                self._stream.flush()

    def end(self) -> None:
        """Write what waits, or let it go: at its end Python would try once more, and complain."""
        with contextlib.suppress(OSError):
            self.flush()
        if self.lost is not None and self._stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    @contextlib.contextmanager
    def _kept(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.lost = self.lost or error
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _run(words: Sequence[str]) -> int:
    parser = _parser(words)
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return 0
    module = importlib.import_module(f"device.commands.{options.command}")
    try:
        status: int = module.run(options)
    except BadInput as error:
        sys.stderr.write(f"tallytray {options.command}: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _command(words: Sequence[str]) -> str | None:
    """The word that names the command, if there is one."""
    return next((word for word in words if not word.startswith("-")), None)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Only the command asked for is imported in full: `tallytray score` must not wait for OpenCV."""
    parser = argparse.ArgumentParser(
        prog="tallytray",
        description="Reads thrown dice with a camera and keeps the score sheet of Yatzy and Yahtzee games.",
        epilog="example: tallytray demo",
    )
    parser.add_argument("--version", action="version", version=f"tallytray {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = _command(words)
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
