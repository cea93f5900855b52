"""Small pictures of single dice, from the vision process to the table through shared memory.

They are cut from the camera's full picture when a reading is told, so that each can stand on the screen beside the
drawn die. Neither side waits for the other: a reading says which writing its crops belong to, and crops that were
written over since are gone.
"""

from collections.abc import Sequence

from display.picture import Picture

SIDE = 96
"""Side of a crop in pixels: no more than a drawn die beside it on a large screen shows."""

MOST = 12
"""Dice of one reading that get a crop: more than any game has, so that dice too many can be shown too."""

_HEADER = 2 * 8  # int64: write count (odd while writing), how many crops
_EACH = SIDE * SIDE * 3
BYTES = _HEADER + MOST * _EACH


class Crops:
    """A table of crops in BYTES of `memory`, one writer and one reader."""

    def __init__(self, memory: memoryview) -> None:
        self._header = memory[:_HEADER].cast("q")
        self._pixels = memory[_HEADER:BYTES]

    def write(self, crops: Sequence[bytes]) -> int:
        """Keep the first `MOST` of these, each SIDE × SIDE pixels, red-green-blue; returns the number to ask for them
        by."""
        count = min(len(crops), MOST)
        self._header[0] += 1 + self._header[0] % 2  # a writer that died half-way left it odd
        self._pixels[: count * _EACH] = b"".join(crops[:count])
        self._header[1] = count
        self._header[0] += 1
        return self._header[0]

    def read(self, number: int) -> tuple[Picture, ...]:
        """The crops written as `number`, in their order; none when they were written over."""
        if number <= 0 or number % 2 or self._header[0] != number:
            return ()
        pixels = [bytes(self._pixels[place * _EACH : (place + 1) * _EACH]) for place in range(self._header[1])]
        if self._header[0] != number:
            return ()
        return tuple(Picture(-(number * MOST + place) - 1, SIDE, SIDE, crop) for place, crop in enumerate(pixels))
