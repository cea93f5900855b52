"""A screen as a list of things, each in its rectangle: painted in order, touched in reverse.

Everything is a frozen value, so two scenes can be compared thing by thing: only what differs is painted again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import pygame

from display.intent import Intent
from display.lettering import placed
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

    @cached_property
    def placed(self) -> tuple[pygame.Rect, ...]:
        """What each of its lines is drawn in."""
        return tuple(placed(self.rect, self.lines, self.size, self.bold, self.align))


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


@dataclass(frozen=True, eq=False)
class Part:
    """Things laid out together. Those of a `kept` part are the very same wherever they stand again. Of what lies
    beneath a `still` one nothing is seen but the scene's ground: it is painted once as one picture, and copied from
    then on."""

    things: tuple[Thing, ...]
    kept: bool = False
    still: bool = False

    @cached_property
    def seen(self) -> tuple[Thing, ...]:
        """The things that are painted, without those only there to be touched."""
        return tuple(
            thing
            for thing in self.things
            if not (isinstance(thing, Panel) and thing.fill is None and thing.edge is None)
        )

    @cached_property
    def ids(self) -> frozenset[int]:
        """Which things are painted, by identity."""
        return frozenset(map(id, self.seen))

    @cached_property
    def on_shelf(self) -> tuple[DrawnDie, ...]:
        """The dice that stand in a row."""
        return tuple(thing for thing in self.things if isinstance(thing, DrawnDie) and thing.shelf)

    @cached_property
    def written(self) -> Mapping[tuple[str, int], tuple[Lettering | Stroke, ...]]:
        """What stands in each box (and column) of the sheet."""
        found: dict[tuple[str, int], tuple[Lettering | Stroke, ...]] = {}
        for thing in self.things:
            if isinstance(thing, Lettering | Stroke) and thing.box is not None:
                found[thing.box] = (*found.get(thing.box, ()), thing)
        return found

    def peers(self, like: DrawnDie | Lettering | Stroke) -> tuple[Thing, ...]:
        """What stands in a row of dice, or in the same box of the sheet, as this does."""
        if isinstance(like, DrawnDie):
            return self.on_shelf
        return self.written.get(like.box, ()) if like.box is not None else ()

    @cached_property
    def boxes(self) -> tuple[pygame.Rect, ...]:
        """What each thing that is painted covers."""
        return tuple(_covered(thing) for thing in self.seen)

    @cached_property
    def areas(self) -> tuple[pygame.Rect, ...]:
        """What all that is painted covers, in few rectangles."""
        return joined(self.boxes)

    @cached_property
    def box(self) -> pygame.Rect:
        """The rectangle around all that is painted."""
        return self.boxes[0].unionall(self.boxes[1:]) if self.boxes else pygame.Rect(0, 0, 0, 0)


def _covered(thing: Thing) -> pygame.Rect:
    """Words and signs mostly cover less than the rectangle they stand in."""
    if isinstance(thing, Lettering):
        first, *others = thing.placed
        return first.unionall(others)
    box = pygame.Rect(thing.rect)
    if isinstance(thing, Sign):
        side = min(box.w, box.h)
        box = pygame.Rect(box.centerx - side // 2, box.centery - side // 2, side, side)
    return box


BETWEEN = 3000
"""So many pixels are drawn again for nothing sooner than two rectangles instead of one."""


def joined(rects: Iterable[pygame.Rect]) -> tuple[pygame.Rect, ...]:
    """Fewer rectangles around all of these: one instead of two that lie close together."""
    apart: list[pygame.Rect] = []
    sizes: list[int] = []
    for rect in rects:
        area, size = rect, rect.w * rect.h
        while apart:
            place = area.collidelist(apart)  # -1 is the last: most lie beside or below the one laid out before
            both = area.union(apart[place])
            whole = both.w * both.h
            if whole - size - sizes[place] > BETWEEN:
                break
            area, size = both, whole
            del apart[place], sizes[place]
        apart.append(area)
        sizes.append(size)
    return tuple(apart)


@dataclass(frozen=True, eq=False)
class Scene:
    """One screen at one size, in the `night` palette or the day's. `ground` fills what no thing covers. Two scenes are
    equal when the same things lie there, however they are parted."""

    size: tuple[int, int]
    parts: tuple[Part, ...]
    night: bool = False
    ground: str = "table"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        mine, others = (self.size, self.night, self.ground), (other.size, other.night, other.ground)
        return mine == others and self.things == other.things

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """Everything that lies there, the topmost last."""
        return tuple(thing for part in self.parts for thing in part.things)

    def touched(self, x: float, y: float) -> Intent | None:
        """What the topmost thing there stands for."""
        for thing in reversed(self.things):
            if thing.intent is not None and thing.rect.has(x, y):
                return thing.intent
        return None

    def targets(self) -> tuple[tuple[Rect, Intent], ...]:
        """Everything that can be touched, in the order it was laid out."""
        return tuple((thing.rect, thing.intent) for thing in self.things if thing.intent is not None)
