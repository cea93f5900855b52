"""How bright pictures are, whether they are lit at all, and when that has come to rest. Pure."""

import numpy as np

from vision.frame import Frame
from vision.settle import Grey, small_grey

STEADY_FRAMES = 6
"""So many pictures in a row must be equally bright: automatic exposure moves in steps of a few frames."""

STEADY = 0.02
"""Share by which they may differ: flicker of lamps stays below, the last step of automatic exposure above."""

SETTLE_SECONDS = 3.0
"""Longest wait for the light to come to rest; most cameras need one second after they were opened."""

DARK_LEVELS = 16
"""Level that 99 of 100 pixels of a dark picture stay below: a lens cap gives less than 10, a tray at night 40."""

BURNT_LEVELS = 250
BURNT_SHARE = 0.6
"""Of the picture's pixels at the sensor's top: a lamp's glare covers a tenth, a white tray in the sun most."""


def dark(grey: Grey) -> bool:
    """Whether a picture shows nothing for want of light."""
    return _level_of(grey, 0.99) < DARK_LEVELS


def burnt(grey: Grey) -> bool:
    """Whether most of a picture is as bright as the sensor can tell."""
    return _level_of(grey, 1 - BURNT_SHARE) >= BURNT_LEVELS


def unlit(frame: Frame) -> bool:
    """Whether a frame tells nothing about the light: a camera's first ones are often black or burnt, for up to a
    second, and all equally so."""
    grey = small_grey(frame)
    return dark(grey) or burnt(grey)


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


def _level_of(grey: Grey, share: float) -> float:
    """The level that `share` of the pixels do not exceed."""
    return float(np.partition(grey, index := int(share * (grey.size - 1)), axis=None)[index])
