"""`tallytray score`: adds up written sheets, paper ones too."""

import argparse
import json
import sys

import rules
from device import config
from device.commands import BadInput
from device.sheet_text import score_text
from device.textfile import read_text
from rules.shown import plain, shown

SUMMARY = "adds up written score sheets and refuses numbers no throw can give"
EXAMPLE = "tallytray score friday.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the sheet file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="the answer as one JSON object")


def run(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    games, troubles = rules.games_and_troubles(config.games_folder())
    for trouble in troubles:
        print(f"tallytray score: left out: {trouble}", file=sys.stderr)
    try:
        written = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise BadInput(f"{options.file}:{error.lineno}: no JSON here, column {error.colno}: {error.msg}") from error
    except _Twice as error:
        raise BadInput(f"{options.file}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{options.file}: no JSON that can be read: a number or nesting out of bounds") from error
    try:
        answer = rules.score(written, games)
    except rules.ScoreError as error:
        raise BadInput(f"{options.file}: {error}") from error
    print(json.dumps(answer, ensure_ascii=False) if options.json else score_text(answer, games))
    return 0


class _Twice(ValueError):
    """Something stands twice where JSON would quietly take the second."""


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Twice(f"{plain(key)} stands twice, as {shown(found[key])} and as {shown(value)}; allowed: once")
        found[key] = value
    return found
