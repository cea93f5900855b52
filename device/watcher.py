"""The vision process: started fresh, watched, and replaced when it dies.

A camera read can block for ever and OpenCV can crash; a process can be ended where a thread cannot. What is seen
comes through a pipe as small values; pictures travel through shared memory, so that neither side waits for the other.
"""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import cv2
import numpy as np
from numpy.typing import NDArray

from device.crops import BYTES as CROP_BYTES
from device.crops import Crops
from vision.cameras import CameraError, open_camera
from vision.reading import Image
from vision.throws import Seen, TrayState
from vision.watch import Watch

PREVIEW_SIDE = 640
"""Longest side of the picture shown on the screen, in pixels: more would only cost copying."""

RESTART_SECONDS = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Growing delay before a dead vision process is started again; the last repeats."""

_HEADER = 4  # int64: write count (odd while writing), height, width, frame number
_BYTES = _HEADER * 8 + PREVIEW_SIDE * PREVIEW_SIDE * 3
_PREVIEW_SECONDS = 0.1


@dataclass(frozen=True)
class Report:
    """One word from the vision process. `scale` takes positions in the frame to positions in the preview picture;
    `crops` is the number to ask for the crops of the reading's dice by, 0 when none were cut."""

    seen: Seen
    scale: float
    crops: int = 0


@dataclass(frozen=True)
class Lost:
    """The camera or the whole vision process is gone. `reason` is one line."""

    reason: str


@dataclass(frozen=True)
class Ended:
    """A recording without clips has been played to its end."""


@dataclass(frozen=True)
class Expect:
    dice: int


@dataclass(frozen=True)
class GoOn:
    clip: int | None
    at_rest: bool = False


Word = Report | Lost | Ended


class Watcher:
    """Owns the vision process of one camera. Nothing here ever waits for it.

    `clock` is in seconds and must only go forward.
    """

    def __init__(self, camera: str, *, paced: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._camera = camera
        self._paced = paced
        self._clock = clock
        self._context = multiprocessing.get_context("spawn")
        self._memory = SharedMemory(create=True, size=_BYTES + CROP_BYTES)
        self._header = np.ndarray((_HEADER,), np.int64, self._memory.buf)
        self._header[:] = 0
        self._crops = Crops(self._memory.buf, _BYTES)
        self._told: list[Expect | GoOn] = []
        self._failures = 0
        self._retry_at: float | None = None
        self._shown = -1
        self._said: Word | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def pipe(self) -> Connection | None:
        """What to wait on for the next word; None while the process is down."""
        return self._pipe

    def expect(self, dice: int) -> None:
        """So many dice belong to the game: the strongest help the reader can have."""
        self._tell(Expect(dice))

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """A recording waiting at the end of a clip plays the next one, or `clip` (0-based), or with `at_rest` shows
        how that one ends."""
        self._tell(GoOn(clip, at_rest))

    def poll(self) -> list[Word]:
        """What the vision process said since the last call; restarts it when its time has come."""
        words: list[Word] = []
        if self._pipe is None:
            if self._retry_at is not None and self._clock() >= self._retry_at:
                self._start()
            return words
        try:
            while self._pipe.poll():
                word: Word = self._pipe.recv()
                words.append(word)
                self._said = word
                if isinstance(word, Report):
                    self._failures = 0
        except (EOFError, OSError):
            if not isinstance(self._said, Ended | Lost):
                words.append(Lost("the vision process stopped"))
            self._bury(again=not isinstance(self._said, Ended))
        return words

    def picture(self) -> tuple[int, NDArray[np.uint8]] | None:
        """The newest preview and its number, (H, W, 3) red-green-blue; None when there is none newer than the last
        one handed out."""
        before = int(self._header[0])
        if before % 2 or before == self._shown:
            return None
        height, width = int(self._header[1]), int(self._header[2])
        pixels = np.ndarray((height, width, 3), np.uint8, self._memory.buf, _HEADER * 8).copy()
        if int(self._header[0]) != before:
            return None  # written over while we copied: the next call gets it
        self._shown = before
        return before, pixels

    def crops(self, report: Report) -> tuple[NDArray[np.uint8], ...]:
        """The dice of the report's reading by themselves, in its order, each (H, W, 3) red-green-blue; none when newer
        ones were cut since."""
        return self._crops.read(report.crops)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._bury(again=False)
        del self._header, self._crops
        self._memory.close()
        self._memory.unlink()

    def _start(self) -> None:
        self._retry_at = None
        self._said = None
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(
            target=_watch,
            args=(theirs, self._memory.name, self._camera, self._paced, os.getpid()),
            name="vision",
            daemon=True,
        )
        self._process.start()
        theirs.close()
        for order in self._told:
            self._send(order)

    def _tell(self, order: Expect | GoOn) -> None:
        # A process that is replaced is told again what still holds: how many dice, and which clip was wanted last.
        if isinstance(order, Expect) or order.clip is not None:
            self._told = [old for old in self._told if type(old) is not type(order)] + [order]
        self._send(order)

    def _send(self, order: Expect | GoOn) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):  # it just died: poll() will notice
                self._pipe.send(order)

    def _bury(self, *, again: bool) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
        if again:
            delay = RESTART_SECONDS[min(self._failures, len(RESTART_SECONDS) - 1)]
            self._failures += 1
            self._retry_at = self._clock() + delay


def _watch(pipe: Connection, memory_name: str, camera_name: str, paced: bool, parent: int) -> None:
    """The vision process, from start to end."""
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table; it ends us in its own time
    os.environ.pop("NOTIFY_SOCKET", None)
    cv2.setNumThreads(1)
    memory = SharedMemory(memory_name)
    header = np.ndarray((_HEADER,), np.int64, memory.buf)
    crops = Crops(memory.buf, _BYTES)
    try:
        camera = open_camera(camera_name, paced=paced)
        watch = Watch()
        told: Seen | None = None
        preview_at = 0.0
        while True:
            while pipe.poll():
                order = pipe.recv()
                if isinstance(order, Expect):
                    watch.expect(order.dice)
                else:
                    camera.go_on(order.clip, at_rest=order.at_rest)
            frame = camera.read()
            if frame is None:
                pipe.send(Ended())
                return
            seen = watch.look(frame)
            news = told is None or seen.state != told.state or seen.throw is not None
            now = time.monotonic()
            moving = seen.state in (TrayState.MOVING, TrayState.HAND)
            scale = min(1.0, PREVIEW_SIDE / max(frame.image.shape[:2]))
            if news or (moving and now - preview_at >= _PREVIEW_SECONDS):
                _show(header, memory, frame.image, scale, frame.number)
                preview_at = now
            if news:
                cut = seen.reading is not None and seen.state in (TrayState.SETTLED, TrayState.UNSURE)
                number = crops.write(frame.image, seen.reading.dice) if cut and seen.reading is not None else 0
                pipe.send(Report(seen, scale, number))
                told = seen
    except CameraError as error:
        pipe.send(Lost(str(error)))
    except (EOFError, BrokenPipeError):
        return  # the table is gone


def _show(header: NDArray[np.int64], memory: SharedMemory, image: Image, scale: float, number: int) -> None:
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    height, width = small.shape[:2]
    header[0] += 1
    header[1:] = height, width, number
    target = np.ndarray((height, width, 3), np.uint8, memory.buf, _HEADER * 8)
    cv2.cvtColor(small, cv2.COLOR_BGR2RGB, dst=target)
    header[0] += 1


def _die_with(parent: int) -> None:
    """A camera that blocks for ever must not outlive a killed table and keep the camera to itself."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)
