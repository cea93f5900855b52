"""Loading photographs: whatever the file is, a picture or one clear line."""

import base64
import contextlib
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.photo import LARGEST_PIXELS, PhotoError, decode_photo, load_photo, open_photo
from vision.picture_header import picture_size
from vision.read import read


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
    with pytest.raises(PhotoError, match="60000x60000 pixels"):
        load_photo(damaged(tmp_path, "huge.png", sized_png(60000, 60000)))


ENDINGS = [".jpg", ".png", ".webp", ".tiff", ".bmp", ".gif", ".ppm"]


def encoded(ending: str, image: np.ndarray) -> bytes:
    """The picture as such a file; some OpenCVs write no GIF."""
    if not cv2.haveImageWriter(f"a{ending}"):
        pytest.skip(f"this OpenCV writes no {ending}")
    return bytes(cv2.imencode(ending, image)[1])


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_kind_of_file_tells_its_size_before_it_is_decoded(ending: str) -> None:
    data = encoded(ending, picture())
    assert picture_size(data) == (64, 40)
    assert np.allclose(decode_photo(data, "a").image[20, 5], (0, 0, 255), atol=12)


@pytest.mark.parametrize("ending", ENDINGS)
def test_half_a_file_of_any_kind_is_one_line(ending: str) -> None:
    data = encoded(ending, picture())
    with pytest.raises(PhotoError, match=r"^half "):
        decode_photo(data[: len(data) // 2], "half")


def test_lossy_and_transparent_webps_tell_their_size() -> None:
    lossy = bytes(cv2.imencode(".webp", picture(), (cv2.IMWRITE_WEBP_QUALITY, 60))[1])
    clear = bytes(cv2.imencode(".webp", cv2.cvtColor(picture(), cv2.COLOR_BGR2BGRA))[1])
    assert picture_size(lossy) == picture_size(clear) == (64, 40)


@pytest.mark.parametrize("ending", [".gif", ".png", ".webp"])
def test_of_a_moving_picture_the_first_is_read(ending: str, tmp_path: Path) -> None:
    if not cv2.haveImageWriter(f"a{ending}"):
        pytest.skip(f"this OpenCV writes no {ending}")
    moving = cv2.Animation()
    moving.frames, moving.durations = [picture(), 255 - picture()], [100, 100]
    path = tmp_path / f"moving{ending}"
    assert cv2.imwriteanimation(str(path), moving)
    image = load_photo(path)
    assert image.shape == (40, 64, 3)
    assert np.allclose(image[20, 5], (0, 0, 255), atol=12)


def flat_jpeg(width: int, height: int, *, progressive: bool = False) -> bytes:
    """A grey JPEG of any size, made without ever having its pixels: the same block again and again."""
    head = bytes(cv2.imencode(".jpg", np.full((8, 8), 128, np.uint8))[1])
    frame, scan = head.index(b"\xff\xc0"), head.index(b"\xff\xda")
    size = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    head = head[: frame + 5] + size + head[frame + 9 : scan + 2 + int.from_bytes(head[scan + 2 : scan + 4], "big")]
    if progressive:
        head = head.replace(b"\xff\xc0", b"\xff\xc2")
    blocks = -(-width // 8) * -(-height // 8)
    four_blocks = bytes((0b00101000, 0b10100010, 0b10001010))  # no difference (00), end of block (1010), four times
    return head + four_blocks * (-(-blocks // 4)) + b"\xff\xd9"


def test_a_hundred_megapixels_are_read_in_little_memory(tmp_path: Path) -> None:
    (tmp_path / "large.jpg").write_bytes(flat_jpeg(12000, 9000))
    (tmp_path / "large.png").write_bytes(sized_png(12000, 9000))
    code = (
        "import resource, sys; from pathlib import Path; from vision.photo import PhotoError, open_photo\n"
        "size = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "before, photo = size(), open_photo(Path('large.jpg'))\n"
        "print(photo.reduced, *photo.image.shape, photo.image.min(), photo.image.max())\n"
        "try: open_photo(Path('large.png'))\n"
        "except PhotoError as error: print(error)\n"
        "print(size() - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
    )  # fmt: skip
    read, refused, grown = done.stdout.splitlines()
    assert read == "4 2250 3000 3 128 128"
    assert refused == "large.png has 12000x9000 pixels, allowed are 64 million"
    assert int(grown) < 60, "MB"


def test_a_progressive_jpeg_is_held_whole_and_bounded_like_a_png() -> None:
    with pytest.raises(PhotoError, match="allowed are 64 million"):
        decode_photo(flat_jpeg(12000, 9000, progressive=True), "a")


def sized_png(width: int, height: int) -> bytes:
    """A PNG whose head says so."""
    data = bytes(cv2.imencode(".png", picture())[1])
    return data[:16] + width.to_bytes(4, "big") + height.to_bytes(4, "big") + data[24:]


@pytest.mark.parametrize("data", [sized_png(0, 0), sized_png(0, 7), flat_jpeg(0, 0), flat_jpeg(8, 0)])
def test_a_picture_without_pixels_is_one_line(data: bytes) -> None:
    with pytest.raises(PhotoError, match="without pixels"):
        decode_photo(data, "a")


def test_an_array_without_pixels_shows_no_dice() -> None:
    for shape in ((0, 0, 3), (0, 9, 3), (9, 0, 3)):
        assert read(np.zeros(shape, np.uint8), 5).dice == ()


@pytest.mark.parametrize("kind", range(8))
def test_no_bytes_behind_a_known_beginning_do_any_harm(kind: int) -> None:
    starts = (b"\xff\xd8\xff\xc0", b"\x89PNG\r\n\x1a\n", b"RIFF\x04\0\0\0WEBPVP8X", b"RIFF\x04\0\0\0WEBPVP8 ")
    starts += (b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08", b"BM", b"GIF89a")
    chance = np.random.default_rng(kind)
    for length in range(60):
        data = starts[kind] + chance.bytes(length)
        with contextlib.suppress(PhotoError):
            decode_photo(data, "a")


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
