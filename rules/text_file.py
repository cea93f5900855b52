"""Reading a small text file that somebody wrote by hand, whatever lies in its place."""

from pathlib import Path

MOST_BYTES = 256 * 1024
"""A file of games or settings that is larger is something else."""


def missing(path: Path) -> bool:
    """Whether nothing stands there. Of a place that may not be looked into nobody knows: reading it tells why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def read_text(path: Path, errors: str = "strict") -> str:
    """The text of a UTF-8 file, with or without a byte order mark; `errors` as for `bytes.decode`. Raises
    UnicodeDecodeError, and OSError for what is not there, is too large or is no file: a device or a pipe would be read
    for ever."""
    if path.exists() and not path.is_file():
        raise OSError(0, "is no file")
    with path.open("rb") as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise OSError(0, f"is larger than {MOST_BYTES // 1024} KiB")
    return raw.decode("utf-8-sig", errors)
