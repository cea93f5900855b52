"""The journal: every fact of every game, append-only, on the disk before it is shown as done.

It stands twice in the state folder: in an SQLite file (`journal.sqlite`, WAL, synchronous=FULL) with one row per event
and in a carbon copy, a text file that witnesses how far the journal went. An event counts as written when both are on
the disk. What cannot be trusted is never scored: see `device/recovery.py`.
"""

import contextlib
import fcntl
import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from device import journal_file, recovery, volumes
from device.chain import FIRST, Body, Link, Row, follow, text
from device.odd_files import put_aside
from device.recovery import JOURNAL, NOTICE, Disk, Found, Recovery
from device.shelf import Shelf, taken_up
from device.volumes import Rows

__all__ = ["Body", "Journal", "JournalError", "Recovery", "Row", "read_rows"]

log = logging.getLogger("tallytray")

RETRY_SECONDS = 2.0
"""How long the writer waits before it tries a failed disk again."""


_ABOUT_NO_GAME = '{"type":"name-forgotten"'


class JournalError(Exception):
    """The journal cannot be used. Its text is one line that says which file and why."""


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Opens (or makes) the journal in `folder` and holds it alone until closed.

    `append` never waits for the disk: a writer thread commits in order and retries for ever; `written` is the number
    of the last event on the disk, `fault` the disk's complaint while it cannot be written. With a folder that cannot be
    written, missing or full, the game goes on in memory, from what could be read, and is written when it can be.
    Raises JournalError when another tallytray holds the folder.
    """

    def __init__(self, folder: Path, *, now: Callable[[], str] = utc_now) -> None:
        self.path = folder / JOURNAL
        self.fault: str | None = None
        self._folder = folder
        self._now = now
        put_aside(folder)
        self._lock = _hold(folder)
        self._disk: Disk | None = None
        try:
            self._disk, found = recovery.open_sound(folder)
        except (OSError, sqlite3.Error) as error:
            self._complain(error)
            found = _look(folder)
        self.recovery: Recovery | None = recovery.notice(folder) or found.recovery
        self.rows = Rows(folder, found.begin.number, found.rows)
        self.written = len(self.rows)
        self.game_of: Callable[[int], Sequence[Row]] = lambda number: Shelf(self.rows.in_memory()).game_of(number)
        """The rows of the game that a row belongs to."""
        # The rest belongs to the writer: the last row it knows to be written, and the rows that are not written yet.
        self._end = found.end
        self._pending: list[Row] = []
        self._begun = True
        self._put_away = 0
        self._waiting: queue.SimpleQueue[Row | Literal["recovery was read"] | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._writer = threading.Thread(target=self._write, name="journal", daemon=True)
        self._writer.start()

    @property
    def last(self) -> int:
        """The number of the last event appended, on the disk or not yet."""
        return len(self.rows)

    def append(self, body: Body) -> int:
        """Hand one event to the writer; returns its number. It is safe on the disk once `written` reaches it."""
        self.rows.forget(self._put_away)
        row = Row(len(self.rows) + 1, self._now(), text(body))
        self.rows.append(row)
        self._waiting.put(row)
        return row.number

    def recovery_was_read(self) -> None:
        """A person knows of the recovery: the next start need not tell it again."""
        self.recovery = None
        self._waiting.put("recovery was read")

    def close(self, patience: float = 10.0) -> None:
        """Write what waits (at most `patience` seconds) and let the folder go."""
        self._waiting.put(None)
        self._writer.join(patience)
        self._stop.set()
        self._writer.join(RETRY_SECONDS)
        if self.written < self.last:
            log.error("%d events could not be written: %s", self.last - self.written, self.fault)
        self._let_go()

    def _let_go(self) -> None:
        """Holding the folder again may fail: a process of ours that is just being started still has the old lock."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _write(self) -> None:
        ending = False
        while True:
            done = self._try()
            if ending and (done or self._stop.is_set()):
                break
            ending |= not self._take(None if done else RETRY_SECONDS)
        if self._disk is not None:
            self._disk.close()

    def _take(self, patience: float | None) -> bool:
        """Wait for an event, at most so many seconds, and take all there are; False at the end."""
        with contextlib.suppress(queue.Empty):
            word = self._waiting.get(timeout=patience)
            while word is not None:
                if isinstance(word, Row):
                    self._pending.append(word)
                else:
                    with contextlib.suppress(OSError):
                        (self._folder / NOTICE).unlink(missing_ok=True)
                word = self._waiting.get_nowait()
            return False
        return True

    def _try(self) -> bool:
        """Bring what is pending to the disk; False, and a fault, when that fails."""
        try:
            if self._disk is None:
                self._reopen()
            assert self._disk is not None
            if self._pending:
                self._commit(self._disk)
        except (OSError, sqlite3.Error, JournalError) as error:
            self._complain(error)
            if self._disk is not None:
                self._disk.close()
                self._disk = None
            return False
        self.fault = None
        return True

    def _reopen(self) -> None:
        """The disk may be another one now, or hold what it reported as failed; what it lacks becomes pending."""
        self._let_go()
        self._lock = _hold(self._folder)
        self._disk, found = recovery.open_sound(self._folder)
        if found.recovery is not None:
            self.recovery = found.recovery
        after = _after(self._end, found)
        groups = self._groups()
        if after is not None and after == self._follow(groups)[: len(after)]:
            while after:  # what the disk reported as failed is there all the same
                del after[: len(groups.pop(0))]
                self.written = self._pending.pop(0).number
        else:
            # What we wrote is not there: the folder was deleted, or came only now.
            self.rows.on_disk, self._begun = False, False
        self._end = found.end

    def _groups(self) -> list[list[Row]]:
        """What stands on the disk for each pending row: itself, as long as the numbers are the same there. In a folder
        that does not hold what came before, the game of the first row comes first, and a game that is taken up again
        by its number goes there whole."""
        if self.rows.on_disk:
            return [[row] for row in self._pending]
        groups = []
        begun = self._begun
        for row in self._pending:
            game = taken_up(row)
            known = self.game_of(row.number if game is None else game) if game is not None or not begun else ()
            before = [other for other in known if other.number < row.number]
            begun = begun or bool(known) or _starts_game(row)
            if game is None and (begun or row.text.startswith(_ABOUT_NO_GAME)):
                before.append(row)
            groups.append(before)
        return groups

    def _follow(self, groups: list[list[Row]]) -> list[Row]:
        return follow(self._end, ((row.at, row.text) for group in groups for row in group))

    def _commit(self, disk: Disk) -> None:
        if disk.length >= volumes.VOLUME_EVENTS and _starts_game(self._pending[0]):
            self._disk = disk = recovery.put_away(disk)
            self._put_away = self._pending[0].number - 1
        rows = self._follow(self._groups())
        if rows:
            journal_file.add(disk.connection, rows)
            disk.carbon.add(rows)
            disk.must_be_there()
            disk.end = self._end = rows[-1].link
            self._begun = True
        self.written = self._pending[-1].number
        self._pending.clear()

    def _complain(self, error: Exception) -> None:
        if isinstance(error, OSError) and error.strerror:
            self.fault = f"{error.strerror}: {error.filename or self._folder}"
        else:
            self.fault = str(error)


def read_rows(folder: Path) -> list[Row]:
    """Every sound row in a state folder that may be in use by another process; nothing is changed."""
    rows = [row for first, last, path in volumes.volumes(folder) for row in volumes.read(path, first, last - first + 1)]
    return [*rows, *journal_file.read(folder / JOURNAL)]


def _hold(folder: Path) -> int | None:
    """Hold the folder for us alone; None when that cannot be told. Raises JournalError when another holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:
        try:
            lock = os.open(folder / "lock", os.O_RDONLY)
        except OSError:
            return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise JournalError(f"{folder}: another tallytray is using this state folder") from error
    except OSError:
        os.close(lock)  # a file system without locks
        return None
    return lock


def _look(folder: Path) -> Found:
    try:
        return recovery.look(folder)
    except OSError:
        return Found(FIRST, ())


def _starts_game(row: Row) -> bool:
    return row.text.startswith('{"type":"game-started"')


def _after(end: Link, found: Found) -> list[Row] | None:
    """The rows behind `end` in what was found; None when it is not there."""
    if found.begin == end:
        return list(found.rows)
    place = next((place for place, row in enumerate(found.rows, start=1) if row.link == end), None)
    return list(found.rows[place:]) if place is not None else None
