"""The journal's SQLite file: making, judging, and writing it.

One row per event in the table `event`, which refuses changes; the table `volume` says after which event this file
begins. `PRAGMA user_version` is the version of this layout; each older one is carried forward in one transaction.
"""

import contextlib
import errno
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.chain import FIRST, Link, Row, sound

VERSION = 2

BUSY_SECONDS = 1.0
"""How long a write waits for another program that holds the file (somebody copying it) before it counts as failed."""

PARTS = ("", "-wal", "-shm")
"""SQLite keeps one database in up to three files."""

_EVENTS = """
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'append-only'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""
_VOLUME = "CREATE TABLE volume (number INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;"

_FORWARD = {1: f"{_VOLUME} INSERT INTO volume VALUES ({FIRST.number}, x'{FIRST.digest.hex()}');"}
"""From each older version to the next."""

_UNREADABLE = (sqlite3.Error, ValueError, TypeError)
"""What a damaged file makes SQLite and Python say (ValueError: bytes that are no UTF-8)."""


@dataclass(frozen=True)
class Judged:
    """What a journal file holds: the sound rows after `begin`, out of the `readable` ones. `whole`: it can go on being
    the journal as it is. `newer`: a later tallytray's, whose rows are not ours to judge."""

    begin: Link | None = None
    rows: tuple[Row, ...] = ()
    readable: tuple[Row, ...] = ()
    whole: bool = False
    newer: bool = False


def judge(path: Path, begins: Sequence[Link] = ()) -> Judged:
    """Read the file at `path` without touching it. `begins` are places where its chain may begin should the file's
    own word not hold. Raises OSError where it cannot be read at all."""
    with _private(path) as private:
        connection = sqlite3.connect(private, isolation_level=None)
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # needs no third file
            judged = _judge(connection, begins)
        finally:
            connection.close()
    # Nothing at all beside a log is what is left of a journal, not one that was never made.
    return replace(judged, whole=False) if judged == Judged(whole=True) and has_log(path) else judged


def _judge(connection: sqlite3.Connection, begins: Sequence[Link]) -> Judged:
    readable = _readable_rows(connection)
    own = next(_begins(connection), None)
    known = dict.fromkeys(begin for begin in (own, *begins, FIRST) if begin is not None)
    begin, rows = max(((one, tuple(sound(readable, one))) for one in known), key=lambda found: len(found[1]))
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version == 0 and not tables:
            return Judged(whole=True)  # never finished being made
        if version > VERSION and readable and not rows:
            # Rows that do not hold by our chain under a version we do not know are somebody's newer journal; rows
            # that do hold are ours, and the version is a wrong byte.
            return Judged(newer=True)
        sane = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        # A wrong byte can make the file read-only for SQLite: it must take a write.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except _UNREADABLE:
        return Judged(begin, rows, readable)
    named = version == 1 or own == begin
    whole = sane and named and 1 <= version <= VERSION and len(readable) == len(rows)
    return Judged(begin, rows, readable, whole)


def _begins(connection: sqlite3.Connection) -> Iterator[Link]:
    """Where the file itself says that it begins."""
    with contextlib.suppress(*_UNREADABLE):
        for number, digest in connection.execute("SELECT number, hash FROM volume LIMIT 1"):
            yield Link(number, digest)


def _readable_rows(connection: sqlite3.Connection) -> tuple[Row, ...]:
    """Every row, sound or not, that can be reached from the one end or the other."""
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    found: list[Row] = []
    for order in ("ASC", "DESC"):
        reached: list[Row] = []
        try:
            for values in connection.execute(f"SELECT number, at, body, hash FROM event ORDER BY number {order}"):
                reached.append(Row(*values))  # noqa: PERF401 -- what was read before an error counts
        except _UNREADABLE:
            found += reached if order == "ASC" else reversed(reached)
        else:
            return tuple(reached if order == "ASC" else reversed(reached))
    return tuple(found)


@contextlib.contextmanager
def _private(path: Path) -> Iterator[Path]:
    """A copy of the database to look at: SQLite may change what it opens, and needs a folder it can write in."""
    with tempfile.TemporaryDirectory(prefix="tallytray-") as folder:
        private = Path(folder) / path.name
        for part in PARTS[:2]:  # the third is made again from the second
            source = path.with_name(path.name + part)
            if part and not source.exists():
                continue
            private.with_name(private.name + part).write_bytes(_readable(source))
        yield private


def _readable(path: Path) -> bytes:
    """The file up to where the disk can still read it; nothing of what is no file, as a pipe would be waited for."""
    pieces: list[bytes] = []
    if path.exists() and not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            while piece := file.read(4096):
                pieces.append(piece)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
    return b"".join(pieces)


def connect(path: Path) -> sqlite3.Connection:
    """The journal for writing, carried forward to this version. Autocommit: what is not put between BEGIN and COMMIT
    is on the disk when execute returns. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for old in range(version or VERSION, VERSION):
            # A wrong byte in the version may say that a step has not been made.
            step = "" if old == 1 and _has_volume(connection) else _FORWARD[old]
            connection.executescript(f"BEGIN; {step} PRAGMA user_version = {old + 1}; COMMIT;")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _has_volume(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'volume'").fetchone()[0])


def read(path: Path) -> list[Row]:
    """The sound rows of a file that another process may be writing; nothing is changed."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            begin = next(_begins(connection), FIRST)
            connection.execute("SELECT count(*) FROM event")
            return list(sound(_readable_rows(connection), begin))
    except sqlite3.Error:  # nobody writes it, and its side files are gone
        return list(judge(path).rows) if path.exists() else []


def write(path: Path, begin: Link, rows: Iterable[Row]) -> None:
    """Make a new file at `path`, where nothing must be yet. Raises sqlite3.Error."""
    connection = connect(path)
    try:
        connection.executescript(f"BEGIN; {_EVENTS} {_VOLUME} PRAGMA user_version = {VERSION};")
        connection.execute("INSERT INTO volume VALUES (?, ?)", (begin.number, begin.digest))
        insert(connection, rows)
        connection.execute("COMMIT")
    finally:
        connection.close()  # the last connection folds the write-ahead log into the file


def insert(connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
    connection.executemany(
        "INSERT INTO event VALUES (?, ?, ?, ?)", ((row.number, row.at, row.text, row.digest) for row in rows)
    )


def add(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Write these rows, all or none; on the disk when this returns. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        insert(connection, rows)
    except sqlite3.Error:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def remove(path: Path) -> None:
    for part in PARTS:
        path.with_name(path.name + part).unlink(missing_ok=True)


def has_log(path: Path) -> bool:
    """Whether part of the database still stands in its write-ahead log."""
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0
