"""What was drawn once and is likely to be drawn again, as long as there is room for it.

Counted in bytes, not in pieces: a table that runs for months is shown every screen, name and number there is.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec

import pygame

BYTES_PER_PIXEL = 4

P = ParamSpec("P")


class Kept:
    """Pictures of together at most `room` bytes of pixels. `taken` are in use."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.taken = 0
        self._pictures: OrderedDict[tuple[Hashable, ...], pygame.Surface] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pictures)

    def once(self, draw: Callable[P, pygame.Surface]) -> Callable[P, pygame.Surface]:
        """`draw` is asked once for each picture; the one that was not wanted for longest makes way for others."""

        @wraps(draw)
        def ask(*how: P.args, **more: P.kwargs) -> pygame.Surface:
            key = (draw, *how, *more.items())
            known = self._pictures.get(key)
            if known is not None:
                self._pictures.move_to_end(key)
                return known
            made = self._pictures[key] = draw(*how, **more)
            self.taken += _bytes(made)
            while self.taken > self.room and len(self) > 1:
                self.taken -= _bytes(self._pictures.popitem(last=False)[1])
            return made

        return ask


def _bytes(picture: pygame.Surface) -> int:
    return picture.get_width() * picture.get_height() * BYTES_PER_PIXEL
