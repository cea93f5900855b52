"""A camera on the Raspberry Pi's camera connector, through picamera2 (from apt; not on PyPI).

One camera object for life: opening it again in the same process leaks the memory it is given by the graphics chip.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from vision.cameras import CameraError
from vision.cameras.light import SETTLE_SECONDS, Steady, brightness, unlit
from vision.frame import Frame
from vision.json_file import sentence

log = logging.getLogger("tallytray")

SIZE = (1536, 864)
"""Pixels asked for: half of what common sensors have each way, so that they read all of their area."""

BUFFERS = 4
"""picamera2's own number for films: fewer drop frames."""

WAIT_SECONDS = 1.0
"""Longest wait for a frame, ten times what the longest exposure takes. A loose ribbon makes a capture wait for ever."""

FRAME_MICROSECONDS = (33_333, 100_000)
"""30 frames a second, down to 10 where the light needs longer exposure; longer ones would smear a rolling die."""

TAKEN_OVER = 0.03
"""Share by which a locked value may differ from what was written: sensors expose whole lines."""

ACTS_AFTER = 8
"""Frames after which every control has acted: the deepest pipelines have six."""

LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")

MANUAL_FOCUS = 0
"""libcamera's `AfModeEnum.Manual`."""


class Csi:
    """Camera `number` of those that picamera2 lists. `clock` is in seconds. Raises CameraError."""

    live = True
    lives_once = True
    size: tuple[int, int] | None

    def __init__(self, number: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = f"csi:{number}"
        self._clock = clock
        self._number = 0
        self.locked = False
        self._camera = self._made(number)
        with ExitStack() as failed:
            failed.callback(self.close)
            self.size = self._start()
            self.lock()
            failed.pop_all()

    def read(self) -> Frame | None:
        with self._told("gives no picture"):
            return self._capture()[0]

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """Nothing waits in a live camera."""

    def lock(self) -> None:
        """Automatic until the picture is lit and steady, then what was measured is written back, which ends the
        automatic. In the dark it stays automatic."""
        with self._told("its light cannot be locked"):
            self._lock()

    def close(self) -> None:
        for step in (self._camera.cancel_all_and_flush, self._camera.stop, self._camera.close):
            try:
                step()
            except Exception as error:  # noqa: BLE001 -- closing a broken camera must not hide why it broke
                log.warning("%s: closing: %s", self.name, error)

    @contextmanager
    def _told(self, what: str, ask: str = "", *, spent: bool = True) -> Iterator[None]:
        """picamera2 stands on libraries that raise anything at all: each is one line that begins with `what`."""
        try:
            yield
        except CameraError:
            raise
        except Exception as error:
            end = f"; {ask}" if ask else ""
            raise CameraError(f"{self.name}: {what} ({sentence(error)}){end}", spent=spent) from error

    def _made(self, number: int) -> Any:
        with self._told("picamera2 cannot be used", spent=False):
            try:
                from picamera2 import Picamera2
            except ImportError as error:
                why = sentence(error)
                raise CameraError(
                    f"{self.name}: picamera2 cannot be imported ({why}); sudo apt install python3-picamera2"
                ) from error
            known = [about["Id"] for about in Picamera2.global_camera_info() if "/usb" not in about["Id"]]
        if number >= len(known):
            raise CameraError(f"{self.name}: {len(known)} cameras on the connector; check both ends of the ribbon")
        with self._told("cannot be opened", "is it in use?"):
            return Picamera2(number)

    def _start(self) -> tuple[int, int]:
        """Ask for format and size; the size that was granted."""
        with self._told("cannot be started", "is it in use?"):
            # RGB888 is blue-green-red in memory. Without a queue no frame from before the request is handed out.
            form = self._camera.create_video_configuration(
                main={"size": SIZE, "format": "RGB888"},
                buffer_count=BUFFERS,
                queue=False,
                controls={"FrameDurationLimits": FRAME_MICROSECONDS},
            )
            self._camera.configure(form)
            self._camera.start()
            wide, high = self._camera.camera_configuration()["main"]["size"]
            return wide, high

    def _lock(self) -> None:
        self._control(AeEnable=True, AwbEnable=True)
        (frame, found), self.locked = self._settled(), False
        if unlit(frame):
            log.warning("%s: too dark or too bright to lock the exposure; it stays automatic", self.name)
            return
        fixed: dict[str, Any] = {name: found[name] for name in LOCKED if name in found}
        if "LensPosition" in found and "AfMode" in self._camera.camera_controls:
            fixed |= {"AfMode": MANUAL_FOCUS, "LensPosition": found["LensPosition"]}
        self._control(**fixed)
        self.locked = self._taken_over(fixed)
        if not self.locked:
            log.warning("%s: exposure did not take the values written: %s", self.name, fixed)

    def _capture(self) -> tuple[Frame, dict[str, Any]]:
        """A frame exposed after this call, and its metadata."""
        try:
            request = self._camera.capture_request(wait=WAIT_SECONDS, flush=True)
        except (TimeoutError, RuntimeError) as error:
            raise CameraError(
                f"{self.name}: no picture for {WAIT_SECONDS:g} s; check both ends of the ribbon", spent=True
            ) from error
        try:
            image, about = np.ascontiguousarray(request.make_array("main"), np.uint8), request.get_metadata()
        finally:
            request.release()
        frame = Frame(self._number, about["SensorTimestamp"] / 1e9, image)
        self._number += 1
        return frame, about

    def _settled(self) -> tuple[Frame, dict[str, Any]]:
        """The lit frame at which exposure, gain and picture are steady, and its metadata; after SETTLE_SECONDS any."""
        steady, until = Steady(), self._clock() + SETTLE_SECONDS
        while True:
            frame, about = self._capture()
            light = about.get("ExposureTime", 0) * about.get("AnalogueGain", 1.0)
            if unlit(frame):
                steady = Steady()
            elif steady.feed(light, brightness(frame), *about.get("ColourGains", ())):
                return frame, about
            if self._clock() >= until:
                return frame, about

    def _taken_over(self, fixed: dict[str, Any]) -> bool:
        """Controls act some frames after they were set: wait until the metadata show them."""
        for _ in range(ACTS_AFTER):
            self._capture()
        until = self._clock() + SETTLE_SECONDS
        while True:
            _, about = self._capture()
            if all(
                abs(about.get(name, 0) - fixed[name]) <= TAKEN_OVER * fixed[name]
                for name in ("ExposureTime", "AnalogueGain")
                if name in fixed
            ):
                return "ExposureTime" in fixed
            if self._clock() >= until:
                return False

    def _control(self, **values: Any) -> None:
        """Set those controls that this sensor has: a monochrome one knows no white balance."""
        known = {name: value for name, value in values.items() if name in self._camera.camera_controls}
        if known:
            self._camera.set_controls(known)
