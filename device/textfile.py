"""Reading a text file the user named, or standard input for `-`; writing one that a power cut cannot halve."""

import os
import sys
from pathlib import Path

from device.commands import BadInput

MOST_BYTES = 64 * 1024 * 1024
"""A year of games in one event file is about a megabyte."""


def read_text(name: str) -> str:
    """The file's text. Raises BadInput with one line when it cannot be read, is too large or is not UTF-8."""
    try:
        raw = sys.stdin.buffer.read(MOST_BYTES + 1) if name == "-" else _read(Path(name))
    except OSError as error:
        raise BadInput(f"{name}: cannot be read ({error.strerror or error})") from error
    if len(raw) > MOST_BYTES:
        raise BadInput(f"{name}: larger than {MOST_BYTES // 2**20} MiB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BadInput(f"{name}:{line}: not UTF-8 text") from error


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise BadInput(f"{path}: is a folder; a file is needed")
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def write_text(path: Path, text: str) -> None:
    """Puts the text in the file, on the disk when this returns; after a power cut it is the old one or the new one,
    whole. Makes the folder where it is missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    with fresh.open("wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
