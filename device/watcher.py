"""Starts the vision process, watches it, and replaces it when it dies, hangs or grows. Never waits for it.

A camera read can block for ever and OpenCV can crash; a process can be ended where a thread cannot.
"""

import contextlib
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

from device.shared import Shared, new_memory
from device.vision_words import Calibrate, Ended, Expect, GoOn, Live, Lost, Order, Report, Word
from display.picture import Picture
from vision.cameras.finding import noticed, stable, trace
from vision.throws import TrayState

log = logging.getLogger("tallytray")

RESTART_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Growing delay before a dead vision process is started again; the last repeats. What changes at the camera (a plug)
cuts it short."""

UNNOTICED_SECONDS = 0.5
"""The longest such delay for a camera whose return cannot be noticed but by opening it."""

PROVEN_SECONDS = 20.0
"""A process that looked for so long has done well: the next delay is the first one again."""

HUNG_SECONDS = 2.0
"""Without a heartbeat, while the process waits for something. Ten looks are due in that time."""

BUSY_HUNG_SECONDS = 15.0
"""The same while it computes: a loaded machine may make it as slow as that, a fault lasts longer. Also without the
least step while it opens a camera."""

OPENING_SECONDS = 60.0
"""Without a heartbeat while it opens a camera step by step: in bad light half of it passes until exposure is locked."""

STUCK_SECONDS = 1.0
"""Without the least step while it opens a camera, when what is plugged in has changed since: it waits for a camera that
is gone. One that is well answers each request sooner."""

AWAY_SECONDS = 1.0
"""A longer pause between two polls means that we were stopped ourselves, and so may the vision process have been."""

LARGEST_BYTES = 250 * 2**20
"""Resident memory of a vision process that leaks: sound ones stay below half of it."""

OLD_SECONDS, UNUSED_SECONDS = 86_400.0, 600.0
"""A process as old as a day is replaced once the tray has lain empty for ten minutes: whatever it leaks is gone before
it matters, and nobody misses it for a second."""

CHECK_SECONDS = 0.5
"""Between looks at what is plugged in, and at the process's memory."""

ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # each thread would keep memory of its own
    "MALLOC_ARENA_MAX": "1",
    # Bytes: what one reading needs is kept for the next one, which otherwise spends a tenth of its time on getting it
    # back from the system.
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
    "MALLOC_TRIM_THRESHOLD_": str(32 * 2**20),
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "1",  # seconds, not ten, for a camera that stopped
}
"""Of the vision process."""
_START = "import sys; sys.path[:0] = [{root!r}]; from device.vision_process import main; main()"


class Watcher:
    """Owns the vision process of one camera. Nothing here ever waits for it.

    `calibrations` is the folder where what is known of cameras is kept. `clock` is in seconds and must only go forward.
    """

    def __init__(
        self,
        camera: str,
        *,
        paced: bool = True,
        calibrations: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera = camera
        self._paced = paced
        self._calibrations = calibrations
        self._clock = clock
        self._memory = new_memory()
        self._shared = Shared(self._memory)
        self._told: list[Order] = []
        self._failures = 0
        self._retry_at: float | None = None
        self._trace: object = None
        self._said: Word | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._dying: list[subprocess.Popen[bytes]] = []
        self._pipe: Connection | None = None
        self._beats = 0
        self._steps = ""
        self._beat_at = self._step_at = self._polled_at = self._checked_at = clock()
        self._looking_since: float | None = None
        self._started_at = self._said_at = clock()
        self._start()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def pipe(self) -> Connection | None:
        """What to wait on for the next word; None while the process is down."""
        return self._pipe

    def expect(self, dice: int | None) -> None:
        """So many dice belong to the game: the strongest help the reader can have. None: nobody knows."""
        self._tell(Expect(dice))

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """A recording waiting at the end of a clip plays the next one, or `clip` (0-based), or with `at_rest` shows
        how that one ends."""
        self._tell(GoOn(clip, at_rest))

    def live(self, on: bool) -> None:
        """Whether somebody watches the picture as it comes, though nothing moves."""
        self._tell(Live(on))

    def calibrate(self, on: bool = True, *, insist: bool = False) -> None:
        """Calibrate the camera anew, or stop that; `Calibrates` words tell how it goes. With `insist` the tray counts
        as empty, whatever it looks like."""
        self._tell(Calibrate(on, insist))

    def poll(self) -> list[Word]:
        """What the vision process said since the last call; replaces it when its time has come."""
        now = self._clock()
        if now - self._polled_at > AWAY_SECONDS:
            self._beat_at = self._step_at = now
        self._polled_at = now
        self._dying = [process for process in self._dying if process.poll() is None]
        if self._pipe is None:
            self._perhaps_start(now)
            return []
        words, ended = self._heard()
        if ended:
            if not isinstance(self._said, Ended | Lost):
                words.append(Lost("vision-restarting", "the vision process stopped", forgot=True))
            self._bury(again=not isinstance(self._said, Ended))
        elif (complaint := self._complaint(now)) is not None:
            words.append(Lost("vision-restarting", complaint, forgot=True))
            self._bury(again=True)
        return words

    def picture(self) -> Picture | None:
        """The newest preview; None when there is none newer than the last one handed out."""
        return self._shared.picture()

    def crops(self, report: Report) -> tuple[Picture, ...]:
        """The dice of the report's reading by themselves, in its order; none when newer ones were cut since."""
        return self._shared.crops.read(report.crops)

    def close(self) -> None:
        self._bury(again=False)
        for process in self._dying:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)  # a process stuck in its camera's driver cannot be waited for
        self._shared.close()
        os.close(self._memory)

    def _heard(self) -> tuple[list[Word], bool]:
        """What came through the pipe, and whether it is at its end."""
        words: list[Word] = []
        assert self._pipe is not None
        try:
            while self._pipe.poll():
                words.append(self._pipe.recv())
                self._said, self._said_at = words[-1], self._clock()
        except (EOFError, OSError):
            return words, True
        return words, False

    def _complaint(self, now: float) -> str | None:
        """Why the running process must be replaced, if it must."""
        looking = self._shared.stage == "looking"
        if self._shared.beats != self._beats:
            self._beats, self._beat_at = self._shared.beats, now
            if looking and self._looking_since is None:
                self._looking_since = now
            if self._looking_since is not None and now - self._looking_since > PROVEN_SECONDS:
                self._failures = 0
        late = now - self._beat_at
        if late > (BUSY_HUNG_SECONDS if looking else OPENING_SECONDS):
            return f"the vision process gave no sign of life for {late:.0f} s"
        if now - self._checked_at < CHECK_SECONDS:
            return None
        self._checked_at = now
        if (late > HUNG_SECONDS and self._waits()) if looking else self._stuck(now):
            return f"the camera keeps the vision process waiting for {min(late, now - self._step_at):.0f} s"
        if now - self._started_at > OLD_SECONDS and self._unused(now):
            return "the vision process is a day old"
        size = self._resident()
        if size > LARGEST_BYTES:
            return f"the vision process has grown to {size // 2**20} MB"
        return None

    def _unused(self, now: float) -> bool:
        empty = isinstance(self._said, Report) and self._said.seen.state is TrayState.EMPTY
        return empty and now - self._said_at > UNUSED_SECONDS

    def _stuck(self, now: float) -> bool:
        """Whether the process, which opens a camera, waits for one that does not answer. Each wait that ends is a step;
        the camera may be back since the last one."""
        steps = self._about("status").partition("\nvoluntary_ctxt_switches:")[2]
        if steps != self._steps or not self._waits():
            self._steps, self._step_at, self._trace = steps, now, trace(self._camera)
            return False
        still = now - self._step_at
        return still > BUSY_HUNG_SECONDS or (still > STUCK_SECONDS and trace(self._camera) != self._trace)

    def _waits(self) -> bool:
        """Whether the process waits for something, rather than for its turn on a busy machine."""
        return self._about("stat").rpartition(")")[2].split()[:1] != ["R"]

    def _resident(self) -> int:
        """Bytes of memory that the process has in use."""
        pages = self._about("statm").split()[1:2]
        return int(pages[0]) * os.sysconf("SC_PAGE_SIZE") if pages else 0

    def _about(self, what: str) -> str:
        try:
            return Path(f"/proc/{self.pid}/{what}").read_text()
        except OSError:
            return ""

    def _perhaps_start(self, now: float) -> None:
        if self._retry_at is None:
            return
        due = now >= self._retry_at
        if not due and now - self._checked_at >= CHECK_SECONDS:
            self._checked_at = now
            due = trace(self._camera) != self._trace
        if due:
            self._start()

    def _start(self) -> None:
        self._retry_at = None
        self._said = None
        self._camera = stable(self._camera)
        self._trace = trace(self._camera)
        self._pipe, theirs = Pipe()
        self._shared.stage = "starting"
        self._started_at = self._clock()
        self._beats, self._beat_at, self._looking_since = self._shared.beats, self._started_at, None
        self._steps, self._step_at = "", self._started_at
        root = str(Path(__file__).resolve().parents[1])
        pace = "paced" if self._paced else "unpaced"
        numbers = (str(theirs.fileno()), str(self._memory), str(os.getpid()))
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-X",
                "faulthandler",
                "-c",
                _START.format(root=root),
                *numbers,
                self._camera,
                pace,
                str(self._calibrations or ""),
            ],
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), self._memory),
            env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"} | ENVIRONMENT,
        )
        theirs.close()
        for order in self._told:
            self._send(order)

    def _tell(self, order: Order) -> None:
        # A process that is replaced is told again what still holds: how many dice, and which clip was wanted last.
        if isinstance(order, Expect | Live) or (isinstance(order, GoOn) and order.clip is not None):
            self._told = [old for old in self._told if type(old) is not type(order)] + [order]
        self._send(order)

    def _send(self, order: Order) -> None:
        if self._pipe is not None:
            with contextlib.suppress(OSError):  # it just died: poll() will notice
                self._pipe.send(order)

    def _bury(self, *, again: bool) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.kill()
            self._dying.append(self._process)  # not waited for: one stuck in a driver may take its time
            self._process = None
        if again:
            delay = RESTART_SECONDS[min(self._failures, len(RESTART_SECONDS) - 1)]
            if not noticed(self._camera):
                delay = min(delay, UNNOTICED_SECONDS)
            self._failures += 1
            self._retry_at = self._clock() + delay
            log.warning("the vision process is started again in %g s", delay)
