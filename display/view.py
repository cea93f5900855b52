"""What is shown: one frozen value from which a screen is drawn, whatever produced it."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from display.desk import Desk
from rules import Game, Match

TRAY_STATES = ("no-camera", "empty", "hand", "moving", "settled", "unsure")


@dataclass(frozen=True)
class Picture:
    """The tray as the camera sees it. `pixels`: (H, W, 3) uint8, red-green-blue. Two pictures with the same
    `number` are the same picture."""

    number: int
    pixels: NDArray[np.uint8] = field(compare=False, repr=False)


@dataclass(frozen=True)
class SeenDie:
    """One die read by the camera and not yet confirmed, in the slot where it will stand.

    `value` None: seen, not readable; the person is asked. `centre`, `size` and `angle` place it in the picture's
    pixels (`angle` in degrees clockwise from the x axis); `centre` is None for a die added by finger or lying aside.
    """

    value: int | None
    asked: bool
    held: bool = False
    centre: tuple[float, float] | None = None
    size: float = 0.0
    angle: float = 0.0


@dataclass(frozen=True)
class View:
    """Everything a screen needs. `seen` is empty when no reading waits to be confirmed. `notice` names a sentence
    (a refusal or a fault, see the language files' `[notice]`); `troubles` are the reader's for the reading that
    waits; `saving` is true while an event is not yet on the disk; `waiting` while a recording waits to be let on."""

    games: tuple[Game, ...]
    match: Match | None
    desk: Desk
    tray: str = "no-camera"
    picture: Picture | None = None
    seen: tuple[SeenDie, ...] = ()
    notice: str | None = None
    faults: tuple[str, ...] = ()
    saving: bool = False
    remembered: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    waiting: bool = False
