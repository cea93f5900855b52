"""The owner's settings: one TOML file, never written by the program.

Unknown keys and wrong values are refused with their place and what is allowed.
"""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs

from device.buttons import NAMES, ButtonsError, check_pins

Language = Literal["sv", "da", "nb", "fi", "de", "en"]


class ConfigError(Exception):
    """The settings cannot be used. Its text is one line: file, key, what was found, what is allowed."""


Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Every setting with its default. `buttons` and `lamps` give GPIO (BCM) numbers by button name; leave a button
    out and the table has none."""

    language: Language = "en"
    camera: str = "auto"
    rotate: Literal[0, 90, 180, 270] = 0
    buttons: dict[str, Pin] = {}
    lamps: dict[str, Pin] = {}


MOCK_BUTTONS = dict(zip(NAMES, (5, 6, 12, 13, 16, 19, 20, 21, 26), strict=True))
MOCK_LAMPS = dict(zip(NAMES, (17, 18, 22, 23, 24, 25, 27, 0, 1), strict=True))
"""Wiring of the demo's mock pins."""


def load(path: Path | None, *, language: Language | None = None) -> Config:
    """The settings in `path`; without one, those of the usual place, or the defaults where there is no file.
    `language` wins over the file's. Raises ConfigError."""
    config = Config() if path is None and not usual_path().exists() else _read(path or usual_path())
    return config if language is None else msgspec.structs.replace(config, language=language)


def usual_path() -> Path:
    """`config.toml` where the service manager says, else in the user's own configuration folder."""
    folder = os.environ.get("CONFIGURATION_DIRECTORY")
    return Path(folder) / "config.toml" if folder else platformdirs.user_config_path("tallytray") / "config.toml"


def games_folder(path: Path | None = None) -> Path:
    """Where the owner's own game files lie: the folder `games` beside the settings file."""
    return (path or usual_path()).parent / "games"


def usual_state() -> Path:
    """Where games are kept: where the service manager says, else in the user's own state folder."""
    folder = os.environ.get("STATE_DIRECTORY")
    return Path(folder) if folder else platformdirs.user_state_path("tallytray")


def _read(path: Path) -> Config:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        config = msgspec.convert(found, Config)
        for kind, pins in (("buttons", config.buttons), ("lamps", config.lamps)):
            for name in pins:
                if name not in NAMES:
                    raise ConfigError(f"{path}: {kind}.{name}: no such button (allowed: {', '.join(NAMES)})")
        check_pins(config.buttons, config.lamps)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ButtonsError) as error:
        raise ConfigError(f"{path}: {error}") from error
    return config
