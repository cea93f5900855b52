"""Loading photographs: whatever the file is, a picture or one clear line."""

import base64
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.photo import LARGEST_PIXELS, PhotoError, load_photo, open_photo


def picture(width: int = 64, height: int = 40) -> np.ndarray:
    """Red at the left, blue at the right."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 2] = (0, 0, 255)
    image[:, width // 2 :] = (255, 0, 0)
    return image


def jpeg(image: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 95))[1])


def turned(data: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF orientation."""
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
    tiff += orientation.to_bytes(2, "big") + b"\x00\x00\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff
    return data[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + data[2:]


def test_a_colour_jpeg_keeps_its_pixels(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(jpeg(picture()))
    image = load_photo(path)
    assert image.shape == (40, 64, 3)
    assert image.dtype == np.uint8
    assert np.allclose(image[20, 5], (0, 0, 255), atol=6)


def test_exif_rotation_is_applied(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(turned(jpeg(picture()), 6))
    image = load_photo(path)
    assert image.shape == (64, 40, 3)
    assert np.allclose(image[5, 20], (0, 0, 255), atol=8)


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_any_png_becomes_three_channels_of_eight_bits(tmp_path: Path, channels: int, kind: type) -> None:
    top = np.iinfo(kind).max
    shape = (30, 50) if channels == 1 else (30, 50, channels)
    path = tmp_path / "a.png"
    assert cv2.imwrite(str(path), np.full(shape, top, kind))
    image = load_photo(path)
    assert image.shape == (30, 50, 3)
    assert image.dtype == np.uint8
    assert image.min() == 255


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.zeros((1, 1, 3), np.uint8))
    assert load_photo(path).shape == (1, 1, 3)


def damaged(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"not a picture at all, only words", "not a picture"),
        (jpeg(picture())[: len(jpeg(picture())) // 2], "cut short"),
        (jpeg(picture())[:-2], "cut short"),
        (jpeg(picture())[:20], "cut short"),
        (b"\xff\xd8\xff", "cut short"),
        (bytes(cv2.imencode(".png", picture())[1])[:-20], "cut short"),
        (bytes(cv2.imencode(".bmp", picture())[1])[:200], "cut short"),
        (b"\x89PNG\r\n\x1a\n" + bytes(30), "cut short"),
    ],
)
def test_damage_is_said_in_one_line(tmp_path: Path, data: bytes, words: str) -> None:
    path = damaged(tmp_path, "bad.jpg", data)
    with pytest.raises(PhotoError, match=words) as caught:
        load_photo(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_half_a_jpeg_with_a_whole_thumbnail_is_still_half(tmp_path: Path) -> None:
    data = jpeg(picture(400, 300))
    thumbnail = jpeg(picture(16, 16))
    segment = b"\xff\xe2" + (len(thumbnail) + 2).to_bytes(2, "big") + thumbnail
    half = (data[:2] + segment + data[2:])[: len(data) // 2 + len(segment)]
    with pytest.raises(PhotoError, match="cut short"):
        load_photo(damaged(tmp_path, "half.jpg", half))


def test_missing_and_directory(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="does not exist"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="is a directory"):
        load_photo(tmp_path)


def test_a_picture_of_too_many_pixels_is_refused_before_decoding(tmp_path: Path) -> None:
    data = bytearray(bytes(cv2.imencode(".png", picture())[1]))
    data[16:24] = (60000).to_bytes(4, "big") * 2
    with pytest.raises(PhotoError, match="60000x60000 pixels"):
        load_photo(damaged(tmp_path, "huge.png", bytes(data)))


def test_large_jpegs_are_decoded_reduced(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    path.write_bytes(jpeg(np.full((3200, 4800, 3), 90, np.uint8)))
    photo = open_photo(path)
    assert photo.reduced == 2
    assert photo.image.shape == (1600, 2400, 3)
    assert photo.image.shape[0] * photo.image.shape[1] <= LARGEST_PIXELS


def test_nothing_leaks_to_the_error_stream(tmp_path: Path) -> None:
    good = jpeg(picture(300, 200))
    # Spoilt in the middle: decodes, and libjpeg would complain about it.
    spoilt = good[: len(good) // 2] + bytes(40) + good[len(good) // 2 + 40 :]
    paths = [
        damaged(tmp_path, "spoilt.jpg", spoilt),
        damaged(tmp_path, "words.jpg", b"words"),
        damaged(tmp_path, "crc.png", bytes(cv2.imencode(".png", picture())[1]).replace(b"IDAT", b"IDAX", 1)),
    ]
    code = (
        "import sys; from pathlib import Path; from vision.photo import load_photo, PhotoError\n"
        "for name in sys.argv[1:]:\n"
        "    try: load_photo(Path(name))\n"
        "    except PhotoError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *map(str, paths)], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout == ""


CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUV"
    "FQwPFxgWFBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB"
    "AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH"
    "SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV"
    "1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD71r7Ar4Ur9U6KKKKKKKKKKKK//9k="
)


def test_cmyk_jpeg(tmp_path: Path) -> None:
    image = load_photo(damaged(tmp_path, "cmyk.jpg", CMYK))
    assert image.shape == (16, 16, 3)
    assert np.allclose(image[8, 8], (40, 200, 220), atol=30)
