"""What the vision process shows without saying a word: the newest picture, the crops of its dice, and its heartbeat, in
shared memory.

Neither side waits for the other. The memory has no name in the file system: it is gone with the two processes,
however they end.
"""

import mmap
import os
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from device.crops import BYTES as CROP_BYTES
from device.crops import Crops

PREVIEW_SIDE = 640
"""Longest side of the picture shown on the screen, in pixels: more would only cost copying."""

Stage = Literal["starting", "opening", "looking"]
_STAGES: tuple[Stage, ...] = ("starting", "opening", "looking")

_FIELDS = 6  # int64: write count (odd while writing), height, width, frame number, heartbeats, stage
_PIXELS = _FIELDS * 8
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
        self._fields = np.ndarray((_FIELDS,), np.int64, self._map)
        self.crops = Crops(memoryview(self._map), _CROPS)
        self._shown = -1

    @property
    def beats(self) -> int:
        return int(self._fields[4])

    def beat(self) -> None:
        """The writer is alive and went once more round its loop."""
        self._fields[4] += 1

    @property
    def stage(self) -> Stage:
        """What the writer is busy with: opening a camera takes longer than looking through it."""
        return _STAGES[int(self._fields[5])]

    @stage.setter
    def stage(self, stage: Stage) -> None:
        self._fields[5] = _STAGES.index(stage)

    def canvas(self, height: int, width: int) -> NDArray[np.uint8]:
        """Where the writer draws the next picture, (height, width, 3) red-green-blue, neither side longer than
        PREVIEW_SIDE. It counts as being drawn until `shown`."""
        self._fields[0] += 1 + int(self._fields[0]) % 2  # a writer that died half-way left it odd
        self._fields[1:3] = height, width
        return np.ndarray((height, width, 3), np.uint8, self._map, _PIXELS)

    def shown(self, number: int) -> None:
        """The picture on the canvas is whole; `number` is its frame's."""
        self._fields[3] = number
        self._fields[0] += 1

    def picture(self) -> tuple[int, NDArray[np.uint8]] | None:
        """The newest picture and its number, (H, W, 3) red-green-blue; None when there is none newer than the last
        one handed out."""
        before = int(self._fields[0])
        if before % 2 or before in (0, self._shown):
            return None
        height, width = int(self._fields[1]), int(self._fields[2])
        pixels = np.ndarray((height, width, 3), np.uint8, self._map, _PIXELS).copy()
        if int(self._fields[0]) != before:
            return None  # written over while we copied: the next call gets it
        self._shown = before
        return before, pixels

    def close(self) -> None:
        del self._fields, self.crops
        self._map.close()
