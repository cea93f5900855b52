"""Root may look into every folder. Tests of those that may not be looked into put that power down."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PLAIN = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
"""Before a command: it runs as a plain user would, though what is root's stays its own."""

VERSION = 0x20080522
ANY_FILE = 0b110
"""The two powers that open any file and search any folder, CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""


@contextmanager
def shut(path: Path, mode: int = 0) -> Iterator[None]:
    """That file or folder may not be used meanwhile, by nobody in this thread: `mode` is what remains."""
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        with _plain():
            yield
    finally:
        path.chmod(before)


@contextmanager
def _plain() -> Iterator[None]:
    system = ctypes.CDLL(None, use_errno=True)
    whom = (ctypes.c_uint32 * 2)(VERSION, 0)
    powers = (ctypes.c_uint32 * 6)()
    assert system.capget(whom, powers) == 0
    had = powers[0]
    powers[0] &= ~ANY_FILE
    assert system.capset(whom, powers) == 0
    try:
        yield
    finally:
        powers[0] = had
        assert system.capset(whom, powers) == 0
