"""Watching a tray: frames in, what they mean out. Cheap while things move or lie still, read when they settle."""

import math
from dataclasses import replace

import cv2
import numpy as np

from vision import tuning
from vision.arrays import median
from vision.frame import Frame
from vision.lying import Ground
from vision.read import decide, look, read_tray
from vision.reading import Die, Reading
from vision.recheck import Recheck, Verdict, recheck, renewed
from vision.settle import Look, Motion, Settle
from vision.throws import Seen, Throws, TrayState


class Watch:
    """Looks at the frames of one camera in order.

    `dice` is how many belong to the game; `expect` tells it later. A throw may show all of them, or only those thrown
    while the held ones lie aside. `ground` is what is known of the empty tray, when the camera was calibrated."""

    def __init__(self, dice: int | None = None, ground: Ground | None = None) -> None:
        self._dice = dice
        self.known = ground
        """What is known of the empty tray; taken anew when the light has changed."""
        self.checked: Recheck | None = None
        """How that stood when the tray was last seen empty."""
        self._checked_at = -math.inf
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

    def expect(self, dice: int | None) -> None:
        """So many dice belong to the game from now on; None: nobody knows how many lie in the tray."""
        if dice != self._dice:
            self._dice = dice
            self._first, self._done, self._tries = None, False, 0

    def know(self, ground: Ground) -> None:
        """The camera was calibrated. What lies in the tray is looked at anew, and is no throw."""
        self.known, self.checked = ground, None
        self._settle, self._throws = Settle(), Throws()
        self._first, self._done, self._tries = None, False, 0
        self._in_place.clear()

    @property
    def idle(self) -> bool:
        """The tray lies still and has been read: nothing is missed by looking more seldom."""
        return self._done

    def look(self, frame: Frame) -> Seen:
        """What `frame` adds. Frames of any kind and size are allowed; raises nothing for pictures (H, W, 3) uint8."""
        glance = self._settle.look(frame, self._side)
        if glance.motion is not Motion.STILL:
            self._first, self._done, self._tries = None, False, 0
            self._stir(frame)
            self._state = TrayState.HAND if glance.motion is Motion.HAND else TrayState.MOVING
            return Seen(self._state, frame.number, None, self._reading)
        if self._done and self._state is TrayState.EMPTY and frame.taken_at - self._checked_at > tuning.CHECK_SECONDS:
            self._check(frame)
        if self._done or glance.still_for < tuning.STILL_SECONDS:
            return Seen(self._state, frame.number, None, self._reading)
        reading = self._agreed(frame, glance)
        if reading is None:
            return Seen(self._state, frame.number, None, self._reading)
        self._done = True
        self._settle.settled()
        reading, outside = self._apart(frame, reading)
        self._reading = reading
        self._state, throw = self._throws.at_rest(reading, self._in_place, by_hand=glance.by_hand, outside=outside)
        self._in_place.clear()
        if self._state is TrayState.EMPTY:
            self._check(frame)
        return Seen(self._state, frame.number, throw, reading)

    def _check(self, frame: Frame) -> None:
        """The tray is empty: is it still the one that is known?"""
        if self.known is None:
            return
        self._checked_at = frame.taken_at
        self.checked = recheck(self.known, frame.image)
        if self.checked.verdict in (Verdict.LIGHT, Verdict.LAMP):
            self.known = renewed(self.known, frame.image)

    @property
    def _side(self) -> float | None:
        """Of a die, px, as far as it is known."""
        if self._throws.dice:
            return median([die.size for die in self._throws.dice])
        return None if self.known is None else self.known.calibration.die

    def _stir(self, frame: Frame) -> None:
        """Something moves. A die that a hand was over may be taken up, unless it lies in its place afterwards."""
        self._throws.stirred()
        side, places = self._side, [die.centre for die in self._throws.dice]
        if side is not None and places:
            self._in_place.difference_update(self._settle.under_hand(frame, places, side))
            self._in_place.update(self._settle.in_place(frame, places, side))

    def _apart(self, frame: Frame, reading: Reading) -> tuple[Reading, tuple[Die, ...]]:
        """The reading of what lies in the tray, and the dice beside it: held ones laid there, or thrown ones that
        missed it. Nobody looks there while all dice are in the tray."""
        if self.known is None or self._dice is None or self.known.calibration.tray.shape == "picture":
            return reading, ()
        tray = self.known.calibration.tray.outline.astype(np.float32)
        reach = -tuning.BESIDE * self.known.calibration.die

        def beside(die: Die) -> bool:
            return cv2.pointPolygonTest(tray, die.centre, True) < reach

        outside = tuple(die for die in reading.dice if beside(die))
        if outside:
            return replace(reading, dice=tuple(die for die in reading.dice if not beside(die))), outside
        if len(reading.dice) < self._dice:
            around = decide(look(frame.image), None).reading
            outside = tuple(die for die in around.dice if die.value is not None and beside(die))
        return reading, outside

    def _agreed(self, frame: Frame, glance: Look) -> Reading | None:
        """The reading of this rest, once two frames agree on it; None while that is open."""
        if self._first is None or not glance.same:
            moved = self.checked is not None and self.checked.verdict is Verdict.MOVED
            before, self._first = self._first, read_throw(frame, self._dice, None if moved else self.known)
            self._tries += 1
            if before is None:
                return None
            if not _agree(before, self._first):
                return None if self._tries < tuning.MOST_READINGS else _unsure(self._first)
        reading = self._first
        clear = reading.sure and (self._dice is None or len(reading.dice) == self._dice)
        patience = 0.0 if clear or not reading.dice else tuning.PATIENCE_SECONDS
        return reading if glance.still_for >= patience else None


def read_throw(frame: Frame, dice: int | None, ground: Ground | None = None) -> Reading:
    """Read `frame` as the tray of a game with `dice` dice: fewer in view are right when they are clear by themselves,
    as the held ones may lie aside."""
    decision = decide(look(frame.image), dice) if ground is None else read_tray(frame.image, ground, dice)
    reading = decision.reading
    if dice is None or reading.sure:
        return reading
    fewer = decide(decision.evidence, None).reading
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
