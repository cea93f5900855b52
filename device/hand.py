"""What a hand does with the dice: a throw confirmed, entered, put right, held. From the tray to the events of a turn.

Every deed answers with a notice that says why not, or None when it is done.
"""

import time
from collections.abc import Callable

from device.table import Table
from device.tray import Tray, slots, throws_lots, waits_for_confirmation
from rules import Corrected, Event, Held, LotThrown, Match, Thrown, apply, check

AUTO_CONFIRM_SECONDS = 2.0
"""How long a sure reading is shown before it is taken by itself, where the table plays so."""

_COUNTDOWN_STEPS = 20


class Hand:
    """`clock` is in seconds."""

    def __init__(self, table: Table, tray: Tray, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._table = table
        self._tray = tray
        self._clock = clock
        self._touched = False
        self._counting_from: float | None = None

    @property
    def _match(self) -> Match | None:
        return self._table.match

    @property
    def waits(self) -> bool:
        """Whether a throw waits that may be confirmed now."""
        return self._tray.waits(self._match)

    def touch(self) -> None:
        """Somebody touched something: a throw that waits is left to the finger."""
        self._touched = self._touched or self.waits

    def begin(self) -> None:
        """What waits from now on was not touched yet."""
        self._touched, self._counting_from = False, None

    @property
    def takes_itself(self) -> bool:
        """Whether the throw that waits needs no touch, where the table plays so: any but the confirming one leaves it
        to the finger."""
        return not self._touched and self.waits and self._tray.sure(self._match)

    def tick(self, *, hands_off: bool) -> str | None:
        """Time passes; with `hands_off` a throw that needs no touch is taken after a while."""
        if not (hands_off and self.takes_itself):
            self._counting_from = None
        elif self._counting_from is None:
            self._counting_from = self._clock()
        elif self._clock() - self._counting_from >= AUTO_CONFIRM_SECONDS:
            return self.confirm()
        return None

    @property
    def countdown(self) -> float | None:
        """The part (1 to 0) of the time left until the throw is taken by itself; None when it is not."""
        if self._counting_from is None or not self.takes_itself:
            return None
        left = 1 - (self._clock() - self._counting_from) / AUTO_CONFIRM_SECONDS
        return max(0, round(left * _COUNTDOWN_STEPS)) / _COUNTDOWN_STEPS

    def confirm(self) -> str | None:
        """The throw that waits is right."""
        match = self._match
        if self._tray.waiting is None or match is None:
            return None
        if not waits_for_confirmation(match):
            return "choose-a-box"
        if not self.waits:
            return None
        seen = self._tray.dice(match)
        if len(seen) > slots(match):
            return "count"
        faces = tuple(die.value for die in seen if die.value is not None)
        if len(faces) < len(seen):
            return "die-asked"
        if throws_lots(match):
            refusal = self._table.record(_thrown(match, faces))
        else:
            refusal = self._take(match, faces, tuple(slot for slot, die in enumerate(seen, start=1) if die.held))
        if refusal is None:
            self._tray.confirm(match)
        return refusal

    def _take(self, match: Match, faces: tuple[int, ...], held: tuple[int, ...]) -> str | None:
        """Record the throw, and before it which dice were not thrown, where that is not what was held."""
        if match.phase == "choose" and held != match.held:
            # Both must be possible before one of them is recorded.
            refusal = check(match, Held(held)) or check(apply(match, Held(held)), Thrown(faces))
            if refusal is not None:
                return refusal
            self._table.record(Held(held))
        return self._table.record(Thrown(faces))

    def enter(self, dice: tuple[int, ...]) -> str | None:
        """Dice entered by finger."""
        if self._match is None:
            return None
        refusal = self._table.record(_thrown(self._match, dice))
        if refusal is None:
            self._tray.entered()
        return refusal

    def mend(self, slot: int, value: int) -> str | None:
        """A die put right: of the throw that waits, else of the one confirmed last."""
        match = self._match
        if self.waits and match is not None:
            if slot > slots(match):
                return "count"  # one too many has no face to put right: it goes, or another does
            self._tray.mend(slot, value)
        elif match is not None and 1 <= slot <= len(match.dice):
            faces = list(match.dice)
            faces[slot - 1] = value
            return self._table.record(Corrected(dice=tuple(faces)))
        return None

    def hold(self, slot: int, *, on_pad: bool) -> str | None:
        """A die held for the next throw, or let go again. Whoever enters the faces `on_pad`, by finger, does not take
        what was read meanwhile."""
        if self.waits and not on_pad:
            return "confirm-first"
        if self._match is None:
            return None
        return self._table.record(Held(tuple(sorted(set(self._match.held) ^ {slot}))))


def _thrown(match: Match, dice: tuple[int, ...]) -> Event:
    """What thrown dice are: a lot of whoever throws now, or a throw of the turn."""
    lots = throws_lots(match) and match.player is not None
    return LotThrown(player=match.player or "", dice=dice) if lots else Thrown(dice)
