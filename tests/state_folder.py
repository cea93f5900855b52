"""State folders for tests: filled, damaged, and looked into."""

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from device.journal import Journal
from device.recovery import Recovery

Body = dict[str, Any]

BODIES: list[Body] = [{"type": "thrown", "dice": [1, 2, 3, 4, face]} for face in range(1, 7)]


def wait_written(journal: Journal) -> None:
    deadline = time.monotonic() + 20
    while journal.written < journal.last:
        assert time.monotonic() < deadline, "the writer never wrote"
        time.sleep(0.001)


def filled(folder: Path, bodies: Sequence[Body] = BODIES) -> Path:
    journal = Journal(folder)
    for body in bodies:
        journal.append(body)
    journal.close()
    return journal.path


def opened(folder: Path) -> tuple[list[Body], Recovery | None]:
    """What a start finds, and what it says about it."""
    journal = Journal(folder)
    try:
        assert journal.fault is None, journal.fault
        return [row.body for row in journal.rows], journal.recovery
    finally:
        journal.close()


def bodies(folder: Path) -> list[Body]:
    return opened(folder)[0]


@contextmanager
def memory_folder() -> Iterator[Path]:
    """A folder in memory, where there is such: for tests of what is read, not of what a disk does."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="tallytray-test-", dir=memory if memory.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def left_by_a_kill(folder: Path, bodies: Sequence[Body], *, folded: int = 0) -> None:
    """A state folder as a power cut leaves it: SQLite's log still holds what was written last. The first `folded`
    events are in the database already."""
    live = folder.with_name(folder.name + "-live")
    if folded:
        filled(live, bodies[:folded])
    journal = Journal(live)
    for body in bodies[folded:]:
        journal.append(body)
        wait_written(journal)
    shutil.copytree(live, folder, dirs_exist_ok=True)
    journal.close()
    shutil.rmtree(live)
    (folder / "journal.sqlite-shm").unlink(missing_ok=True)
