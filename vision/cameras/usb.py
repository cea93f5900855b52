"""A USB camera through Video4Linux.

Every property is read back after it was set: drivers accept what they then ignore.
"""

import logging
import os
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras import CameraError
from vision.cameras.finding import usb_device, usb_names, which
from vision.cameras.light import SETTLE_SECONDS, Steady, brightness, unlit
from vision.frame import Frame, Image, Packed
from vision.jpeg import Jpeg
from vision.photo import PhotoError

log = logging.getLogger("tallytray")

SIZE = (1280, 720)
"""Pixels asked for: a die of 45 pixels in a tray of 30 cm."""

SMALLEST = 640
"""Pixels of the long side below which dice of a tray of 30 cm cannot be read."""

FPS = 30

STALE_SECONDS = 0.05
"""Since the last read, after which the waiting frame counts as old: more than one frame's time."""

LOST_AFTER = 3
"""Failed reads in a row before a camera counts as lost: single ones happen on a loaded bus."""

WAIT_SECONDS = 1
"""Longest wait for a frame; OpenCV's own would be ten seconds."""

AUTO, MANUAL = 3, 1
"""V4L2's `exposure_auto`: aperture priority and manual; the other two values no webcam has."""

SAME_LIGHT = 0.08
"""Share by which a locked picture's brightness may differ from what automatic exposure had found."""

EXPOSURE_TRIES = 8

os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(WAIT_SECONDS))  # read when the first camera is opened


class Usb:
    """The USB camera called `name`, see `vision.cameras.finding.usb_device`. Opening it takes a few seconds: exposure
    and white balance settle, then they are locked. `clock` is in seconds. Raises CameraError."""

    live = True
    lives_once = False
    size: tuple[int, int] | None

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = f"usb:{name}"
        self._clock = clock
        self._number = 0
        self._read_at = -STALE_SECONDS
        if (question := which(self.name)) is not None:
            raise CameraError(question)
        device = usb_device(name)
        if device is None:
            raise CameraError(f"{self.name}: not plugged in (there are: {', '.join(usb_names()) or 'none'})")
        self._capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraError(f"{self.name}: {device} cannot be opened; is it in use, or not yours to read?")
        try:
            self.size = self._form()
            self.locked = False
            self.lock()
        except CameraError:
            self.close()
            raise

    def read(self) -> Frame | None:
        if self._clock() - self._read_at > STALE_SECONDS:
            self._capture.grab()  # the one buffer was filled just after the last read: too old
        for _ in range(LOST_AFTER):
            if self._capture.grab():
                taken_at = self._clock()
                good, data = self._capture.retrieve()
                picture = self._picture(np.asarray(data, np.uint8)) if good else None
                if picture is not None:
                    frame = Frame(self._number, taken_at, picture)
                    self._number += 1
                    self._read_at = self._clock()
                    return frame
        raise CameraError(f"{self.name}: the camera stopped giving pictures")

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """Nothing waits in a live camera."""

    def lock(self) -> None:
        """Automatic until the picture is lit and steady, then held by hand at what was found. A camera that refuses
        stays automatic, and so does one in the dark."""
        self._set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO)
        self._set(cv2.CAP_PROP_AUTO_WB, 1)
        frame, self.locked = self._settled(lit=True), False
        if unlit(frame):
            log.warning("%s: too dark or too bright to lock the exposure; it stays automatic", self.name)
            return
        self._hold(cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE)
        self._hold(cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        self.locked = self._set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL) and self._expose(exposure, brightness(frame))
        if not self.locked:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTO)
            log.warning("%s: exposure cannot be locked; it stays automatic", self.name)

    def close(self) -> None:
        self._capture.release()

    def _form(self) -> tuple[int, int]:
        """Ask for format and size; the size that was granted."""
        # The format first: many cameras offer the large sizes only as Motion JPEG.
        mjpg = cv2.VideoWriter.fourcc(*"MJPG")
        self._capture.set(cv2.CAP_PROP_FOURCC, mjpg)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_FPS, FPS)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        size = (int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        packed = int(self._capture.get(cv2.CAP_PROP_FOURCC)) == mjpg
        if packed:
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # as it came: a look needs only a small part of it
        log.info(
            "%s: %dx%d %s, %g frames a second, buffer %g",
            self.name,
            *size,
            "MJPG" if packed else "not MJPG",
            self._capture.get(cv2.CAP_PROP_FPS),
            self._capture.get(cv2.CAP_PROP_BUFFERSIZE),
        )
        if max(size) < SMALLEST:
            raise CameraError(
                f"{self.name}: gives {size[0]}x{size[1]} pixels, {SMALLEST} are needed across", "camera-size"
            )
        return size

    def _picture(self, data: NDArray[np.uint8]) -> Image | Packed | None:
        """The picture in what the camera gave; None for one that was broken on the way."""
        if data.ndim == 3 and data.shape[2] == 3:
            return data
        try:
            return Jpeg(data.tobytes(), self.name)
        except PhotoError:
            return None

    def _settled(self, *, lit: bool) -> Frame:
        """The frame at which the brightness is steady, among lit ones only if `lit`; after SETTLE_SECONDS any."""
        steady, until = Steady(), self._clock() + SETTLE_SECONDS
        while True:
            frame = self.read()
            assert frame is not None
            if lit and unlit(frame):
                steady = Steady()
            elif steady.feed(brightness(frame)):
                return frame
            if self._clock() >= until:
                return frame

    def _expose(self, exposure: float, wanted: float) -> bool:
        """Hold the exposure at which the picture is as bright as `wanted`. Many cameras report some other value than
        the one that automatic exposure had found, so it is looked for."""
        if exposure < 1:
            return False
        for _ in range(EXPOSURE_TRIES):
            if not self._set(cv2.CAP_PROP_EXPOSURE, round(exposure)):
                return False
            now = brightness(self._settled(lit=False))
            if abs(now - wanted) <= max(2.0, SAME_LIGHT * wanted):
                return True
            # Levels go about with the square root of the light.
            exposure = max(1.0, exposure * min(4.0, max(0.25, (wanted + 1) / (now + 1))) ** 2)
        return False

    def _hold(self, automatic: int, value: int) -> None:
        """Switch something automatic off and write back what it had found, where the camera has it."""
        found = self._capture.get(value)
        if self._set(automatic, 0) and found > 0:
            self._set(value, found)

    def _set(self, setting: int, value: float) -> bool:
        """Whether the camera took the value: read back, not believed."""
        return bool(self._capture.set(setting, value)) and self._capture.get(setting) == value
