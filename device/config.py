"""The table's settings: the program's own, over them the owner's file, over that what was chosen on the screen.

The owner's file is one TOML file and is only ever read. What is wrong in it is left out and said, with its place, what
was found and what is allowed; everything else in it holds. `device.choices` keeps what is chosen on the screen.
"""

import json
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
import platformdirs
from msgspec import Meta

from device.buttons import FREE, NAMES, RESERVED, wrong_pins
from display.view import Fault
from rules.text_file import missing, read_text

Language = Literal["sv", "da", "nb", "fi", "de", "en"]
Pin = Annotated[int, Meta(ge=0, le=27)]
LETTER = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
"""Any but control characters, at which other programs stumble, and halves of letters, which no screen can show."""
Word = Annotated[str, Meta(pattern=rf"^{LETTER}{{1,500}}\Z")]

CAMERA = rf"^(auto|csi:[0-9]{{1,2}}|(usb|recording|virtual):{LETTER}{{1,500}})\Z"
CAMERAS = "auto, usb:N, usb:NAME, csi:N, recording:PATH or virtual:PATH"
ALLOWED_CAMERAS = f"{CAMERAS}, N of one or two digits, NAME and PATH of at most 500 letters without control characters"

PINS = f"a table of button names, each with its pin ({FREE})"

VERSION = 1
"""What the file's `version` says today. A file of an older form is read forward; a newer one is not read at all."""

MIGRATIONS: tuple[Callable[[dict[str, Any]], dict[str, Any]], ...] = ()
"""The step from each version to the next one: the first takes a file of version 1 to version 2."""


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """Every setting with its own value. `buttons` and `lamps` give GPIO (BCM) numbers by button name; leave a button
    out and the table has none."""

    language: Annotated[Language, Meta(description="The language of the screen.")] = "en"
    camera: Annotated[
        str,
        Meta(
            pattern=CAMERA,
            description="Which camera looks at the tray; auto takes the first that is found.",
            extra={"allowed": ALLOWED_CAMERAS},
        ),
    ] = "auto"
    rotate: Annotated[
        Literal[0, 90, 180, 270],
        Meta(description="How far the picture is turned clockwise, for a screen that is mounted so."),
    ] = 0
    brightness: Annotated[
        int, Meta(ge=10, le=100, description="How bright the screen's backlight is, in percent, where it has one.")
    ] = 100
    night: Annotated[bool, Meta(description="Dark colours.")] = False
    auto_confirm: Annotated[
        bool,
        Meta(description="A sure reading is taken by itself after two seconds; an unsure one is always asked about."),
    ] = False
    motion: Annotated[bool, Meta(description="Short motion, where it shows what went where.")] = True
    sound: Annotated[bool, Meta(description="Short sounds.")] = False
    speech: Annotated[bool, Meta(description="Spoken announcements, where espeak-ng is installed.")] = False
    pin: Annotated[
        str,
        Meta(
            pattern=r"^([0-9]{4,8})?\Z",
            description="The owner's PIN, asked for before the setup and before switching off; empty: none.",
            extra={"allowed": 'four to eight digits between quotation marks, or ""'},
        ),
    ] = ""
    ask_after: Annotated[
        int,
        Meta(
            ge=0,
            le=240,
            description="After so many minutes without a touch or a throw the table asks whether the game goes on or "
            "another is started; the game is kept. 0: never.",
        ),
    ] = 10
    switch_off: Annotated[
        tuple[Word, ...],
        Meta(
            max_length=20,
            description="The command that switches the device off, word by word; an empty list: not from the screen.",
            extra={
                "allowed": "a list of up to twenty words, each between quotation marks and without control characters, "
                "the program first"
            },
        ),
    ] = ("systemctl", "poweroff")
    buttons: Annotated[
        dict[str, Pin],
        Meta(
            description="The push buttons and the pin (GPIO number) each closes to ground. One left out is not there.",
            extra={"allowed": PINS},
        ),
    ] = {}
    lamps: Annotated[
        dict[str, Pin],
        Meta(
            description="The lamps in the push buttons, and the pin that lights each.",
            extra={"allowed": PINS},
        ),
    ] = {}


@dataclass(frozen=True)
class Setting:
    """One setting as it is declared in `Config`: its key, its own value, what it is for and what may stand there."""

    key: str
    name: str
    default: Any
    about: str
    allowed: str
    kind: Any

    def trouble(self, value: object) -> str | None:
        """One line about a value that may not stand there; None for one that may."""
        try:
            msgspec.convert(value, self.kind)
        except (msgspec.ValidationError, ValueError, TypeError, RecursionError):
            return f"{self.key}: {shown(value)} (allowed: {self.allowed})"
        return None


def _declared() -> dict[str, Setting]:
    found = {}
    for one in msgspec.structs.fields(Config):
        plain, meta = get_args(one.type)
        default = {} if one.default is msgspec.NODEFAULT else one.default
        if meta.extra is not None:
            allowed = meta.extra["allowed"]
        elif plain is bool:
            allowed = "true or false"
        elif plain is int:
            allowed = f"a whole number from {meta.ge} to {meta.le}"
        else:
            allowed = ", ".join(map(shown, get_args(plain)))
        found[one.encode_name] = Setting(one.encode_name, one.name, default, meta.description, allowed, one.type)
    return found


CHOSEN = ("language", "rotate", "brightness", "night", "auto-confirm", "motion", "sound", "speech")
"""The settings that can be chosen on the screen."""

MOCK_BUTTONS = dict(zip(NAMES, (5, 6, 12, 13, 16, 19, 20, 21, 26), strict=True))
MOCK_LAMPS = dict(zip(NAMES, (17, 18, 22, 23, 24, 25, 27, 0, 1), strict=True))
"""Wiring of the demo's mock pins."""

Origin = Literal["default", "file", "screen", "command line"]


class ConfigError(Exception):
    """The settings file is of a form that is not known here. Its text is one line."""


@dataclass(frozen=True)
class Kept:
    """What one file says: sound values by key, and a line for everything in it that is not."""

    values: Mapping[str, Any]
    wrong: tuple[str, ...] = ()


NOTHING = Kept({})


@dataclass(frozen=True)
class Settings:
    """The settings that hold. `origins` says by key where each value is from (a key that is not there: the program's
    own), `path` is the owner's file, there or not. `owner` and `chosen` are what that file and the screen say by
    themselves, and what of it was left out; `pins` is a line for each pin that cannot be used, and was left out."""

    config: Config
    path: Path | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)
    owner: Kept = NOTHING
    chosen: Kept = NOTHING
    pins: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the settings, as the screen shows it."""
        found = []
        if self.owner.wrong:
            found.append(Fault("config-wrong", " · ".join(self.owner.wrong)))
        if self.chosen.wrong:
            found.append(Fault("choices-lost", " · ".join(self.chosen.wrong)))
        if self.pins:
            found.append(Fault("pins-wrong", " · ".join(self.pins)))
        return tuple(found)


def load(
    path: Path | None = None,
    *,
    chosen: Kept = NOTHING,
    language: Language | None = None,
    camera: str | None = None,
) -> Settings:
    """The settings in `path` (without one, those of the usual place), under what was `chosen` on the screen and
    those of the command line. Raises nothing: what is wrong is in the answer."""
    where = path or usual_path()
    owner = NOTHING if path is None and missing(where) else read(where)
    given = {key: value for key, value in (("language", language), ("camera", camera)) if value is not None}
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    layers: tuple[tuple[Origin, Mapping[str, Any]], ...] = (
        ("file", owner.values),
        ("screen", chosen.values),
        ("command line", given),
    )
    for origin, layer in layers:
        for key, value in layer.items():
            values[key], origins[key] = value, origin
    wired = [values.get(key, {}) for key in ("buttons", "lamps")]
    pins = tuple(one_line(f"{where}: {line}") for line in wrong_pins(*wired))
    used = Counter(pin for named in wired for pin in named.values())
    for key, named in zip(("buttons", "lamps"), wired, strict=True):
        if key in values:
            # Of two at one pin nobody knows which is wired to it.
            values[key] = {name: pin for name, pin in named.items() if used[pin] == 1 and pin not in RESERVED}
    return Settings(msgspec.convert(values, Config), where, origins, owner, chosen, pins)


def read(path: Path, only: tuple[str, ...] | None = None) -> Kept:
    """What a settings file says. `only` these keys are allowed in one that the program writes, which is never empty:
    one that is was damaged. Raises nothing."""
    try:
        found = tomllib.loads(read_text(path))
    except OSError as error:
        return Kept({}, (one_line(f"{path}: cannot be read ({error.strerror or error})"),))
    except UnicodeDecodeError as error:
        return Kept({}, (one_line(f"{path}: is not UTF-8 text (byte {error.start})"),))
    except RecursionError:
        return Kept({}, (one_line(f"{path}: is nested too deeply"),))
    except ValueError as error:
        return Kept({}, (one_line(f"{path}: {error}"),))
    if only is not None and not found:
        return Kept({}, (one_line(f"{path}: is empty, without even its version"),))
    values: dict[str, Any] = {}
    wrong: list[str] = []
    try:
        found = migrate(found)
    except ConfigError as error:
        return Kept({}, (one_line(f"{path}: {error}"),))
    for key, value in found.items():
        if key not in SETTINGS or (only is not None and key not in only):
            names = ("version", *(only or SETTINGS))
            wrong.append(f"{short(key)} = {shown(value)}: there is no such setting (allowed: {', '.join(names)})")
        elif isinstance(SETTINGS[key].default, dict):
            values[key], lines = _sound_pins(key, value)
            wrong += lines
        elif (trouble := SETTINGS[key].trouble(value)) is not None:
            wrong.append(trouble)
        else:
            values[key] = value
    return Kept(values, tuple(one_line(f"{path}: {line}") for line in wrong))


def migrate(found: Mapping[str, Any]) -> dict[str, Any]:
    """The file's values in today's form, without its `version`; a file without one is of the first version. Raises
    ConfigError for a version there is not."""
    values = dict(found)
    version = values.pop("version", 1)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise ConfigError(f"version: {shown(version)} (allowed: {', '.join(map(str, range(1, VERSION + 1)))})")
    for step in MIGRATIONS[version - 1 :]:
        values = step(values)
    return values


def _sound_pins(key: str, value: object) -> tuple[dict[str, int], list[str]]:
    """The pins of that table that may stand, and a line for each that may not."""
    if not isinstance(value, dict):
        return {}, [f"{key}: {shown(value)} (allowed: {SETTINGS[key].allowed})"]
    sound: dict[str, int] = {}
    wrong = []
    for name, pin in value.items():
        if name not in NAMES:
            wrong.append(f"{key}.{short(name)} = {shown(pin)}: there is no such button (allowed: {', '.join(NAMES)})")
        elif type(pin) is not int or not 0 <= pin <= 27:
            wrong.append(f"{key}.{name}: {shown(pin)} (allowed: {FREE})")
        else:
            sound[name] = pin
    return sound, wrong


def value_of(config: Config, key: str) -> Any:
    """The value of that setting."""
    return getattr(config, SETTINGS[key].name)


def shown(value: object) -> str:
    """A value as a TOML file has it, in one line and no longer than can be read."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "a value without end"  # a number of thousands of digits; on some Pythons tables within tables
    return short(text)


def short(text: str) -> str:
    """The text, or its beginning."""
    return text if len(text) <= 60 else text[:59] + "…"


SETTINGS: Mapping[str, Setting] = _declared()
"""Every setting by its key, in the order of the file."""


def one_line(text: str) -> str:
    """The text with nothing in it that would break or bend a line."""
    return "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in text)


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
