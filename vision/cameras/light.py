"""How bright pictures are, and when that has come to rest. Pure."""

import numpy as np

from vision.frame import Frame
from vision.settle import small_grey

STEADY_FRAMES = 6
"""So many pictures in a row must be equally bright: automatic exposure moves in steps of a few frames."""

STEADY = 0.02
"""Share by which they may differ: flicker of lamps stays below, the last step of automatic exposure above."""

SETTLE_SECONDS = 3.0
"""Longest wait for the light to come to rest; most cameras need one second after they were opened."""


def brightness(frame: Frame) -> float:
    """Mean level of a frame, 0–255."""
    return float(small_grey(frame).mean())


class Steady:
    """Tells when the values it is fed have come to rest."""

    def __init__(self) -> None:
        self._last: list[float] = []

    def feed(self, *values: float) -> bool:
        """Whether the values of the last STEADY_FRAMES calls agree within STEADY."""
        self._last.append(float(np.prod([value + 1.0 for value in values])))
        del self._last[:-STEADY_FRAMES]
        return len(self._last) == STEADY_FRAMES and max(self._last) <= min(self._last) * (1 + STEADY)
