"""The carbon copy: every row of the journal once more, as a line of text in a file of its own.

It is the witness of what was confirmed: a line is on the disk before its event counts as written. Where SQLite's file
or its write-ahead log lost something, here it still stands; `tail journal.carbon` shows a person what was last played.

    tallytray carbon 1 NUMBER HASH      where the chain begins
    NUMBER TIME HASH EVENT              one line for each event
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from device.chain import Link, Row, sound

HEADING = "tallytray carbon 1"
HEADING_BYTES = 100
"""The first line is no longer than this."""
BLOCK = 64 * 1024
"""Bytes of zeros the file grows by. Writing over them leaves the file's size alone, which halves what a sync costs."""


@dataclass(frozen=True)
class Found:
    """What a carbon copy holds: the sound rows after `begin`, which end at the byte `end`, out of the `readable` ones,
    and how many were `claimed` to be there. A last line cut short is no damage: it was never confirmed. But it was
    begun, so the journal must have it."""

    begin: Link | None = None
    rows: tuple[Row, ...] = ()
    readable: tuple[Row, ...] = ()
    claimed: int = 0
    end: int = 0
    damaged: bool = False


class Carbon:
    """A carbon copy being written, from the byte `end` on."""

    def __init__(self, path: Path, end: int) -> None:
        self._file = os.open(path, os.O_WRONLY)
        os.ftruncate(self._file, end)  # a line cut short must not come to stand behind a new one
        self._end = self._size = end

    def add(self, rows: Sequence[Row]) -> None:
        """Write these rows; on the disk when this returns. After an OSError open the file anew."""
        raw = b"".join(map(_line, rows))
        if self._end + len(raw) > self._size:
            self._size = self._end + len(raw) + BLOCK
            _write(self._file, bytes(self._size - self._end), self._end)
        _write(self._file, raw, self._end)
        os.fdatasync(self._file)
        self._end += len(raw)

    def close(self) -> None:
        """May be called twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read(path: Path) -> Found:
    """What stands in the copy at `path`. Raises OSError; a missing file is FileNotFoundError."""
    if path.exists() and not path.is_file():
        raise OSError(0, "is no file", str(path))
    raw = path.read_bytes().rstrip(b"\0")
    whole, _, rest = raw.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    begin = _begin(lines[0]) if lines else None
    parsed = [_row(line) for line in lines[1:]]
    readable = tuple(row for row in parsed if row is not None)
    if begin is None:
        return Found(None, (), readable, damaged=bool(lines) or len(raw) > HEADING_BYTES)
    rows = tuple(sound(readable, begin))
    end = sum(len(line) + 1 for line in lines[: 1 + len(rows)])
    damaged = len(rows) < len(parsed)
    claimed = len(readable) + (bool(rest) and not damaged)
    return Found(begin, rows, readable, claimed, end, damaged)


def write(path: Path, begin: Link, rows: Sequence[Row]) -> int:
    """Put a whole new copy in the place of what was there; returns where it ends. Raises OSError."""
    raw = f"{HEADING} {begin.number} {begin.digest.hex()}\n".encode() + b"".join(map(_line, rows))
    replace(path, raw)
    return len(raw)


def replace(path: Path, raw: bytes) -> None:
    """Make `raw` what stands in the file, whatever happens: before a power cut or after it, never half. Raises
    OSError."""
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _line(row: Row) -> bytes:
    return f"{row.number} {row.at} {row.digest.hex()} {row.text}\n".encode()


def _begin(line: bytes) -> Link | None:
    try:
        heading, number, digest = line.decode().rsplit(" ", 2)
        return Link(int(number), bytes.fromhex(digest)) if heading == HEADING else None
    except ValueError:
        return None


def _row(line: bytes) -> Row | None:
    try:
        number, at, digest, text = line.decode().split(" ", 3)
        return Row(int(number), at, text, bytes.fromhex(digest))
    except ValueError:
        return None


def _write(file: int, raw: bytes, at: int) -> None:
    while raw:
        written = os.pwrite(file, raw, at)
        raw, at = raw[written:], at + written
