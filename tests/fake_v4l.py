"""A USB camera and OpenCV's VideoCapture on it, as Video4Linux and OpenCV's `cap_v4l.cpp` behave.

Read from OpenCV's source: a size takes effect once both sides were set; format, size and buffer count restart the
stream; a control the camera lacks reads -1; `grab` hands out the oldest filled buffer; a buffer is queued again by
`retrieve`, or by the next `grab`; without CONVERT_RGB the frame is the compressed bytes, (1, N). The camera keeps its
controls when it is closed.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
YUYV = cv2.VideoWriter.fourcc(*"YUYV")
AUTO, MANUAL = 3, 1


@dataclass
class Webcam:
    """`light` is the room's; exposure is in units of 100 µs. `stale` cameras report the exposure last set by hand even
    while automatic exposure uses another; `stubborn` ones accept a manual exposure and ignore it."""

    light: float = 1.0
    sizes: tuple[tuple[int, int], ...] = ((640, 360), (1280, 720))
    formats: tuple[int, ...] = (YUYV, MJPG)
    stale: bool = False
    stubborn: bool = False
    plugged: bool = True
    controls: dict[int, float] = field(
        default_factory=lambda: {
            cv2.CAP_PROP_AUTO_EXPOSURE: MANUAL,  # as a program before us left it
            cv2.CAP_PROP_EXPOSURE: 157.0,
            cv2.CAP_PROP_AUTO_WB: 0.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 6500.0,
        }
    )
    now: float = 100.0
    period: float = 1 / 30
    broken: frozenset[int] = frozenset()
    """Frames that arrive cut short."""
    first: int = 0
    first_level: float = 2.0
    """So many frames of this level come before the first that the light has made."""
    auto: float = 20.0
    """Where automatic exposure stands."""
    opened: list[tuple[object, int]] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    @property
    def exposure(self) -> float:
        automatic = self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO or self.stubborn
        return self.auto if automatic else self.controls[cv2.CAP_PROP_EXPOSURE]

    def level(self) -> float:
        if self.first > 0:
            return self.first_level
        return float(min(255.0, 10 * (self.light * self.exposure) ** 0.5))

    def expose(self) -> None:
        """One frame's step of automatic exposure, towards a level of 120; none before there is light."""
        if self.first > 0:
            self.first -= 1
            return
        if self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO or self.stubborn:
            self.auto *= (144 / (self.light * self.auto)) ** 0.3


@lru_cache
def picture(level: float, seed: int, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """A noisy grey picture, whole and packed."""
    noise = np.random.default_rng(seed).normal(level, 3.0, size[::-1])
    image = np.repeat(np.clip(noise, 0, 255).astype(np.uint8)[..., None], 3, axis=2)
    return image, cv2.imencode(".jpg", image)[1].reshape(1, -1)


class Capture:
    """cv2.VideoCapture for `webcam`."""

    def __init__(self, webcam: Webcam, device: object, backend: int) -> None:
        webcam.opened.append((device, backend))
        self._webcam = webcam
        self._open = webcam.plugged
        self._size, self._wanted = (640, 360), [0, 0]
        self._format, self._convert, self._buffers = webcam.formats[0], True, 4
        self._queued: list[float] = []
        self._taken: int | None = None
        self.tick = -1
        self._reset()

    def isOpened(self) -> bool:  # noqa: N802 -- the name in OpenCV
        return self._open

    def release(self) -> None:
        self._open = False

    def set(self, setting: int, value: float) -> bool:
        webcam = self._webcam
        if setting in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._wanted[setting == cv2.CAP_PROP_FRAME_HEIGHT] = int(value)
            if all(self._wanted):
                self._size = min(webcam.sizes, key=lambda size: abs(size[0] - self._wanted[0]))
                self._wanted = [0, 0]
                self._reset()
            return True
        if setting == cv2.CAP_PROP_FOURCC:
            if int(value) in webcam.formats:
                self._format = int(value)
            self._reset()
            return self._format == int(value)
        if setting == cv2.CAP_PROP_BUFFERSIZE:
            if not 1 <= value <= 10:
                return False
            self._buffers = int(value)
            self._reset()
            return True
        if setting == cv2.CAP_PROP_FPS:
            return True
        if setting == cv2.CAP_PROP_CONVERT_RGB:
            self._convert = bool(value)
            return True
        if setting not in webcam.controls:
            return False
        if setting == cv2.CAP_PROP_EXPOSURE and webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO:
            return False  # V4L2: inactive while automatic
        webcam.controls[setting] = value
        return True

    def get(self, setting: int) -> float:
        webcam = self._webcam
        known = {
            cv2.CAP_PROP_FRAME_WIDTH: self._size[0],
            cv2.CAP_PROP_FRAME_HEIGHT: self._size[1],
            cv2.CAP_PROP_FOURCC: self._format,
            cv2.CAP_PROP_BUFFERSIZE: self._buffers,
            cv2.CAP_PROP_FPS: 30.0,
            cv2.CAP_PROP_CONVERT_RGB: float(self._convert),
        }
        if setting in known:
            return float(known[setting])
        automatic = webcam.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) == AUTO
        if setting == cv2.CAP_PROP_EXPOSURE and automatic and not webcam.stale:
            return round(webcam.auto)
        return webcam.controls.get(setting, -1.0)

    def grab(self) -> bool:
        webcam = self._webcam
        if not self._open or not webcam.plugged:
            return False
        if self._taken is not None:
            self._queued.append(webcam.now)
        queued = self._queued.pop(0)
        # The first frame whole after the buffer was queued; every earlier one was dropped or went elsewhere.
        self._taken = max(int(queued / webcam.period) + 1, self.tick + 1)
        while webcam.now < self._taken * webcam.period:
            webcam.now += webcam.period
            webcam.expose()
        self.tick = self._taken
        return True

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        if self._taken is None:
            return False, None
        webcam, tick = self._webcam, self._taken
        self._taken = None
        self._queued.append(webcam.now)
        image, data = picture(webcam.level(), tick % 4, self._size)
        if self._convert or self._format != MJPG:
            return True, image
        return True, data[:, : data.size // 2] if tick in webcam.broken else data

    def read(self) -> tuple[bool, np.ndarray | None]:
        return self.retrieve() if self.grab() else (False, None)

    def _reset(self) -> None:
        self._queued = [self._webcam.now] * self._buffers
        self._taken = None
