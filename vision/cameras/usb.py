"""A USB camera through Video4Linux."""

import time
from pathlib import Path

import cv2
import numpy as np

from vision.cameras import CameraError
from vision.reading import Frame

SIZE = (1280, 720)
"""Pixels asked for: a die of 45 pixels in a tray of 30 cm."""

LOST_AFTER = 10
"""Failed reads in a row before a camera counts as lost: single ones happen on a loaded bus."""


class Usb:
    """`/dev/videoN`. Opened by the first `read`, so that a spawned process opens its own."""

    def __init__(self, number: int) -> None:
        self.name = f"usb:{number}"
        self._device = number
        self._capture: cv2.VideoCapture | None = None
        self._number = 0

    def read(self) -> Frame | None:
        capture = self._capture or self._open()
        for _ in range(LOST_AFTER):
            good, image = capture.read()
            if good and image is not None:
                frame = Frame(self._number, time.monotonic(), np.asarray(image, np.uint8))
                self._number += 1
                return frame
        self.close()
        raise CameraError(f"{self.name}: the camera stopped giving pictures")

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """Nothing waits in a live camera."""

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> cv2.VideoCapture:
        device = Path(f"/dev/video{self._device}")
        if not device.exists():
            raise CameraError(f"{self.name}: there is no {device}")
        capture = cv2.VideoCapture(self._device, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraError(f"{self.name}: {device} cannot be opened; is it in use, or not yours to read?")
        # The format first: many cameras offer the large sizes only as Motion JPEG.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture
        return capture
