"""What stands in the state folder in the place of a file and is none.

A pipe would be waited for and a device read for ever, by whatever opens them; a folder where SQLite wants to write its
log keeps every game from being saved. Nothing here opens one.
"""

import contextlib
import logging
from functools import lru_cache
from pathlib import Path

log = logging.getLogger("tallytray")

UNFINISHED = ("probe", "lock", "journal.sqlite.new", "journal.sqlite-wal", "journal.sqlite-shm", "journal.carbon.new")
"""What is in nobody's way only as a file that is really there."""

ASIDE = ".odd-"


def put_aside(folder: Path) -> OSError | None:
    """Gives each such thing in `folder`, or one below it, a name that nobody opens, and says so in one line. Where one
    cannot be renamed, that is said once; why, of one in `folder` itself, is given back: nobody must open it then."""
    failed: OSError | None = None
    with contextlib.suppress(OSError):
        for path in (*folder.iterdir(), *folder.glob("*/*")):
            if ASIDE in path.name or not is_odd(path):
                continue
            names = (path.with_name(f"{path.name}{ASIDE}{number}") for number in range(1, 10_000))
            aside = next(name for name in names if not name.is_symlink() and not name.exists())
            try:
                path.rename(aside)
            except OSError as error:
                _complain(path, str(error))
                if path.parent == folder:
                    failed = error
            else:
                log.error("%s is no file; it is put aside as %s", path, aside.name)
    return failed


def is_odd(path: Path) -> bool:
    """Whether this is no file, and opening it may take for ever or keep another from being written."""
    if path.name in UNFINISHED:
        return not path.is_file()
    return path.is_fifo() or path.is_char_device() or path.is_block_device()


@lru_cache
def _complain(path: Path, why: str) -> None:
    log.error("%s is no file, and cannot be put aside: %s", path, why)
