"""`tallytray config`: checks the settings, and says what each is, what may stand there and where it comes from."""

import argparse
import json
import sys
import textwrap
from pathlib import Path

from device import choices, config
from device.config import SETTINGS, Setting, Settings, shown, value_of
from rules.text_file import missing

SUMMARY = "checks the settings file; --explain says of every setting what it is and where its value comes from"
EXAMPLE = "tallytray config --explain"

HEAD = """\
# The settings of the table. What stands as a comment is as the table has it by itself: take its # away to change it.
# `tallytray config` checks this file; `tallytray config --explain` says what holds and why. The table never writes this
# file; what is chosen on its screen is kept elsewhere and wins.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings file (default: the usual place)")
    parser.add_argument("--state", type=Path, metavar="DIR", help="where games and the choices on the screen are kept")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--explain", action="store_true", help="every setting with its value and where that comes from")
    what.add_argument(
        "--example", action="store_true", help="a whole settings file to begin with, every line explained"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(options: argparse.Namespace) -> int:
    if options.example:
        print(example(), end="")
        return 0
    state = options.state or config.usual_state()
    settings = config.load(options.config, chosen=choices.kept(state))
    wrong = [*settings.owner.wrong, *settings.chosen.wrong, *settings.pins]
    if options.json:
        print(json.dumps(_as_json(settings, state, wrong), ensure_ascii=False))
    elif options.explain:
        print(explained(settings, state), end="")
    elif not wrong:
        there = settings.path is not None and not missing(settings.path)
        print(f"{settings.path}: {'all is well' if there else 'not there; the table runs on its own settings'}")
    for line in wrong:
        print(f"tallytray config: {line}", file=sys.stderr)
    return 1 if wrong else 0


def explained(settings: Settings, state: Path) -> str:
    """Every setting as a TOML file has it, with what it is and where its value is from."""
    parts = []
    for setting in SETTINGS.values():
        lines = [*_comment(setting), f"# {_origin(settings, state, setting)}"]
        parts.append("\n".join((*lines, *_assigned(setting, value_of(settings.config, setting.key)))))
    return "\n\n".join(parts) + "\n"


def example() -> str:
    """A settings file in which every setting stands as a comment, with its own value."""
    head = f"{HEAD}\nversion = {config.VERSION}"
    parts = [head]
    for setting in SETTINGS.values():
        value = {"buttons": config.MOCK_BUTTONS, "lamps": config.MOCK_LAMPS}.get(setting.key, setting.default)
        lines = [*_comment(setting), *(f"#{line}" for line in _assigned(setting, value))]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _comment(setting: Setting) -> list[str]:
    lines = [*textwrap.wrap(setting.about, 110), *textwrap.wrap(f"Allowed: {setting.allowed}.", 110)]
    return [f"# {line}" for line in lines]


def _assigned(setting: Setting, value: object) -> list[str]:
    if isinstance(value, dict):
        return [f"[{setting.key}]", *(f"{name} = {pin}" for name, pin in value.items())]
    return [f"{setting.key} = {json.dumps(value, ensure_ascii=False)}"]


def _origin(settings: Settings, state: Path, setting: Setting) -> str:
    """Where the value is from, and what it wins over."""
    origin = settings.origins.get(setting.key, "default")
    pins = settings.owner.values.get(setting.key) if setting.key in ("buttons", "lamps") else None
    if pins is not None and pins != value_of(settings.config, setting.key):
        return f"From {settings.path}, without the pins that cannot be used."
    words = {
        "default": "The table's own.",
        "file": f"From {settings.path}.",
        "screen": f"Chosen on the screen ({state / choices.NAME}).",
        "command line": "From the command line.",
    }[origin]
    if origin == "screen" and setting.key in settings.owner.values:
        words += f" {settings.path} says {shown(settings.owner.values[setting.key])}."
    return words


def _as_json(settings: Settings, state: Path, wrong: list[str]) -> dict[str, object]:
    return {
        "file": str(settings.path),
        "choices": str(state / choices.NAME),
        "wrong": wrong,
        "settings": [
            {
                "name": setting.key,
                "value": value_of(settings.config, setting.key),
                "from": settings.origins.get(setting.key, "default"),
                "default": setting.default,
                "allowed": setting.allowed,
                "about": setting.about,
            }
            for setting in SETTINGS.values()
        ],
    }
