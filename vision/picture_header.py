"""What the first bytes of a picture file say, before anything of it is unpacked: its size, and whether all of it is
there."""

import re
import struct
from collections.abc import Iterator

_PNG = b"\x89PNG\r\n\x1a\n"
_PNM = re.compile(rb"P[1-6](?:\s+|#[^\n]*\n)+(\d{1,9})(?:\s+|#[^\n]*\n)+(\d{1,9})\s")


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None when this is no JPEG, PNG, WebP, TIFF, BMP, GIF or PNM file."""
    try:
        if data.startswith(b"\xff\xd8"):
            return _jpeg_size(data)
        if data.startswith(_PNG):
            return _numbers(">II", data, 16)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp_size(data)
        if data[:4] in (b"II*\0", b"MM\0*"):
            return _tiff_size(data)
        if data.startswith(b"BM"):
            wide, high = _numbers("<HH" if data[14] == 12 else "<ii", data, 18)
            return abs(wide), abs(high)
        if data[:6] in (b"GIF87a", b"GIF89a"):
            return _numbers("<HH", data, 6)
        if (found := _PNM.match(data[:1000])) is not None:
            return int(found[1]), int(found[2])
    except (struct.error, IndexError):
        pass
    return None


def unpacks_reduced(data: bytes) -> bool:
    """Whether an eighth of the picture takes an eighth of the memory: of a JPEG whose pixels come once, in order."""
    return data.startswith(b"\xff\xd8") and _frame(data)[0] in (0xC0, 0xC1)


def cut_short(data: bytes) -> bool:
    """Whether the file ends before its picture does: OpenCV would fill in the rest with grey and say nothing."""
    if data.startswith(b"\xff\xd8"):
        scan = next((end for marker, _, end in _segments(data) if marker == 0xDA), None)
        return scan is None or data.find(b"\xff\xd9", scan) < 0  # thumbnails before the scan have ends of their own
    if data.startswith(_PNG):
        return b"IEND" not in data[-64:] and b"IEND" not in data
    if data.startswith(b"BM") and len(data) >= 6:
        return int.from_bytes(data[2:6], "little") > len(data)
    if data.startswith(b"RIFF") and len(data) >= 12:
        return int.from_bytes(data[4:8], "little") + 8 > len(data)
    if data.startswith(b"GIF8"):
        return not data.rstrip(b"\0").endswith(b";")
    return False


def _numbers(form: str, data: bytes, at: int) -> tuple[int, int]:
    one, other = struct.unpack_from(form, data, at)
    return one, other


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


def _frame(data: bytes) -> tuple[int, int]:
    """Kind of a JPEG's frame (its marker) and where it starts; (0, 0) without one."""
    frames = (
        (marker, start)
        for marker, start, _ in _segments(data)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)
    )
    return next(frames, (0, 0))


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    kind, start = _frame(data)
    if not kind:
        return None
    high, wide = _numbers(">HH", data, start + 1)
    return wide, high


def _webp_size(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
        case b"VP8L":
            (packed,) = struct.unpack_from("<I", data, 21)
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            wide, high = _numbers("<HH", data, 26)
            return wide & 0x3FFF, high & 0x3FFF
    return None


def _tiff_size(data: bytes) -> tuple[int, int] | None:
    """Of the first picture in the file, the only one that is read."""
    order = "<" if data.startswith(b"II") else ">"
    (first,) = struct.unpack_from(order + "I", data, 4)
    (count,) = struct.unpack_from(order + "H", data, first)
    sides = {}
    for at in range(first + 2, first + 2 + 12 * count, 12):
        tag, kind = struct.unpack_from(order + "HH", data, at)
        if tag in (256, 257):
            (sides[tag],) = struct.unpack_from(order + ("H" if kind == 3 else "I"), data, at + 8)
    return (sides[256], sides[257]) if len(sides) == 2 else None
