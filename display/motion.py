"""Short motion where it explains: a die settles from the camera's picture into its slot, points fly into their box.

Pure: it says which things are on their way between two views, and where they are at a part of the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from display import layout
from display.desk import current, moment
from display.rect import Rect
from display.scene import DrawnDie, Lettering, Part, Photo, Scene, Stroke
from display.standing import screen
from display.view import View
from rules import Entered, Match

SECONDS = 0.28
"""How long anything is on its way: long enough to follow with the eyes, too short to wait for."""


@dataclass(frozen=True)
class Flight:
    """One thing of the scene it comes to rest in, and where it starts from."""

    thing: DrawnDie | Lettering | Stroke
    start: Rect


@dataclass(frozen=True)
class Motion:
    """What is on its way after a change to `view`, whose scene with everything arrived is `rest`. `player` is whose
    sheet is shown meanwhile: a box is written before everybody's eyes, though the next player is on turn already."""

    view: View
    rest: Scene
    flights: tuple[Flight, ...]
    player: str | None = None

    def goes_on(self, view: View) -> bool:
        """Whether a newer view only shows the same in another light: a newer picture, an event safe on the disk."""
        return view.match is self.view.match and view.desk == self.view.desk and view.seen == self.view.seen

    def scene(self, view: View, part: float) -> Scene:
        """The screen when `part` (0 to 1) of the time has passed."""
        whole = self.rest if view == self.view else layout.scene(through(view, self.player), self.rest.size)
        part = 1 - (1 - part) ** 3  # fast away, gently in
        moving = (replace(one.thing, rect=_between(one.start, one.thing.rect, part)) for one in self.flights)
        return replace(whole, parts=(*map(self._resting, whole.parts), Part(tuple(moving))))

    def _resting(self, part: Part) -> Part:
        """The part without what is on its way."""
        going = [flight.thing for flight in self.flights if flight.thing in part.peers(flight.thing)]
        return Part(tuple(thing for thing in part.things if thing not in going), kept=part.kept) if going else part


def through(view: View, player: str | None) -> View:
    """The view while something is on its way."""
    if player is None:
        return view
    return replace(view, desk=replace(current(view), shown_player=player, moment=moment(view)))


def begun(old: View, new: View, before: Scene, size: tuple[int, int]) -> Motion | None:
    """What this change sets in motion; None when nothing. `before` is the scene of the old view."""
    if not new.desk.motion or screen(new) != "play" or new.match is None:
        return None
    entered = _entered(old.match, new.match)
    if entered is not None:
        player, box, column = entered
        after = layout.scene(through(new, player), size)
        return _or_none(Motion(new, after, _into_box(before, after, (box, column)), player))
    if new.seen and not old.seen:
        after = layout.scene(new, size)
        return _or_none(Motion(new, after, _into_slots(new, before, after)))
    return None


def _or_none(motion: Motion) -> Motion | None:
    return motion if motion.flights else None


def _entered(old: Match | None, new: Match) -> tuple[str, str, int] | None:
    """Whose sheet the last event wrote in, and where; only when it is the one event between the two."""
    last = new.last
    if not isinstance(last, Entered) or old is None or new.previous is not old or old.seat is None:
        return None
    return old.seat.name, last.box, last.column


def _into_box(before: Scene, after: Scene, place: tuple[str, int]) -> tuple[Flight, ...]:
    """The points fly from the dice into the box."""
    around = _around([thing.rect for part in before.parts for thing in part.on_shelf])
    if around is None:
        return ()
    written = (thing for part in after.parts for thing in part.written.get(place, ()))
    return tuple(Flight(thing, _centred(around, thing.rect)) for thing in written)


def _into_slots(view: View, before: Scene, after: Scene) -> tuple[Flight, ...]:
    """The drawn dice come from where they lie in the tray's picture, else from their crops."""
    dice = [die for part in after.parts for die in part.on_shelf]
    crops = [thing.rect for thing in after.things if isinstance(thing, Photo) and thing.picture.number < 0]
    tray = next((thing for thing in before.things if isinstance(thing, Photo) and thing.picture.number >= 0), None)
    flights = []
    for place, (die, seen) in enumerate(zip(dice, view.seen, strict=False)):
        if seen.centre is None:
            continue  # it lies aside, or is out of sight
        if tray is not None and tray.part is None:
            scale = tray.rect.w / tray.picture.wide
            spot = Rect(round(tray.rect.x + seen.centre[0] * scale), round(tray.rect.y + seen.centre[1] * scale), 0, 0)
            flights.append(Flight(die, _centred(spot, die.rect)))
        elif place < len(crops):
            flights.append(Flight(die, _centred(crops[place], die.rect)))
    return tuple(flights)


def _around(rects: Sequence[Rect]) -> Rect | None:
    if not rects:
        return None
    whole = rects[0]
    for rect in rects[1:]:
        whole = whole.joined(rect)
    return whole


def _centred(spot: Rect, like: Rect) -> Rect:
    """A rectangle of the size of the other one, in the middle of the spot."""
    x, y = spot.middle
    return Rect(round(x - like.w / 2), round(y - like.h / 2), like.w, like.h)


def _between(start: Rect, end: Rect, part: float) -> Rect:
    return Rect(round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part), end.w, end.h)
