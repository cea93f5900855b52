"""What the vision process shows without saying a word: the newest picture, the crops of its dice, and its heartbeat, in
shared memory.

Neither side waits for the other. The memory has no name in the file system: it is gone with the two processes,
however they end.
"""

import mmap
import os
from typing import Literal

from device.crops import BYTES as CROP_BYTES
from device.crops import Crops
from display.picture import Picture

PREVIEW_SIDE = 640
"""Longest side of the picture shown on the screen, in pixels: more would only cost copying."""

Stage = Literal["starting", "opening", "looking"]
_STAGES: tuple[Stage, ...] = ("starting", "opening", "looking")

_PIXELS = 6 * 8  # behind int64: write count (odd while writing), height, width, frame number, heartbeats, stage
_CROPS = _PIXELS + PREVIEW_SIDE * PREVIEW_SIDE * 3
_BYTES = _CROPS + CROP_BYTES


def new_memory() -> int:
    """Fresh memory for both sides; its file descriptor, which is the caller's to close."""
    descriptor = os.memfd_create("tallytray")
    os.truncate(descriptor, _BYTES)
    return descriptor


class Shared:
    """One writer, the vision process, and one reader, the table."""

    def __init__(self, descriptor: int) -> None:
        self._map = mmap.mmap(descriptor, _BYTES)
        memory = memoryview(self._map)
        self._fields = memory[:_PIXELS].cast("q")
        self._pixels = memory[_PIXELS:_CROPS]
        self.crops = Crops(memory[_CROPS:])
        self._shown = -1

    @property
    def beats(self) -> int:
        return self._fields[4]

    def beat(self) -> None:
        """The writer is alive and went once more round its loop."""
        self._fields[4] += 1

    @property
    def stage(self) -> Stage:
        """What the writer is busy with: opening a camera takes longer than looking through it."""
        return _STAGES[self._fields[5]]

    @stage.setter
    def stage(self, stage: Stage) -> None:
        self._fields[5] = _STAGES.index(stage)

    def canvas(self, height: int, width: int) -> memoryview:
        """Where the writer draws the next picture, `height` rows of `width` pixels, red-green-blue, neither side longer
        than PREVIEW_SIDE. It counts as being drawn until `shown`."""
        self._fields[0] += 1 + self._fields[0] % 2  # a writer that died half-way left it odd
        self._fields[1], self._fields[2] = height, width
        return self._pixels[: height * width * 3]

    def shown(self, number: int) -> None:
        """The picture on the canvas is whole; `number` is its frame's."""
        self._fields[3] = number
        self._fields[0] += 1

    def picture(self) -> Picture | None:
        """The newest picture; None when there is none newer than the last one handed out."""
        before = self._fields[0]
        if before % 2 or before in (0, self._shown):
            return None
        high, wide = self._fields[1], self._fields[2]
        pixels = bytes(self._pixels[: high * wide * 3])
        if self._fields[0] != before:
            return None  # written over while we copied: the next call gets it
        self._shown = before
        return Picture(before, wide, high, pixels)

    def close(self) -> None:
        del self._fields, self._pixels, self.crops
        self._map.close()
