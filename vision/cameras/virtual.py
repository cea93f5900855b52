"""A camera that is not there, with faults on order: what every fault does is tried without breaking a camera.

`virtual:FILM` plays a film as a live camera would: frames come at their rate, none is ever the same twice, and the
last one of a clip goes on with fresh sensor noise. `virtual:FILE.toml` names the film in FILE and the fault that holds
at the moment; the file may be written anew at any time, and another film begins from its beginning:

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
from vision.json_file import read_file, sentence

log = logging.getLogger("tallytray")

Fault = Literal[
    "none", "unplugged", "frozen", "black", "burnt", "slow", "hang", "segfault", "crash", "leak", "wrong-size"
]

NOISE_LEVELS = 3
"""Most that a pixel is off: the noise of a small sensor in a lit room, 2 levels r.m.s."""

STILLS = 8
"""Different pictures of a tray at rest, shown in turn: no two frames in a row are the same."""

NOT_THERE = (0, 0)
"""The state of orders that are gone."""

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
        self._paced = paced
        self._orders_path = path if path.suffix == ".toml" else None
        self._known = NOT_THERE
        self._wrong: tuple[int, int] | None = None
        self._orders = Orders(str(path))
        if self._orders_path is not None:
            self._known, self._orders = _state(path), _ordered(path)
        self._leaked: list[bytearray] = []
        self._break_down()
        self._film = self._opened(self._orders.film)
        self.size = self._film.first_size()
        self._number = 0
        self._taken_at = self._film_began = 0.0
        self._exposure = 1.0
        cv2.setRNGSeed(1)
        self._stills: deque[Packed] = deque()
        self._shown: tuple[Image, float] | None = None
        self._last: Image | Packed | None = None
        self.lock()

    def read(self) -> Frame | None:
        self._follow_orders()
        self._break_down()
        frame = self._film.read()
        if frame is None:
            return None
        number, self._number = self._number, self._number + 1
        self._taken_at = time.monotonic() if self._paced else self._film_began + frame.taken_at
        return Frame(number, self._taken_at, self._picture(frame))

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

    def _follow_orders(self) -> None:
        """Takes in what the orders say by now. A file being written anew may be half there: the next look gets it, and
        one that is wrong then too is told of, once, and passed over until it is written anew."""
        if self._orders_path is None or (state := _state(self._orders_path)) == self._known:
            return
        try:
            orders = _ordered(self._orders_path)
            if orders.film != self._orders.film:
                self._change_film(orders.film)
        except CameraError as error:
            if self._wrong == state:
                self._known = state
                log.warning("%s; what was ordered before holds", error)
            self._wrong = state
            return
        self._orders, self._known = orders, state

    def _opened(self, film: str) -> Recording:
        return Recording(Path(film), paced=self._paced)

    def _change_film(self, film: str) -> None:
        other = self._opened(film)
        self.size = other.first_size()
        self._film.close()
        self._film, self._film_began = other, self._taken_at

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


def _state(path: Path) -> tuple[int, int]:
    """Changes when the orders are written anew."""
    try:
        about = path.stat()
    except OSError:
        return NOT_THERE
    return about.st_mtime_ns, about.st_size


def _ordered(path: Path) -> Orders:
    """What the orders say. Raises CameraError with one line about what is wrong with them."""
    try:
        return msgspec.convert(tomllib.loads(read_file(path).decode("utf-8")), Orders)
    except OSError as error:
        raise CameraError(f"virtual: {path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        allowed = f" (allowed are {', '.join(get_args(Fault))})" if "$.fault" in str(error) else ""
        raise CameraError(f"virtual: {path}: {sentence(error)}{allowed}") from error
