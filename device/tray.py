"""The tray between two confirmed throws: what was seen, what a finger put right, what waits to be confirmed.

Nothing here is ever journalled, and nothing here knows of events: it answers what lies in which slot.
"""

from dataclasses import dataclass, replace

from device.placing import Place, by_slot, place
from display.view import SeenDie
from rules import Match, Thrown
from vision.throws import Seen, ThrowSeen, TrayState


@dataclass(frozen=True)
class Waiting:
    """A throw that came to rest and was not confirmed yet. `mended` are faces put right by finger, by slot."""

    throw: ThrowSeen
    places: tuple[Place, ...]
    scale: float
    mended: tuple[tuple[int, int], ...] = ()


class Tray:
    """What lies in the tray, as far as the game on the table has to know."""

    def __init__(self) -> None:
        self.state = "no-camera"
        self.waiting: Waiting | None = None
        self._places: tuple[Place, ...] = ()
        self._fresh = True

    def see(self, seen: Seen, scale: float, match: Match | None) -> None:
        """The camera saw this. `scale` takes its positions to those of the picture shown."""
        self.state = seen.state.value
        throw = seen.throw
        if self._fresh and seen.reading is not None and seen.state in (TrayState.SETTLED, TrayState.UNSURE):
            # What lies in the tray when the camera opens its eyes is no throw to vision. To the game it may be one
            # that was thrown while nobody looked.
            self._fresh = False
            throw = throw or ThrowSeen(0, seen.reading, (None,) * len(seen.reading.dice))
            if self._lies_as_confirmed(throw, match):
                return
        if throw is None or match is None or match.phase == "over":
            return
        before = self.waiting.places if self.waiting is not None else self._places
        places = place(throw, before, match.dice, _kept(match, throw), slots(match))
        if match.dice and places and len(places) == slots(match) and all(spot.unmoved for spot in places):
            return  # nothing was thrown: the dice were only pushed about
        self.waiting = Waiting(throw, places, scale)

    def lose(self, *, forgot: bool = True) -> None:
        """The camera is gone; with `forgot` so is what vision knew of the tray."""
        self.state = "no-camera"
        self._fresh = self._fresh or forgot

    def dice(self, match: Match | None) -> tuple[SeenDie, ...]:
        """The throw that waits, slot by slot; empty when none does, or when it came before its turn."""
        if self.waiting is None or match is None or not waits_for_confirmation(match):
            return ()
        waiting = self.waiting
        dice = by_slot(
            waiting.throw,
            waiting.places,
            match.dice,
            _kept(match, waiting.throw),
            slots(match),
            waiting.scale,
        )
        mended = dict(waiting.mended)
        return tuple(
            replace(die, value=mended[slot], asked=False, held=die.held and die.value == mended[slot])
            if slot in mended
            else die
            for slot, die in enumerate(dice, start=1)
        )

    def mend(self, slot: int, value: int) -> None:
        """The die in this slot of the throw that waits shows `value`."""
        if self.waiting is not None:
            kept = tuple(pair for pair in self.waiting.mended if pair[0] != slot)
            self.waiting = replace(self.waiting, mended=(*kept, (slot, value)))

    def confirm(self) -> None:
        """The throw that waited is recorded: its dice lie where they lie, and have not moved since."""
        if self.waiting is not None:
            self._places = tuple(replace(spot, unmoved=True) for spot in self.waiting.places)
            self.waiting = None

    def drop(self) -> None:
        """The throw that waited counts no more."""
        self.waiting = None

    def forget_places(self) -> None:
        """From here on every die counts as thrown."""
        self._places = ()

    def _lies_as_confirmed(self, throw: ThrowSeen, match: Match | None) -> bool:
        """After a restart in mid-turn the dice still lie there: that is the throw we know, not a new one."""
        if match is None or match.phase != "choose":
            return False
        if throw.reading.values != tuple(sorted(match.dice)):
            return False
        free = list(range(1, len(match.dice) + 1))
        places = []
        for die in throw.reading.dice:
            slot = next(slot for slot in free if match.dice[slot - 1] == die.value)
            free.remove(slot)
            places.append(Place(slot, unmoved=True))
        self._places = tuple(places)
        return True


def slots(match: Match) -> int:
    """How many dice the next throw has."""
    return match.game.lot_dice if match.phase in ("begin", "throw-off") else match.game.dice


def waits_for_confirmation(match: Match) -> bool:
    """False for a throw that came too early: the box of the turn before is not chosen yet."""
    return match.phase != "choose" or match.throws_left > 0


def _kept(match: Match, throw: ThrowSeen) -> tuple[int, ...]:
    """The slots not thrown: those held now; with dice missing from view, those that were held for the throw before
    and still lie aside."""
    if match.held or len(throw.reading.dice) >= len(match.dice):
        return match.held
    step = match
    while not isinstance(step.last, Thrown):
        if step.previous is None:
            return ()
        step = step.previous
    return step.previous.held if step.previous is not None else ()
