"""`tallytray replay`: an event file through the rules, line by line."""

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

import rules
from device import config
from device.commands import BadInput
from device.sheet_text import score_text
from device.textfile import read_text

SUMMARY = "plays an event file (one JSON object per line) through the rules"
EXAMPLE = "tallytray replay --json game.jsonl"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the event file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="one answer per line, then the state")


def run(options: argparse.Namespace) -> int:
    lines = read_text(options.file).splitlines()
    games, troubles = rules.games_and_troubles(config.games_folder())
    for trouble in troubles:
        print(f"tallytray replay: left out: {trouble}", file=sys.stderr)
    try:
        for answer in rules.replay_lines(lines, games):
            text = json.dumps(answer, ensure_ascii=False) if options.json else _as_text(answer, games)
            if text:
                print(text)
    except rules.ReplayError as error:
        raise BadInput(f"{options.file}: {error}") from error
    return 0


def _as_text(answer: Mapping[str, Any], games: Mapping[str, rules.Game]) -> str:
    """Nothing for an event that was taken, a line for one refused, and the game as it stands at the end."""
    if "state" not in answer:
        return "" if answer["ok"] else f"line {answer['n']}: refused: {answer['refusal']}"
    state = answer["state"]
    lines = [score_text(state, games)]
    if state["player"] is not None:
        dice = " ".join(map(str, state["dice"])) or "none yet"
        lines.append(
            f"{state['player']} is on turn: throw {state['throw']}, dice {dice}, throws left {state['throws-left']}"
        )
    return "\n".join(lines)
