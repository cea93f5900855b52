"""The vision process, from start to end: opens the camera, looks through it, says what it sees.

A camera that fails is opened again here as long as that can help; a process that hangs or crashes is replaced by
`device.watcher`. What is known of the tray outlives the camera, so that the same dice are no new throw.
"""

import ctypes
import os
import signal
import sys
import time
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import cv2
import numpy as np

from device.calibrations import Calibrations
from device.crops import MOST, SIDE
from device.shared import PREVIEW_SIDE, Shared
from device.vision_words import Calibrate, Ended, Expect, GoOn, Live, Lost, Report
from vision.cameras import Camera, CameraError, Fault, open_camera
from vision.crop import crop
from vision.frame import Frame
from vision.photo import PhotoError
from vision.read import rest
from vision.sight import Sight
from vision.throws import Seen, TrayState
from vision.watch import Watch

REOPEN_SECONDS = 0.5
"""Between attempts to open a camera that is not there: cheap, and a person who plugs it in waits for it."""

LOOK_SECONDS = 0.1
"""Between looks at a tray that lies still and was read; a hand takes longer to reach in."""

RELOCK_SECONDS = 20.0
"""Between attempts to lock exposure anew while the picture is too dark or too bright to be read: each blinds us for a
second or two, and a lens cap stays on for longer."""

PREVIEW_SECONDS = 0.1
"""Between pictures handed to the screen while something moves."""


class VisionProcess:
    """`pipe` leads to the table. `spec` and `paced` are `open_camera`'s; `calibrations` is the folder that holds what
    is known of cameras."""

    def __init__(
        self, pipe: Connection, shared: Shared, spec: str, *, paced: bool, calibrations: Path | None = None
    ) -> None:
        self._pipe = pipe
        self._shared = shared
        self._spec = spec
        self._paced = paced
        self._dice: int | None = None
        self._calibrations = Calibrations(calibrations)
        self._watch = Watch()
        self._wanted: GoOn | None = None
        """The last order to a recording, to be given again when it is opened again."""
        self._told: Seen | None = None
        self._told_fault: Fault | None = None
        self._preview_at = 0.0
        self._live = False
        self._rested = True
        self._relock_at = 0.0
        self._unlit = False
        """Whether the picture was too dark or too bright since exposure was locked: it may not have been, then."""

    def run(self) -> None:
        """Until a recording ends, the table goes away, or a camera fails that only a new process can open again."""
        while True:
            self._shared.stage = "opening"
            self._shared.beat()  # a camera that is not there is looked for as long as it takes
            again = True
            try:
                with closing(open_camera(self._spec, paced=self._paced)) as camera:
                    again = not camera.lives_once
                    self._look_through(camera)
            except CameraError as error:
                again = again and not error.spent
                self._lose(error.fault, str(error), forgot=not again)
            else:
                self._pipe.send(Ended())
                return
            if not again:
                os._exit(1)  # a broken camera's library may wait for ever on its way out
            self._orders(REOPEN_SECONDS)

    def _look_through(self, camera: Camera) -> None:
        """Returns when a recording has ended."""
        sight = Sight(camera.size) if camera.live else None
        for checked in self._calibrations.opened(camera.name, self._watch):
            self._pipe.send(checked)
        if self._wanted is not None:
            camera.go_on(self._wanted.clip, at_rest=self._wanted.at_rest)
        while True:
            self._shared.stage = "looking"
            self._shared.beat()
            for order in self._orders():
                camera.go_on(order.clip, at_rest=order.at_rest)
            began = time.monotonic()
            frame = camera.read()
            if frame is None:
                return
            try:
                readable = sight is None or self._believe(sight, frame, time.monotonic() - began)
                if readable and self._calibrations.running:
                    self._calibrate(frame)
                elif readable:
                    self._look(frame)
            except PhotoError:
                continue  # broken on its way from the camera
            idle = (self._watch.idle and not self._calibrations.running) or not readable
            self._rest(idle=idle)
            if sight is None or not idle:
                continue
            if self._light_is_wrong(sight, frame, readable=readable):
                self._shared.stage = "opening"
                camera.lock()
                sight.locked()
                self._relock_at = time.monotonic() + RELOCK_SECONDS
            if self._paced:
                self._pipe.poll(max(0.0, began + LOOK_SECONDS - time.monotonic()))

    def _believe(self, sight: Sight, frame: Frame, waited: float) -> bool:
        """Whether the picture may be read. Raises CameraError for what only opening the camera again can cure."""
        fault = sight.judge(frame, waited)
        if fault in ("camera-frozen", "camera-size"):
            self._preview(frame)
            raise CameraError(_WHY[fault], fault)
        if fault in ("camera-dark", "camera-burnt"):
            if self._live or fault != self._told_fault:
                self._preview(frame)
            self._lose(fault, _WHY[fault])
            return False
        if sight.doubtful:
            return False
        if fault != self._told_fault:
            self._told, self._told_fault = None, fault
        return True

    def _light_is_wrong(self, sight: Sight, frame: Frame, *, readable: bool) -> bool:
        """Whether exposure must be locked anew: the light drifted while the tray lay empty, became so different that
        nothing can be read any more, or came back after that."""
        if not readable:
            fault = self._told_fault in ("camera-dark", "camera-burnt")
            self._unlit |= fault
            return fault and time.monotonic() >= self._relock_at
        if self._unlit:
            self._unlit = False
            return True
        return self._told is not None and self._told.state is TrayState.EMPTY and sight.drifted(frame)

    def _calibrate(self, frame: Frame) -> None:
        scale = min(1.0, PREVIEW_SIDE / max(frame.size))
        said = list(self._calibrations.look(frame, scale, self._watch))
        if said or time.monotonic() - self._preview_at >= PREVIEW_SECONDS:
            self._preview(frame)
        for word in said:
            self._pipe.send(word)
        self._told = None  # afterwards the tray is told about anew

    def _look(self, frame: Frame) -> None:
        seen = self._watch.look(frame)
        for checked in self._calibrations.check(self._watch):
            self._pipe.send(checked)
        news = self._told is None or seen.state != self._told.state or seen.throw is not None
        moving = self._live or seen.state in (TrayState.MOVING, TrayState.HAND)
        if not news and not (moving and time.monotonic() - self._preview_at >= PREVIEW_SECONDS):
            return
        scale = self._preview(frame)
        if news:
            self._pipe.send(Report(seen, scale, self._cut(frame, seen), self._told_fault))
            self._told = seen

    def _cut(self, frame: Frame, seen: Seen) -> int:
        """The number to ask for the crops of the dice by; 0 when none were cut."""
        if seen.reading is None or seen.state not in (TrayState.SETTLED, TrayState.UNSURE):
            return 0
        return self._shared.crops.write([crop(frame.image, die, SIDE).tobytes() for die in seen.reading.dice[:MOST]])

    def _preview(self, frame: Frame) -> float:
        """Show the frame on the screen; the scale that takes its positions to the picture's."""
        scale = min(1.0, PREVIEW_SIDE / max(frame.size))
        small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        canvas = np.frombuffer(self._shared.canvas(*small.shape[:2]), np.uint8).reshape(small.shape)
        cv2.cvtColor(small, cv2.COLOR_BGR2RGB, dst=canvas)
        self._shared.shown(frame.number)
        self._preview_at = time.monotonic()
        return scale

    def _rest(self, *, idle: bool) -> None:
        """Once whenever nothing is left to read: 20 MB of buffers go back to the system."""
        if idle and not self._rested:
            rest()
            _LIBC.malloc_trim(0)
        self._rested = idle

    def _lose(self, fault: Fault, reason: str, *, forgot: bool = False) -> None:
        if fault != self._told_fault or forgot:
            self._pipe.send(Lost(fault, reason, forgot))
        self._told, self._told_fault = None, fault

    def _orders(self, seconds: float = 0.0) -> list[GoOn]:
        """What the table ordered, waiting for it at most so long; what concerns the camera is handed on."""
        found = []
        while self._pipe.poll(seconds):
            seconds = 0.0
            match self._pipe.recv():
                case Expect(dice):
                    self._dice = dice
                    self._watch.expect(dice)
                case Live(on):
                    self._live = on
                case Calibrate() as order:
                    self._calibrations.order(order, self._dice)
                case GoOn() as order:
                    self._wanted = order
                    found.append(order)
        return found


_LIBC = ctypes.CDLL(None)

_WHY: dict[Fault, str] = {
    "camera-frozen": "the camera gives the same picture again and again",
    "camera-size": "the camera gives pictures of another size than at first",
    "camera-dark": "the picture is black",
    "camera-burnt": "most of the picture is white",
}


def main() -> None:
    """Started by `device.watcher` with: pipe, memory (file descriptors), parent's process id, camera, pace, and the
    folder of calibrations (or nothing)."""
    pipe, memory, parent = map(int, sys.argv[1:4])
    spec, pace, calibrations = sys.argv[4:7]
    _die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table; it ends us in its own time
    cv2.setNumThreads(1)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the table is gone
        VisionProcess(
            Connection(pipe),
            Shared(memory),
            spec,
            paced=pace == "paced",
            calibrations=Path(calibrations) if calibrations else None,
        ).run()


def _die_with(parent: int) -> None:
    """A camera that blocks for ever must not outlive a killed table and keep the camera to itself."""
    _LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)
