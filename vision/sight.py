"""Can what a camera shows be believed? Names pictures that cannot: frozen, dark, burnt, of another size; and a camera
that is slow. Also notices that the light on the empty tray has drifted.

All is judged over some time: single odd frames happen, and the first ones of a camera are black or burnt.
"""

import numpy as np

from vision.arrays import median
from vision.cameras import Fault
from vision.cameras.light import burnt, dark
from vision.frame import Frame, Image, Packed
from vision.settle import small_grey

FAULT_SECONDS = 1.0
"""So long a fault must last before it is named: longer than automatic exposure takes when a lamp is switched."""

FROZEN_SECONDS = 1.5
FROZEN_FRAMES = 4
"""Looks at the very same picture, bit by bit, over at least FROZEN_SECONDS: a sensor's noise never repeats."""

SLOW_SECONDS = 0.5
"""Between frames, while more were asked for: a die rolls for about a second, and two looks do not show that."""

DRIFT = 0.15
"""Share by which the empty tray's median may have changed since the light was locked; the reader bears a third."""

DRIFT_SECONDS = 2.0


class Sight:
    """Judges the frames of one live camera in order. `size` is (width, height) as agreed with it, None for that of its
    first frame."""

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        self._size = size
        self._before: Image | Packed | None = None
        self._same_since = 0.0
        self._sames = 0
        self._fresh = False
        self._suspected: Fault | None = None
        self._suspected_at = 0.0
        self._fault: Fault | None = None
        self._locked_level: float | None = None
        self._drift_at: float | None = None

    def judge(self, frame: Frame, waited: float) -> Fault | None:
        """What is wrong with the pictures by now; `waited` is how long this one had to be waited for, in seconds. Of
        these only "camera-slow" leaves pictures that can be read."""
        suspected = self._suspect(frame, waited)
        if suspected != self._suspected:
            self._suspected, self._suspected_at = suspected, frame.taken_at
        lasted = frame.taken_at - self._suspected_at
        if suspected in (None, "camera-frozen") or lasted >= FAULT_SECONDS:
            self._fault = suspected
        return self._fault

    @property
    def doubtful(self) -> bool:
        """The present picture is not fit to be read, though that may pass: it is not named a fault yet. The first one
        of a camera never is: it may stand still."""
        return self._suspected not in (None, "camera-slow") or not self._fresh

    def locked(self) -> None:
        """Exposure was locked anew: the next empty tray is what light is compared with."""
        self._locked_level, self._drift_at = None, None

    def drifted(self, frame: Frame) -> bool:
        """Whether the light on the tray, which is empty and still in `frame`, changed for good since it was locked."""
        level = median(small_grey(frame))
        if self._locked_level is None:
            self._locked_level = level
        if abs(level - self._locked_level) <= DRIFT * max(self._locked_level, 1.0):
            self._drift_at = None
            return False
        if self._drift_at is None:
            self._drift_at = frame.taken_at
        return frame.taken_at - self._drift_at >= DRIFT_SECONDS

    def _suspect(self, frame: Frame, waited: float) -> Fault | None:
        if self._size is None:
            self._size = frame.size
        if self._frozen(frame):
            return "camera-frozen"
        if frame.size != self._size:
            return "camera-size"
        grey = small_grey(frame)
        if dark(grey):
            return "camera-dark"
        if burnt(grey):
            return "camera-burnt"
        return "camera-slow" if waited > SLOW_SECONDS else None

    def _frozen(self, frame: Frame) -> bool:
        before, self._before = self._before, frame.picture  # not the frame: it may hold the picture unpacked as well
        self._fresh = before is not None and not _same(before, frame.picture)
        if self._fresh or before is None:
            self._same_since, self._sames = frame.taken_at, 0
            return False
        self._sames += 1
        return self._sames >= FROZEN_FRAMES and frame.taken_at - self._same_since >= FROZEN_SECONDS


def _same(one: Image | Packed, other: Image | Packed) -> bool:
    if not isinstance(one, np.ndarray):
        return one.same_as(other)
    if not isinstance(other, np.ndarray):
        return False
    few = slice(None, None, 64)  # rows that show nearly always that the rest need not be compared
    return np.array_equal(one[few], other[few]) and np.array_equal(one, other)
