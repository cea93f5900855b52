"""A camera that is not there, with faults on order: what every fault does is tried without breaking a camera.

`virtual:FILM` plays a film as a live camera would: frames come at their rate, none is ever the same twice, and the
last one of a clip goes on with fresh sensor noise. `virtual:FILE.toml` names the film in FILE and the fault that holds
at the moment; the file may be written anew at any time:

    film = "fixtures/films/yatzy-solo"
    fault = "unplugged"
"""

import ctypes
import logging
import math
import time
import tomllib
from collections import deque
from pathlib import Path
from typing import Literal, get_args

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.cameras import CameraError
from vision.cameras.recording import Recording
from vision.frame import Frame, Image, Packed
from vision.jpeg import Jpeg

log = logging.getLogger("tallytray")

Fault = Literal[
    "none", "unplugged", "frozen", "black", "burnt", "slow", "hang", "segfault", "crash", "leak", "wrong-size"
]

NOISE_LEVELS = 3
"""Most that a pixel is off: the noise of a small sensor in a lit room, 2 levels r.m.s."""

STILLS = 8
"""Different pictures of a tray at rest, shown in turn: no two frames in a row are the same."""

SLOW_SECONDS = 0.8
LEAK_BYTES = 4_000_000
QUALITY = 85


class Orders(msgspec.Struct, forbid_unknown_fields=True):
    """`light` is the brightness of the room, times the film's."""

    film: str
    fault: Fault = "none"
    light: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.light < math.inf:
            raise ValueError(f"light is {self.light:g}: allowed are numbers above 0")


class Virtual:
    """See above. Its exposure holds the mean level of what was seen at the last `lock`. Raises CameraError."""

    live = True
    lives_once = False
    size: tuple[int, int] | None

    def __init__(self, path: Path, *, paced: bool = True) -> None:
        self.name = f"virtual:{path}"
        self._orders_path = path if path.suffix == ".toml" else None
        self._written = self._wrong = self._told = -1
        self._orders = Orders(str(path))
        self._read_orders()
        self._leaked: list[bytearray] = []
        self._break_down()
        self._film = Recording(Path(self._orders.film), paced=paced)
        self.size = self._film.first_size()
        self._paced = paced
        self._exposure = 1.0
        cv2.setRNGSeed(1)
        self._stills: deque[Packed] = deque()
        self._shown: tuple[Image, float] | None = None
        self._last: Image | Packed | None = None
        self.lock()

    def read(self) -> Frame | None:
        self._read_orders()
        self._break_down()
        frame = self._film.read()
        if frame is None:
            return None
        return Frame(frame.number, frame.taken_at if not self._paced else time.monotonic(), self._picture(frame))

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        self._film.go_on(clip, at_rest=at_rest)

    def lock(self) -> None:
        """Expose for the present light."""
        self._exposure = 1.0 / self._orders.light

    def close(self) -> None:
        self._film.close()

    def _picture(self, frame: Frame) -> Image | Packed:
        fault = self._orders.fault
        if fault == "frozen" and self._last is not None:
            return self._last
        self._last = self._seen(frame)
        return self._last

    def _seen(self, frame: Frame) -> Image | Packed:
        fault, image = self._orders.fault, frame.image
        if fault in ("black", "burnt"):
            flat = np.full_like(image, 3 if fault == "black" else 254)
            return np.asarray(cv2.add(flat, self._noise(image), dtype=cv2.CV_8U), np.uint8)
        if fault == "wrong-size":
            return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        # While a clip waits, the film hands out one and the same picture.
        light = self._exposure * self._orders.light
        if self._shown is None or self._shown[0] is not image or self._shown[1] != light:
            self._shown = (image, light)
            self._stills.clear()
            return self._exposed(image)
        if len(self._stills) < STILLS:
            self._stills.append(self._noisy(image))
        else:
            self._stills.rotate(-1)
        return self._stills[-1]

    def _exposed(self, image: Image) -> Image:
        light = self._exposure * self._orders.light
        return image if light == 1.0 else np.asarray(cv2.convertScaleAbs(image, alpha=light), np.uint8)

    def _noise(self, image: Image) -> NDArray[np.int8]:
        # numpy's own chance takes 6 MB of a process whose memory is measured.
        noise = np.empty(image.shape, np.int8)
        cv2.randu(noise, np.full(3, -NOISE_LEVELS), np.full(3, NOISE_LEVELS + 1))
        return noise

    def _noisy(self, image: Image) -> Packed:
        noisy = cv2.add(self._exposed(image), self._noise(image), dtype=cv2.CV_8U)
        packed = cv2.imencode(".jpg", noisy, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))[1]
        return Jpeg(packed.tobytes(), self.name)

    def _read_orders(self) -> None:
        """Takes in what the orders say by now. A file being written anew may be half there: the next look gets it, and
        one that is wrong then too is told of."""
        if self._orders_path is None:
            return
        written = 0
        try:
            written = self._orders_path.stat().st_mtime_ns
            if written == self._written:
                return
            orders = msgspec.convert(tomllib.loads(self._orders_path.read_text("utf-8")), Orders)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            allowed = f" (allowed are {', '.join(get_args(Fault))})" if "$.fault" in str(error) else ""
            complaint = f"virtual: {self._orders_path}: {error}{allowed}"
            if self._written < 0:
                raise CameraError(complaint) from error
            if self._wrong == written != self._told:
                self._told = written
                log.warning("%s; what was ordered before holds", complaint)
            self._wrong = written
            return
        self._orders, self._written, self._told = orders, written, -1

    def _break_down(self) -> None:
        """Do as a camera with the ordered fault does, where that is no matter of its picture."""
        match self._orders.fault:
            case "unplugged":
                raise CameraError(f"{self.name}: not plugged in")
            case "crash":
                raise RuntimeError("the driver crashed as ordered")
            case "segfault":
                ctypes.string_at(0)
            case "hang":
                while True:
                    time.sleep(3600)
            case "slow":
                time.sleep(SLOW_SECONDS)
            case "leak":
                self._leaked.append(bytearray(b"x" * LEAK_BYTES))
            case _:
                pass
