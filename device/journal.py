"""The journal: every fact of every game, append-only, on the disk before it is shown as done.

One SQLite file (`journal.sqlite`, WAL, synchronous=FULL) with one row per event. Each row carries the SHA-256 of
its own content and of the row before it, so a changed byte is found when the journal is opened. What cannot be
trusted is never scored: the longest sound prefix becomes the new journal, the damaged file is set aside.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

VERSION = 1
"""`PRAGMA user_version` of the file; a file of a newer version is refused, never rewritten. Each version begins its
chain of hashes differently."""

RETRY_SECONDS = 2.0
"""How long the writer waits before it tries a failed disk again."""

BUSY_SECONDS = 1.0
"""How long a write waits for another program that holds the file (somebody copying it) before it counts as failed."""

_FIRST_HASH = hashlib.sha256(b"tallytray journal %d" % VERSION).digest()
_SCHEMA = """
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""

_UNREADABLE = (sqlite3.Error, ValueError, TypeError)
"""What a damaged file makes SQLite and Python say (ValueError: bytes that are no UTF-8 or no JSON)."""

FIRST_YEAR = 2026
"""A date before this program was made comes from a Pi that did not know the time: no date is shown."""

Body = Mapping[str, Any]
"""An event as JSON: what `rules.event_to_json` gives."""


class JournalError(Exception):
    """The journal cannot be used. Its text is one line that says which file and why."""


@dataclass(frozen=True)
class Row:
    """One recorded event. `at` is the wall clock in UTC, for people only: order is by `number`."""

    number: int
    at: str
    body: dict[str, Any]

    @property
    def day(self) -> date | None:
        """The day it happened, where the table stands; None from a clock that did not know."""
        try:
            day = datetime.fromisoformat(self.at).astimezone().date()
        except (ValueError, OverflowError):
            return None
        return day if day.year >= FIRST_YEAR else None


@dataclass(frozen=True)
class Recovery:
    """What was found when a damaged journal was opened: `kept` events are sound, the file is now `aside`."""

    kept: int
    aside: Path


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """Opens (or makes) the journal in `folder` and holds it alone until closed.

    `append` never waits for the disk: a writer thread commits in order and retries for ever; `written` is the number
    of the last event on the disk, `fault` the disk's complaint while it cannot be written. Raises JournalError when
    the folder cannot be used or another tallytray holds it.
    """

    def __init__(self, folder: Path, *, now: Callable[[], str] = utc_now) -> None:
        self.path = folder / "journal.sqlite"
        self._now = now
        with contextlib.ExitStack() as undone:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._lock = undone.enter_context((folder / "lock").open("w"))
            except OSError as error:
                raise JournalError(f"{folder}: cannot keep the journal here ({error.strerror})") from error
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise JournalError(f"{folder}: another tallytray is using this state folder") from error
            try:
                self.recovery = _make_sound(self.path)
                connection = _connect(self.path)
                rows = list(_rows(connection))
            except (OSError, sqlite3.Error) as error:
                raise JournalError(f"{self.path}: {error}") from error
            undone.pop_all()
        self.rows: list[Row] = [row for row, _ in rows]
        self._hash = rows[-1][1] if rows else _FIRST_HASH
        self.fault: str | None = None
        self.written = len(self.rows)
        self._waiting: queue.SimpleQueue[Row | None] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._writer = threading.Thread(target=self._write, args=(connection,), name="journal", daemon=True)
        self._writer.start()

    @property
    def last(self) -> int:
        """The number of the last event appended, on the disk or not yet."""
        return len(self.rows)

    def append(self, body: Body) -> int:
        """Hand one event to the writer; returns its number. It is safe on the disk once `written` reaches it."""
        row = Row(len(self.rows) + 1, self._now(), dict(body))
        self.rows.append(row)
        self._waiting.put(row)
        return row.number

    def close(self, patience: float = 10.0) -> None:
        """Write what waits (at most `patience` seconds) and let the folder go."""
        self._waiting.put(None)
        self._writer.join(patience)
        self._stop.set()
        self._writer.join(RETRY_SECONDS)
        self._lock.close()

    def _write(self, connection: sqlite3.Connection | None) -> None:
        while (row := self._waiting.get()) is not None:
            body = _text(row.body)
            digest = _digest(self._hash, row.number, row.at, body)
            while True:
                try:
                    connection = connection or _connect(self.path)
                    connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", (row.number, row.at, body, digest))
                except sqlite3.Error as error:
                    self.fault = str(error)
                    if connection is not None:
                        connection.close()
                        connection = None
                    # A commit may have reached the disk although it was reported as failed.
                    if _holds(self.path, row.number, digest):
                        break
                    if self._stop.wait(RETRY_SECONDS):
                        return
                else:
                    break
            self.fault = None
            self._hash = digest
            self.written = row.number
        if connection is not None:
            connection.close()


def read_rows(path: Path) -> list[Row]:
    """The sound prefix of a journal file that may be in use by another process; nothing is changed."""
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return [row for row, _ in _rows(connection)]
    finally:
        connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    # Autocommit: every INSERT is one transaction, on the disk when execute returns.
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            connection.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version = {VERSION};COMMIT;")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(body: Body) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def _digest(before: bytes, number: int, at: str, body: str) -> bytes:
    return hashlib.sha256(before + json.dumps([number, at, body]).encode()).digest()


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[Row, bytes]]:
    """The rows whose hashes hold, up to the first that does not or cannot be read."""
    before = _FIRST_HASH
    try:
        cursor = connection.execute("SELECT number, at, body, hash FROM event ORDER BY number")
        for expected, (number, at, body, digest) in enumerate(cursor, start=1):
            if number != expected or digest != _digest(before, number, at, body):
                return
            before = digest
            yield Row(number, at, json.loads(body)), digest
    except _UNREADABLE:
        return


def _holds(path: Path, number: int, digest: bytes) -> bool:
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    except sqlite3.Error:
        return False
    try:
        found = connection.execute("SELECT hash FROM event WHERE number = ?", (number,)).fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return found is not None and found[0] == digest


def _make_sound(path: Path) -> Recovery | None:
    """Leave at `path` a journal that opens and whose every row holds; tells what had to be done for that."""
    fresh = path.with_name(path.name + ".new")
    if fresh.exists() and not path.exists():
        fresh.replace(path)  # a power cut between setting the damaged file aside and this very rename
        _sync_folder(path.parent)
    fresh.unlink(missing_ok=True)
    if not path.exists():
        return None
    sound = list(_sound_rows(path))
    if _is_whole(path, len(sound)):
        return None
    _write_fresh(fresh, sound)
    aside = next(
        candidate
        for number in range(1, 10_000)
        if not (candidate := path.with_name(f"journal.damaged-{number}.sqlite")).exists()
    )
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))
    fresh.replace(path)
    _sync_folder(path.parent)
    return Recovery(kept=len(sound), aside=aside)


def _sound_rows(path: Path) -> Iterator[tuple[Row, bytes]]:
    try:
        connection = sqlite3.connect(path)
    except sqlite3.Error:
        return
    try:
        yield from _rows(connection)
    finally:
        connection.close()


def _is_whole(path: Path, sound: int) -> bool:
    """Whether the file can go on being the journal as it is. Raises JournalError for one of a newer version."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            # Never finished being made: empty is whole, anything else is not ours.
            return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0)
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            return False
        count = connection.execute("SELECT count(*) FROM event").fetchone()[0]
        # A wrong byte can make the file read-only for SQLite: it must take a write.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except _UNREADABLE:
        return False
    finally:
        connection.close()
    if version > VERSION and count and not sound:
        # Rows that do not hold by our chain under a version we do not know are somebody's newer journal; rows that
        # do hold are ours, and the version is a wrong byte.
        raise JournalError(
            f"{path}: written by a newer tallytray (journal version {version}; this one knows {VERSION})"
        )
    return version == VERSION and bool(count == sound)


def _write_fresh(path: Path, rows: Iterable[tuple[Row, bytes]]) -> None:
    connection = _connect(path)
    try:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?)",
            ((row.number, row.at, _text(row.body), digest) for row, digest in rows),
        )
        connection.execute("COMMIT")
    finally:
        connection.close()  # the last connection folds the WAL into the file


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
