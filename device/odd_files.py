"""What stands in the state folder and is neither a file nor a folder.

A pipe would be waited for and a device read for ever, by whatever opens them. Nothing here opens one.
"""

import contextlib
import logging
from pathlib import Path

log = logging.getLogger("tallytray")


def put_aside(folder: Path) -> None:
    """Gives each such thing in `folder`, or one below it, a name that nobody opens, and says so in one line; where it
    cannot be renamed, only the line is said."""
    with contextlib.suppress(OSError):
        for path in (*folder.iterdir(), *folder.glob("*/*")):
            if not path.exists() or path.is_file() or path.is_dir() or ".odd-" in path.name:
                continue
            names = (path.with_name(f"{path.name}.odd-{number}") for number in range(1, 10_000))
            aside = next(name for name in names if not name.is_symlink() and not name.exists())
            try:
                path.rename(aside)
            except OSError as error:
                log.error("%s is no file, and cannot be put aside: %s", path, error)
            else:
                log.error("%s is no file; it is put aside as %s", path, aside.name)
