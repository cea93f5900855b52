"""Watching a tray: frames in, what they mean out. Cheap while things move or lie still, read when they settle."""

import numpy as np

from vision import tuning
from vision.read import decide, look
from vision.reading import Die, Frame, Reading
from vision.settle import Look, Motion, Settle
from vision.throws import Seen, Throws, TrayState


class Watch:
    """Looks at the frames of one camera in order.

    `dice` is how many belong to the game; `expect` tells it later. A throw may show all of them, or only those thrown
    while the held ones lie aside."""

    def __init__(self, dice: int | None = None) -> None:
        self._dice = dice
        self._settle = Settle()
        self._throws = Throws()
        self._state = TrayState.EMPTY
        self._reading: Reading | None = None
        self._first: Reading | None = None
        """The reading of this rest that a second one has yet to confirm."""
        self._tries = 0
        self._done = False
        self._in_place: set[int] = set()
        """Dice of the last throw that were seen in their places since the movement began."""

    def expect(self, dice: int) -> None:
        """So many dice belong to the game from now on."""
        if dice != self._dice:
            self._dice = dice
            self._first, self._done, self._tries = None, False, 0

    @property
    def idle(self) -> bool:
        """The tray lies still and has been read: nothing is missed by looking more seldom."""
        return self._done

    def look(self, frame: Frame) -> Seen:
        """What `frame` adds. Frames of any kind and size are allowed; raises nothing for pictures (H, W, 3) uint8."""
        glance = self._settle.look(frame)
        if glance.motion is not Motion.STILL:
            self._first, self._done, self._tries = None, False, 0
            self._stir(frame)
            self._state = TrayState.HAND if glance.motion is Motion.HAND else TrayState.MOVING
            return Seen(self._state, frame.number, None, self._reading)
        if self._done or glance.still_for < tuning.STILL_SECONDS:
            return Seen(self._state, frame.number, None, self._reading)
        reading = self._agreed(frame, glance)
        if reading is None:
            return Seen(self._state, frame.number, None, self._reading)
        self._done = True
        self._settle.settled()
        self._reading = reading
        self._state, throw = self._throws.at_rest(reading, frozenset(self._in_place))
        self._in_place.clear()
        return Seen(self._state, frame.number, throw, reading)

    def _stir(self, frame: Frame) -> None:
        self._throws.stirred()
        dice = self._throws.dice
        if dice:
            side = float(np.median([die.size for die in dice]))
            self._in_place.update(self._settle.in_place(frame, [die.centre for die in dice], side))

    def _agreed(self, frame: Frame, glance: Look) -> Reading | None:
        """The reading of this rest, once two frames agree on it; None while that is open."""
        if self._first is None or not glance.same:
            before, self._first = self._first, read_tray(frame, self._dice)
            self._tries += 1
            if before is None:
                return None
            if not _agree(before, self._first):
                return None if self._tries < tuning.MOST_READINGS else _unsure(self._first)
        reading = self._first
        clear = reading.sure and (self._dice is None or len(reading.dice) == self._dice)
        patience = 0.0 if clear or not reading.dice else tuning.PATIENCE_SECONDS
        return reading if glance.still_for >= patience else None


def read_tray(frame: Frame, dice: int | None) -> Reading:
    """Read `frame` as the tray of a game with `dice` dice: fewer in view are right when they are clear by themselves,
    as the held ones may lie aside."""
    evidence = look(frame.image)
    reading = decide(evidence, dice).reading
    if dice is None or reading.sure:
        return reading
    fewer = decide(evidence, None).reading
    if len(fewer.dice) < dice and (fewer.sure or not fewer.dice):
        return fewer
    return reading


def _agree(one: Reading, other: Reading) -> bool:
    """The same faces in the same places."""
    if one.values != other.values or len(one.dice) != len(other.dice) or one.sure != other.sure:
        return False
    return all(any(_near(die, again) for again in other.dice) for die in one.dice)


def _near(one: Die, other: Die) -> bool:
    reach = tuning.STAYED * max(one.size, other.size)
    return (
        one.value == other.value
        and abs(one.centre[0] - other.centre[0]) <= reach
        and abs(one.centre[1] - other.centre[1]) <= reach
    )


def _unsure(reading: Reading) -> Reading:
    """`reading` when frames of one rest do not agree: nothing of it is safe to score."""
    return Reading(reading.dice, tuple(dict.fromkeys((*reading.troubles, "doubtful-face"))), sure=False)
