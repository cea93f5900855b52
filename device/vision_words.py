"""What the table and the vision process say to each other, through a pipe. Small values only."""

from dataclasses import dataclass
from typing import Literal

from vision.cameras import Fault
from vision.throws import Seen


@dataclass(frozen=True)
class Report:
    """The tray was seen. `scale` takes positions in the frame to positions in the preview picture; `crops` is the
    number to ask for the crops of the reading's dice by, 0 when none were cut; `fault` names what is wrong with a
    camera whose pictures can still be read."""

    seen: Seen
    scale: float
    crops: int = 0
    fault: Fault | None = None


@dataclass(frozen=True)
class Lost:
    """No picture that can be read comes any more. `reason` is one line. With `forgot` the process that knew what lay
    in the tray is gone too."""

    fault: Fault | Literal["vision-restarting"]
    reason: str
    forgot: bool = False


@dataclass(frozen=True)
class Ended:
    """A recording without clips has been played to its end."""


@dataclass(frozen=True)
class Checked:
    """The empty tray was compared with its calibration: `fault` names what is wrong with that (None: nothing),
    `detail` is one line about it."""

    fault: Literal["camera-moved", "lamp-changed", "calibration-wrong"] | None
    detail: str = ""


@dataclass(frozen=True)
class Calibrates:
    """How far a calibration has come: what the person is asked to do, what holds it up (if anything), and the `share`
    of the pictures that this step needs, 0–1; the words stand in the language files, `[calibration]`. `outline` of the
    tray x, y in px of the preview picture, once it was found. At the end `ask` is `nothing-more`, `die` the side of a
    die in px of the camera's own picture, and `advice` what could be better."""

    ask: str
    snag: str | None = None
    share: float = 0.0
    outline: tuple[tuple[float, float], ...] = ()
    die: float | None = None
    advice: tuple[str, ...] = ()


Word = Report | Lost | Ended | Checked | Calibrates


@dataclass(frozen=True)
class Expect:
    """So many dice belong to the game; None: nobody knows."""

    dice: int | None


@dataclass(frozen=True)
class GoOn:
    """A recording that waits plays on, see `vision.cameras.Camera.go_on`."""

    clip: int | None
    at_rest: bool = False


@dataclass(frozen=True)
class Live:
    """Somebody watches the picture: show it as it comes, though nothing moves."""

    on: bool


@dataclass(frozen=True)
class Calibrate:
    """Calibrate the camera anew, or (not `on`) stop that. `insist`: the tray is empty, whatever it looks like."""

    on: bool
    insist: bool = False


Order = Expect | GoOn | Live | Calibrate
