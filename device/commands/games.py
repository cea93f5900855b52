"""`tallytray games`: the games, their boxes and house rules."""

import argparse
import json
import sys
from typing import Any

import rules
from device import config
from device.commands import BadInput

SUMMARY = "lists the games, their boxes, and their house rules with default, range and step"
EXAMPLE = "tallytray games yatzy"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="*", metavar="GAME", help="only these games (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    known, troubles = rules.games_and_troubles(config.games_folder())
    for trouble in troubles:
        print(f"tallytray games: {trouble}", file=sys.stderr)
    for name in options.game:
        if name not in known:
            raise BadInput(f"unknown game '{name}' (known: {', '.join(known)})")
    shown = [known[name] for name in options.game] or list(known.values())
    if options.json:
        print(json.dumps({"games": [_as_json(game) for game in shown]}, ensure_ascii=False))
    else:
        print("\n\n".join(_as_text(game) for game in shown))
    return 1 if troubles else 0


def _as_json(game: rules.Game) -> dict[str, Any]:
    return {
        "game": game.id,
        "name": game.name,
        "description": game.description,
        "dice": game.dice,
        "columns": game.columns,
        "multipliers": list(game.multipliers),
        "written": game.written,
        "boxes": [{"box": box.id, "name": box.name, "section": box.section} for box in game.boxes],
        "rules": [_rule_as_json(rule) for rule in game.house_rules],
    }


def _rule_as_json(rule: rules.HouseRule) -> dict[str, Any]:
    allowed: dict[str, Any] = {}
    if rule.kind == "number":
        allowed = {"range": [rule.low, rule.high], "step": rule.step}
    elif rule.kind == "choice":
        allowed = {"choices": list(rule.choices), "per-column": rule.per_column}
    return {
        "rule": rule.id,
        "name": rule.name,
        "explanation": rule.explanation,
        "kind": rule.kind,
        "default": rule.default,
        **allowed,
    }


def _as_text(game: rules.Game) -> str:
    multipliers = " ".join(f"×{multiplier}" for multiplier in game.multipliers)
    columns = f"{game.columns} columns ({multipliers})" if game.columns > 1 else "1 column"
    lines = [f"{game.id}: {game.name}", f"  {game.description}", f"  {game.dice} dice, {columns}", "  boxes:"]
    lines += [f"    {box.id:<18} {box.name}" for box in game.boxes]
    lines += ["  house rules:"]
    for rule in game.house_rules:
        lines += [
            f"    {rule.id}: {_plain(rule.default)}   (allowed: {rule.allowed})",
            f"      {rule.explanation}",
        ]
    return "\n".join(lines)


def _plain(value: rules.RuleValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "[" + ", ".join(value) + "]" if isinstance(value, tuple) else str(value)
