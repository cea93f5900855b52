"""A screen as a list of things, each in its rectangle: painted in order, touched in reverse.

Everything is a frozen value, so two scenes can be compared thing by thing: only what differs is painted again.
"""

from dataclasses import dataclass
from functools import cached_property

from display.intent import Intent
from display.picture import Picture
from display.rect import Rect


@dataclass(frozen=True)
class Panel:
    """A filled rectangle with an edge. `fill` and `edge` are the theme's roles; None draws nothing."""

    rect: Rect
    fill: str | None
    edge: str | None = None
    width: int = 0
    radius: int = 0
    intent: Intent | None = None


@dataclass(frozen=True)
class Lettering:
    """Lines of text in one size. `ground` is the role it stands on; `short` tells that letters had to be left out,
    `box` in which box (and column) of the sheet it is written."""

    rect: Rect
    lines: tuple[str, ...]
    size: int
    bold: bool
    ink: str
    ground: str
    align: str = "left"
    short: bool = False
    struck: bool = False
    box: tuple[str, int] | None = None
    intent: Intent | None = None


@dataclass(frozen=True)
class Sign:
    """A small drawn sign (see `display.signs`) in the middle of its rectangle."""

    rect: Rect
    name: str
    ink: str
    ground: str
    intent: Intent | None = None


@dataclass(frozen=True)
class DrawnDie:
    """A die drawn from above. `value` None leaves it blank, with a question mark when it is asked about.

    `shelf` says that it stands in a row where held dice are raised onto a shelf.
    """

    rect: Rect
    value: int | None
    held: bool = False
    asked: bool = False
    empty: bool = False
    shelf: bool = False
    intent: Intent | None = None


@dataclass(frozen=True)
class Mark:
    """The outline of a read die in the camera's picture, in the picture's pixels."""

    centre: tuple[float, float]
    size: float
    angle: float
    value: int | None
    asked: bool
    held: bool


@dataclass(frozen=True)
class Photo:
    """A part of the camera's picture with what was read in it. `part` is (x, y, w, h) in the picture's pixels, None
    the whole of it. `outline` of the tray x, y in the picture's pixels."""

    rect: Rect
    picture: Picture
    marks: tuple[Mark, ...] = ()
    part: tuple[int, int, int, int] | None = None
    outline: tuple[tuple[float, float], ...] = ()
    intent: Intent | None = None


@dataclass(frozen=True)
class Stroke:
    """A straight line from corner to corner of its rectangle: `rising`, or level through its middle. `box` is the box
    (and column) of the sheet it strikes."""

    rect: Rect
    ink: str
    width: int
    rising: bool = False
    box: tuple[str, int] | None = None
    intent: Intent | None = None


@dataclass(frozen=True)
class Ring:
    """The frame around what the keys point at."""

    rect: Rect
    ink: str
    width: int
    radius: int
    intent: Intent | None = None


Thing = Panel | Lettering | Sign | DrawnDie | Photo | Stroke | Ring


@dataclass(frozen=True)
class Scene:
    """One screen at one size, in the `night` palette or the day's. `ground` fills what no thing covers."""

    size: tuple[int, int]
    things: tuple[Thing, ...]
    night: bool = False
    ground: str = "table"

    @cached_property
    def seen(self) -> tuple[Thing, ...]:
        """The things that are painted, without those only there to be touched."""
        return tuple(
            thing
            for thing in self.things
            if not (isinstance(thing, Panel) and thing.fill is None and thing.edge is None)
        )

    def touched(self, x: float, y: float) -> Intent | None:
        """What the topmost thing there stands for."""
        for thing in reversed(self.things):
            if thing.intent is not None and thing.rect.has(x, y):
                return thing.intent
        return None

    def targets(self) -> tuple[tuple[Rect, Intent], ...]:
        """Everything that can be touched, in the order it was laid out."""
        return tuple((thing.rect, thing.intent) for thing in self.things if thing.intent is not None)
