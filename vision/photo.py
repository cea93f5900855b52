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

from vision.frame import Image
from vision.picture_header import cut_short, picture_size, unpacks_reduced

LARGEST_PIXELS = 12_000_000
"""Pictures of more pixels are decoded at a half, a quarter or an eighth of their size: no die needs more."""

MOST_PIXELS = 250_000_000
"""Pictures of more are refused before any of it is decoded."""

MOST_WHOLE_PIXELS = 64_000_000
"""The same of those that have to be unpacked whole before they can be reduced, all but plain JPEGs: 200 MB."""

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

    Grey, 16-bit, CMYK and transparent pictures are brought to that form, of a moving one it is the first; pictures of
    more than LARGEST_PIXELS come reduced by a whole factor. Raises PhotoError when there is no whole picture in it."""
    return open_photo(path).image


def open_photo(path: Path) -> Photo:
    """As `load_photo`, together with the factor by which the picture was reduced."""
    return decode_photo(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """The bytes of `path`. Raises PhotoError with the reason in one line."""
    try:
        if path.is_dir():
            raise PhotoError(f"{path} is a directory, not a photograph")
        if path.exists() and not path.is_file():  # a pipe would be waited for, a device read for ever
            raise PhotoError(f"{path} is no file")
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
    if cut_short(data):
        raise PhotoError(f"{name} is cut short: the end of the picture is missing")
    buffer = np.frombuffer(data, np.uint8)
    size = picture_size(data)
    if size is None:
        raise PhotoError(f"{name} is not a picture that can be read: JPEG, PNG, WebP, TIFF, BMP, GIF and PNM can")
    width, height = size
    if width * height < 1:
        raise PhotoError(f"{name} is a picture without pixels")
    most = MOST_PIXELS if unpacks_reduced(data) else MOST_WHOLE_PIXELS
    if width * height > most:
        raise PhotoError(f"{name} has {width}x{height} pixels, allowed are {most // 10**6} million")
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
    size = picture_size(data) if data.startswith(b"\xff\xd8") else None
    if size is None or min(size) < 1 or cut_short(data):
        raise PhotoError(f"{name} is not a whole picture")
    return size


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
