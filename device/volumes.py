"""Volumes: the journal in use stays short, so that a start stays quick after months; what is full is put away.

`journal-FIRST-LAST.sqlite` holds those events, numbered through all volumes. Nothing is written to it any more.
"""

import contextlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

from device.chain import FIRST, Link, Row, sound

PUT_AWAY = re.compile(r"journal-(\d+)-(\d+)(?:-\d+)?\.sqlite")

VOLUME_EVENTS = 4000
"""From this length on the journal is put away before the next game starts: some twenty games of four. Opening one so
long takes a tenth of a second here, and what it keeps in memory stays under two megabytes."""

CHUNK = 500
"""Rows read from an old volume at a time: some milliseconds."""

GONE = '{"type":"gone"}'
"""The text of a row that was once written and cannot be read any more, or was deleted."""


def volumes(folder: Path) -> list[tuple[int, int, Path]]:
    """The volumes put away in `folder`, oldest first: first number, last number, file."""
    with contextlib.suppress(OSError):
        names = ((PUT_AWAY.fullmatch(path.name), path) for path in folder.iterdir())
        return sorted((int(name[1]), int(name[2]), path) for name, path in names if name is not None)
    return []


def place_for(folder: Path, first: int, last: int) -> Path:
    """Where to put away the events from `first` to `last`."""
    place = folder / f"journal-{first}-{last}.sqlite"
    number = 1
    while place.exists():
        number += 1
        place = folder / f"journal-{first}-{last}-{number}.sqlite"
    return place


def last_link(folder: Path) -> Link | None:
    """Where the chain stood when the last volume was put away; None when there is none or it cannot be read."""
    for _, last, path in reversed(volumes(folder)):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_open(path)) as connection:
            found = connection.execute("SELECT hash FROM event WHERE number = ?", (last,)).fetchone()
            return Link(last, found[0]) if found is not None else None
    return None


def read(path: Path, first: int, count: int) -> Iterator[Row]:
    """At most `count` rows of a volume from number `first` on, up to the first that does not hold."""
    with contextlib.suppress(sqlite3.Error, ValueError, TypeError), contextlib.closing(_open(path)) as connection:
        before = connection.execute("SELECT number, hash FROM event WHERE number = ?", (first - 1,)).fetchone()
        if before is None:
            before = connection.execute("SELECT number, hash FROM volume").fetchone()
        if first == 1:
            before = (FIRST.number, FIRST.digest)
        found = connection.execute(
            "SELECT number, at, body, hash FROM event WHERE number >= ? ORDER BY number LIMIT ?", (first, count)
        )
        yield from sound((Row(*values) for values in found), Link(*before))


def _marks(path: Path, starts: Sequence[str]) -> Iterator[Row]:
    where = " OR ".join("body GLOB ?" for _ in starts)
    with contextlib.suppress(sqlite3.Error, ValueError, TypeError), contextlib.closing(_open(path)) as connection:
        found = connection.execute(
            f"SELECT number, at, body, hash FROM event WHERE {where} ORDER BY number", [f"{start}*" for start in starts]
        )
        for values in found:
            row = Row(*values)
            with contextlib.suppress(ValueError):
                if isinstance(row.body, dict):
                    yield row


def marks(rows: Sequence[Row], kinds: Sequence[str]) -> Iterator[Row]:
    """The rows of these kinds of event, oldest first."""
    return rows.marks(kinds) if isinstance(rows, Rows) else (row for row in rows if row.body.get("type") in kinds)


def _open(path: Path) -> sqlite3.Connection:
    # Never written again: no lock and no side file is needed, so this works on a read-only card too.
    return sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)


class Rows(Sequence[Row]):
    """Every event there is, oldest first: `rows[0]` is number 1. Those of volumes put away are read from the disk when
    asked for; what cannot be read has the text `GONE`."""

    def __init__(self, folder: Path, before: int, rows: Sequence[Row]) -> None:
        self._folder = folder
        self._before = before
        self._memory = list(rows)
        self._chunk: dict[int, Row] = {}
        self.on_disk = True
        """False once the numbers here are not those on the disk (see `Journal`): old rows are then gone."""

    def __len__(self) -> int:
        return self._before + len(self._memory)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._memory[index - self._before] if index >= self._before else self._old(index + 1)

    def append(self, row: Row) -> None:
        self._memory.append(row)

    def forget(self, before: int) -> None:
        """Rows up to the number `before` were put away: keep them in memory no longer."""
        del self._memory[: max(0, before - self._before)]
        self._before = max(self._before, before)

    def marks(self, kinds: Sequence[str]) -> Iterator[Row]:
        """The rows of these kinds of event, oldest first. Of old volumes no other row is looked at."""
        starts = tuple(f'{{"type":"{kind}"' for kind in kinds)
        if self._before and self.on_disk:
            for _, _, path in volumes(self._folder):
                yield from _marks(path, starts)
        yield from (row for row in self._memory if row.text.startswith(starts))

    def in_memory(self) -> Sequence[Row]:
        """The newest rows, those of the game on the table among them."""
        return self._memory

    def _old(self, number: int) -> Row:
        if number not in self._chunk and self.on_disk:
            self._chunk = {number: Row(number, "", GONE, b"")}
            for first, last, path in volumes(self._folder):
                if first <= number <= last:
                    start = number - (number - first) % CHUNK
                    self._chunk |= {row.number: row for row in read(path, start, CHUNK)}
        return self._chunk.get(number) or Row(number, "", GONE, b"")
