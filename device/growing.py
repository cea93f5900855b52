"""Whether the table has taken so much memory that it had better start anew, and whether that harms nobody.

The service manager's own limit is not enforced on a Raspberry Pi, and would end a game in the middle of a throw.
"""

import os
from pathlib import Path

from device.faults import DISK_FAULTS
from display.view import View

MOST_BYTES = 300 * 2**20
"""Resident memory of a table that leaks: sound ones stay below a third of it."""
ALONE_SECONDS = 600.0
"""Nobody has touched anything for so long: nobody misses the table for two seconds."""


def starts_anew(size: int, view: View, alone_seconds: float) -> bool:
    """Whether a table of `size` bytes, which shows `view` and was last touched so many seconds ago, should end, to be
    started again with the same game: never while anything of that stands nowhere but in its memory."""
    if size <= MOST_BYTES or alone_seconds < ALONE_SECONDS:
        return False
    unwritten = view.saving or any(fault.name in DISK_FAULTS for fault in view.faults)
    return not unwritten and not view.seen and view.off != "going"


def own_size() -> int:
    """Bytes of memory that this process has in use; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
