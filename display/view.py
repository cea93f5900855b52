"""What is shown: one frozen value from which a screen is drawn, whatever produced it."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from display.desk import Desk
from display.picture import Picture
from display.scores import Best, ScoreList
from rules import Game, Match

TRAY_STATES = ("no-camera", "empty", "hand", "moving", "settled", "unsure")

OffState = Literal["here", "not-here", "going"]

FaultName = Literal[
    "disk-full",
    "disk-read-only",
    "disk-failing",
    "state-missing",
    "card-errors",
    "journal-recovered",
    "journal-newer",
    "camera-missing",
    "camera-frozen",
    "camera-dark",
    "camera-burnt",
    "camera-slow",
    "camera-size",
    "camera-moved",
    "calibration-wrong",
    "lamp-changed",
    "vision-restarting",
    "undervoltage",
    "too-hot",
    "config-wrong",
    "choices-lost",
    "game-file-wrong",
    "game-missing",
    "game-put-aside",
    "pins-wrong",
    "buttons-missing",
    "buttons-stuck",
    "buttons-floating",
    "clock-wrong",
    "sound-missing",
]
FAULTS: tuple[FaultName, ...] = get_args(FaultName)
"""Everything that can be wrong, what may cost a game first. Title and cure stand in the language files, `[fault.…]`."""
PASSING: frozenset[FaultName] = frozenset(
    (
        "lamp-changed",
        "journal-recovered",
        "journal-newer",
        "config-wrong",
        "choices-lost",
        "game-file-wrong",
        "game-missing",
        "game-put-aside",
        "pins-wrong",
        "buttons-missing",
        "clock-wrong",
        "sound-missing",
    )
)
"""Faults that knowing of them is enough for: their cards can be put away. The others' go when the fault is over."""


@dataclass(frozen=True)
class Fault:
    """Something wrong that a person can do something about. `detail` is one line of what exactly (a path, a pin, the
    library's own words), shown as it is; it may be empty."""

    name: FaultName
    detail: str = ""


CheckName = Literal[
    "settings",
    "camera",
    "buttons",
    "screen",
    "fonts",
    "disk",
    "card",
    "voltage",
    "temperature",
    "clock",
    "service",
    "versions",
]
CHECKS: tuple[CheckName, ...] = get_args(CheckName)
"""Everything the table looks after itself, in the order it is told. Name and cure stand in the language files,
`[check.…]`."""


@dataclass(frozen=True)
class Finding:
    """What one check found: "well", "wrong", or "absent" where there is nothing to check. `said` is one line of what
    exactly, shown as it is."""

    check: CheckName
    state: Literal["well", "wrong", "absent"]
    said: str


@dataclass(frozen=True)
class SeenDie:
    """One die read by the camera and not yet confirmed, in the slot where it will stand.

    `value` None: seen, not readable; the person is asked. `centre`, `size` and `angle` place it in the picture's
    pixels (`angle` in degrees clockwise from the x axis); `centre` is None for a die added by finger or lying aside.
    `trouble` is the reader's name for what is wrong with it, `crop` the die by itself as the camera saw it.
    """

    value: int | None
    asked: bool
    held: bool = False
    centre: tuple[float, float] | None = None
    size: float = 0.0
    angle: float = 0.0
    trouble: str | None = None
    crop: Picture | None = None


@dataclass(frozen=True)
class Aside:
    """A game put aside: the row of the journal it started in, who plays it, the day of its last event, and how many of
    all its boxes are filled, as far as that is known."""

    number: int
    game: Game
    players: tuple[str, ...]
    day: date | None
    filled: int = 0
    boxes: int = 0


@dataclass(frozen=True)
class Wired:
    """One push button as it is wired: the pin it closes, the pin of its lamp (None without one); and as it is now."""

    name: str
    pin: int
    lamp: int | None = None
    down: bool = False


@dataclass(frozen=True)
class Calibrating:
    """How far a calibration has come: what the person is asked, and what holds it up; words of the language files'
    `[calibration]`. `part` (0 to 1) of the pictures that this step needs; `outline` of the tray x, y in the picture's
    pixels once it was found. At the end `done`, and `advice` (more such words) on what could be better."""

    ask: str
    snag: str | None = None
    part: float = 0.0
    outline: tuple[tuple[float, float], ...] = ()
    done: bool = False
    advice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """What only the owner's setup shows. `sight` are the dice the reader sees now, whatever the game makes of them,
    and `troubles` what it says of them; `calibrates` whether this camera can be calibrated, `calibrating` how that
    goes; `backlight` whether the screen has one that can be set. `findings` are empty until the first check-up is
    done."""

    camera: str = ""
    sight: tuple[SeenDie, ...] = ()
    troubles: tuple[str, ...] = ()
    calibrates: bool = False
    calibrating: Calibrating | None = None
    wired: tuple[Wired, ...] = ()
    backlight: bool = False
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class View:
    """Everything a screen needs. `seen` is empty when no reading waits to be confirmed; it may hold more dice than the
    game has, those too many last. `crops` are the dice confirmed last as the camera saw them, slot by slot.
    `countdown` is the part (1 to 0) of the time left until the reading is taken by itself, None when it is not.
    `notice` names a sentence (a refusal, see the language files' `[notice]`); `troubles` are the reader's for the
    reading that waits; `faults` stand in the order of `FAULTS`; `saving` is true while an event is not yet on the
    disk; `waiting` while a recording waits to be let on. `scores` are the high-score lists, the one played last first;
    `best` is what the solo player of a finished game had reached before it (None: no such game, or not known yet).
    `aside` are the games put aside, newest first. `locked`: setup and switching off stand behind a PIN; `alone`: nobody
    touched the game for long; `off`: whether the device can be switched off from here, and "going" while it is."""

    games: tuple[Game, ...]
    match: Match | None
    desk: Desk
    tray: str = "no-camera"
    picture: Picture | None = None
    seen: tuple[SeenDie, ...] = ()
    crops: tuple[Picture | None, ...] = ()
    countdown: float | None = None
    notice: str | None = None
    faults: tuple[Fault, ...] = ()
    saving: bool = False
    remembered: tuple[str, ...] = ()
    aside: tuple[Aside, ...] = ()
    locked: bool = False
    alone: bool = False
    off: OffState = "here"
    troubles: tuple[str, ...] = ()
    waiting: bool = False
    scores: tuple[ScoreList, ...] = ()
    best: Best | None = None
    setup: Setup = Setup()
