"""The tray between two confirmed throws: what was seen, what a finger put right, what waits to be confirmed.

Nothing here is ever journalled, and nothing here knows of events: it answers what lies in which slot.
"""

from dataclasses import dataclass, replace

from device.placing import Place, by_slot, lot, place, too_many
from display.picture import Picture
from display.view import SeenDie
from rules import Entered, Match, Passed, Thrown
from vision import tuning
from vision.reading import Die
from vision.throws import Seen, ThrowSeen, TrayState

UNSEEN = 0
"""Number of a throw that nobody saw: its dice lay there when the camera opened its eyes. They may be old ones."""


@dataclass(frozen=True)
class Waiting:
    """A throw that came to rest and was not confirmed yet. `crops` are its dice as the camera saw them, in the order
    of its reading (empty: none came); `mended` are faces put right by finger, by slot; `no_dice` are the places in the
    reading of what a finger said is no die. It came to rest when `since` events stood, for a throw of so many `slots`:
    where an undo goes back behind that, it waits until as many stand again."""

    throw: ThrowSeen
    places: tuple[Place, ...]
    scale: float
    since: int
    slots: int
    crops: tuple[Picture, ...] = ()
    mended: tuple[tuple[int, int], ...] = ()
    no_dice: tuple[int, ...] = ()


class Tray:
    """What lies in the tray, as far as the game on the table has to know."""

    def __init__(self) -> None:
        self.state = "no-camera"
        self.waiting: Waiting | None = None
        self.crops: tuple[Picture | None, ...] = ()
        self._places: tuple[Place, ...] = ()
        self._lying: tuple[Die, ...] = ()
        """As they lay when they were last seen at rest."""
        self._fresh = True

    def see(self, seen: Seen, scale: float, match: Match | None, crops: tuple[Picture, ...] = ()) -> None:
        """The camera saw this. `scale` takes its positions to those of the picture shown, `crops` are the dice of its
        reading."""
        self.state = seen.state.value
        throw = seen.throw
        if self._fresh and seen.reading is not None and seen.state in (TrayState.SETTLED, TrayState.UNSURE):
            # What lies in the tray when the camera opens its eyes is no throw to vision. To the game it may be one
            # that was thrown while nobody looked.
            self._fresh = False
            untouched = _same_dice(self._lying, seen.reading.dice)
            throw = throw or ThrowSeen(UNSEEN, seen.reading, (None,) * len(seen.reading.dice))
            if untouched or self._lies_as_confirmed(throw, match, crops):
                return
        if seen.reading is not None and seen.state in (TrayState.SETTLED, TrayState.UNSURE):
            self._lying = seen.reading.dice
        if throw is None or match is None or match.phase == "over":
            return
        before = self.waiting.places if self.waiting is not None else self._places
        if throws_lots(match):
            if throw.number == UNSEEN and len(throw.reading.dice) > slots(match):
                return  # the other dice of the game, left lying
            throw, crops = lot(throw, crops, slots(match))
            before = ()
        places = place(throw, before, match.dice, _kept(match, throw), slots(match))
        if match.dice and places and len(places) == slots(match) and all(spot.unmoved for spot in places):
            return  # nothing was thrown: the dice were only pushed about
        self.waiting = Waiting(throw, places, scale, match.standing, slots(match), crops)

    def lose(self, *, forgot: bool = True) -> None:
        """The camera is gone; with `forgot` so is what vision knew of the tray."""
        self.state = "no-camera"
        self._fresh = self._fresh or forgot

    def entered(self) -> None:
        """A finger entered the dice. Where no camera saw them, they are what it will find lying there."""
        self.drop()
        self.forget_places()
        self._fresh = self._fresh or self.state == "no-camera"

    def dice(self, match: Match | None) -> tuple[SeenDie, ...]:
        """The throw that waits, slot by slot, and after them the dice too many; empty when none waits, or when its turn
        has not come."""
        waiting = self.waiting
        if waiting is None or match is None or not self.waits(match):
            return ()
        dice = by_slot(
            waiting.throw,
            waiting.places,
            match.dice,
            _kept(match, waiting.throw),
            slots(match),
            waiting.scale,
            waiting.crops,
        )
        dice = tuple(
            replace(die, crop=crop) if die.centre is None and die.held else die
            for die, crop in zip(dice, (*self.crops, *(None,) * len(dice)), strict=False)
        )
        dice += too_many(waiting.throw, waiting.places, waiting.no_dice, waiting.scale, waiting.crops)
        mended = dict(waiting.mended)
        return tuple(
            replace(die, value=mended[slot], asked=False, held=die.held and die.value == mended[slot])
            if slot in mended
            else die
            for slot, die in enumerate(dice, start=1)
        )

    def waits(self, match: Match | None) -> bool:
        """Whether a throw waits that may be confirmed now: not one of a moment that was undone, nor of dice that were
        thrown for something else, a turn instead of a throw-off."""
        waiting = self.waiting
        if waiting is None or match is None or match.phase == "over" or not waits_for_confirmation(match):
            return False
        return match.standing >= waiting.since and slots(match) == waiting.slots

    def mend(self, slot: int, value: int) -> None:
        """The die in this slot of the throw that waits shows `value`."""
        if self.waiting is not None:
            kept = tuple(pair for pair in self.waiting.mended if pair[0] != slot)
            self.waiting = replace(self.waiting, mended=(*kept, (slot, value)))

    def no_die(self, slot: int, match: Match | None) -> None:
        """What was read in this slot of the throw that waits is no die: one too many takes its place, else the die
        that belongs there is missing."""
        waiting = self.waiting
        if waiting is None or match is None:
            return
        spare = [
            index for index, spot in enumerate(waiting.places) if spot.slot is None and index not in waiting.no_dice
        ]
        index = next((index for index, spot in enumerate(waiting.places) if spot.slot == slot), None)
        if index is None:
            place = slot - slots(match) - 1
            if 0 <= place < len(spare):
                self.waiting = replace(waiting, no_dice=(*waiting.no_dice, spare[place]))
            return
        places = list(waiting.places)
        places[index] = Place(None, unmoved=False)
        if spare:
            places[spare[0]] = Place(slot, unmoved=False)
        mended = tuple(pair for pair in waiting.mended if pair[0] != slot)
        self.waiting = replace(waiting, places=tuple(places), mended=mended, no_dice=(*waiting.no_dice, index))

    def troubles(self, match: Match | None) -> tuple[str, ...]:
        """What is still wrong with the throw that waits: once a finger has answered, only what is wrong with the dice
        not answered for."""
        waiting = self.waiting
        if waiting is None or not self.waits(match):
            return ()
        if not (waiting.mended or waiting.no_dice):
            return waiting.throw.reading.troubles
        dice = self.dice(match)
        return tuple(dict.fromkeys(die.trouble for die in dice if die.asked and die.trouble is not None))

    def sure(self, match: Match | None) -> bool:
        """Whether the throw that waits was seen to be thrown, read surely and whole, and no finger has changed it."""
        waiting = self.waiting
        if waiting is None or match is None or not self.waits(match) or waiting.mended or waiting.no_dice:
            return False
        dice = self.dice(match)
        return (
            waiting.throw.reading.sure
            and waiting.throw.number != UNSEEN
            and len(dice) == slots(match)
            and all(die.value is not None and not die.asked for die in dice)
        )

    def confirm(self, match: Match | None) -> None:
        """The throw that waited is recorded: its dice lie where they lie, and have not moved since. `match` is the game
        before it was."""
        if self.waiting is not None:
            self.crops = tuple(die.crop for die in self.dice(match))
            self._places = tuple(replace(spot, unmoved=True) for spot in self.waiting.places)
            self.waiting = None
        if match is not None and throws_lots(match):
            self.forget_places()  # a lot is no throw of a turn: none of its dice is held by lying still

    def drop(self) -> None:
        """The throw that waited counts no more."""
        self.waiting = None

    def forget_places(self) -> None:
        """From here on every die counts as thrown."""
        self._places = ()
        self.crops = ()

    def _lies_as_confirmed(self, throw: ThrowSeen, match: Match | None, crops: tuple[Picture, ...]) -> bool:
        """After a restart in mid-turn the dice still lie there: that is the throw we know, not a new one. So are those
        of the turn before, when its box was chosen before the camera saw them."""
        if match is not None and match.phase == "throw" and isinstance(match.last, Entered | Passed):
            before = match.previous.dice if match.previous is not None else ()
            return throw.reading.values == tuple(sorted(before))
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
        by_slot = {spot.slot: crop for spot, crop in zip(places, crops, strict=False)}
        self.crops = tuple(by_slot.get(slot) for slot in range(1, len(match.dice) + 1))
        return True


def _same_dice(before: tuple[Die, ...], now: tuple[Die, ...]) -> bool:
    """Whether nobody touched the dice: the same faces in the same places."""
    return bool(now) and len(before) == len(now) and all(any(_is_it(old, new) for old in before) for new in now)


def _is_it(old: Die, new: Die) -> bool:
    apart = max(abs(old.centre[0] - new.centre[0]), abs(old.centre[1] - new.centre[1]))
    return old.value == new.value and apart <= tuning.STAYED * old.size


def throws_lots(match: Match) -> bool:
    """Whether it is thrown for who begins, or a tie thrown off."""
    return match.phase in ("begin", "throw-off")


def slots(match: Match) -> int:
    """How many dice the next throw has."""
    return match.game.lot_dice if throws_lots(match) else match.game.dice


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
