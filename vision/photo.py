"""Load a photograph from a file, whatever state the file is in."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Image

LARGEST_PIXELS = 12_000_000
"""Pictures of more pixels are decoded at a half, a quarter or an eighth of their size: no die needs more."""

MOST_PIXELS = 600_000_000
"""Pictures of more are refused before any of it is decoded."""

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes. A photograph of 100 megapixels has less than 100 MB."""

_REDUCED = (
    (1, cv2.IMREAD_COLOR),
    (2, cv2.IMREAD_REDUCED_COLOR_2),
    (4, cv2.IMREAD_REDUCED_COLOR_4),
    (8, cv2.IMREAD_REDUCED_COLOR_8),
)


class PhotoError(Exception):
    """The file is no photograph that can be read. Its text is one line: which file, and what is wrong."""


@dataclass(frozen=True, eq=False)
class Photo:
    """`image` (H, W, 3) uint8 blue-green-red; the file's picture is `reduced` times as large."""

    image: Image
    reduced: int


def load_photo(path: Path) -> Image:
    """The picture in `path` as (H, W, 3) uint8 blue-green-red, turned as its EXIF data says.

    Grey, 16-bit, CMYK and transparent pictures are brought to that form; pictures of more than LARGEST_PIXELS come
    reduced by a whole factor. Raises PhotoError when there is no whole picture in the file."""
    return open_photo(path).image


def open_photo(path: Path) -> Photo:
    """As `load_photo`, together with the factor by which the picture was reduced."""
    return decode_photo(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of `path`. Raises PhotoError with the reason in one line."""
    try:
        if path.is_dir():
            raise PhotoError(f"{path} is a directory, not a photograph")
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise PhotoError(f"{path} is larger than {LARGEST_FILE // 2**20} MB")
        data = path.read_bytes()
    except FileNotFoundError:
        raise PhotoError(f"{path} does not exist") from None
    except OSError as error:
        raise PhotoError(f"{path} cannot be read: {error.strerror}") from error
    if not data:
        raise PhotoError(f"{path} is empty")
    return data


def decode_photo(data: bytes, name: str) -> Photo:
    """Decode the bytes of one picture; `name` is what errors call it. See `load_photo`."""
    if _cut_short(data):
        raise PhotoError(f"{name} is cut short: the end of the picture is missing")
    buffer = np.frombuffer(data, np.uint8)
    width, height = _size(data)
    if width * height > MOST_PIXELS:
        raise PhotoError(f"{name} has {width}x{height} pixels, allowed are {MOST_PIXELS // 10**6} million")
    reduced, flag = next((by, how) for by, how in _REDUCED if width * height <= LARGEST_PIXELS * by * by)
    try:
        with _quiet():
            image = cv2.imdecode(buffer, flag)
    except cv2.error:
        image = None
    if image is None:
        raise PhotoError(f"{name} is not a picture that can be read")
    pixels: NDArray[np.uint8] = np.asarray(image, np.uint8)
    if pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
        raise PhotoError(f"{name} is not a picture that can be read")
    return Photo(pixels, reduced)


def jpeg_size(data: bytes, name: str) -> tuple[int, int]:
    """Width and height of the JPEG in `data`, without unpacking it. Raises PhotoError when it is none, or cut short."""
    size = _size(data) if data.startswith(b"\xff\xd8") else (0, 0)
    if min(size) < 1 or _cut_short(data):
        raise PhotoError(f"{name} is not a whole picture")
    return size


def _cut_short(data: bytes) -> bool:
    """Whether the file ends before its picture does: OpenCV would fill in the rest with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        scan = _jpeg_scan(data)
        return scan is None or data.find(b"\xff\xd9", scan) < 0
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return b"IEND" not in data[-64:] and b"IEND" not in data
    if data.startswith(b"BM") and len(data) >= 6:
        return int.from_bytes(data[2:6], "little") > len(data)
    if data.startswith(b"RIFF") and len(data) >= 12:
        return int.from_bytes(data[4:8], "little") + 8 > len(data)
    return False


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, start, end) of the segments of a JPEG file before its first scan, that scan's header included."""
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, at + 4, at + 2 + length
        if marker == 0xDA:
            return
        at += 2 + length


def _jpeg_scan(data: bytes) -> int | None:
    """Where the first scan of a JPEG begins; thumbnails in the segments before it have ends of their own."""
    return next((end for marker, _, end in _segments(data) if marker == 0xDA), None)


def _size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels as the header says, (0, 0) for formats that are decoded whole anyway."""
    if data.startswith(b"\xff\xd8"):
        for marker, start, _ in _segments(data):
            if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
                high, wide = data[start + 1 : start + 3], data[start + 3 : start + 5]
                return int.from_bytes(wide, "big"), int.from_bytes(high, "big")
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    return 0, 0


@contextmanager
def _quiet() -> Iterator[None]:
    """The decoding libraries write their complaints straight to the error stream, past Python; not on our screen."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # started without an error stream
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
