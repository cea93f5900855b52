"""The chain of the journal: each row's hash covers the row before it, so that a changed byte is found."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

Body = Mapping[str, Any]
"""An event as JSON: what `rules.event_to_json` gives."""


@dataclass(frozen=True, slots=True)
class Link:
    """Where a chain begins or ends: after the event `number`, whose hash is `digest`."""

    number: int
    digest: bytes


FIRST_YEAR = 2026
"""A date before this program was made comes from a Pi that did not know the time: no date is shown."""

FIRST = Link(0, hashlib.sha256(b"tallytray journal 1").digest())
"""Before the first event of all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded event. `at` is the wall clock in UTC, for people only: order is by `number`. `text` is the event
    as JSON in one line, `digest` the SHA-256 of all this and of the row before, empty until it is written."""

    number: int
    at: str
    text: str
    digest: bytes = b""

    @property
    def body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text)
        return found

    @property
    def day(self) -> date | None:
        """The day it happened, where the table stands; None from a clock that did not know."""
        try:
            day = datetime.fromisoformat(self.at).astimezone().date()
        except (ValueError, OverflowError):
            return None
        return day if day.year >= FIRST_YEAR else None

    @property
    def link(self) -> Link:
        return Link(self.number, self.digest)


def text(body: Body) -> str:
    """The event in one line that can always be written: half a letter, which JSON can say, stays escaped."""
    words = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    try:
        words.encode()
    except UnicodeEncodeError:
        words = json.dumps(body, separators=(",", ":"))
    return words


def follow(link: Link, events: Iterable[tuple[str, str]]) -> list[Row]:
    """The rows that record `events`, each a time and a text, after `link`."""
    rows = []
    for at, words in events:
        number = link.number + 1
        rows.append(Row(number, at, words, _digest(link.digest, number, at, words)))
        link = rows[-1].link
    return rows


def sound(rows: Iterable[Row], begin: Link) -> Iterator[Row]:
    """The rows that follow `begin` without a break, up to the first that does not hold."""
    before = begin
    for row in rows:
        if not _follows(before, row):
            return
        before = row.link
        yield row


def woven(rows: Iterable[Row], begin: Link) -> list[Row]:
    """The longest chain behind `begin` that can be made of these rows, which may be of several copies, each with holes
    of its own."""
    known: dict[int, list[Row]] = {}
    for row in rows:
        known.setdefault(row.number, []).append(row)
    chain: list[Row] = []
    before = begin
    while following := [row for row in known.get(before.number + 1, ()) if _follows(before, row)]:
        chain.append(following[0])
        before = chain[-1].link
    return chain


def _follows(before: Link, row: Row) -> bool:
    try:
        return row.number == before.number + 1 and row.digest == _digest(before.digest, row.number, row.at, row.text)
    except TypeError:  # a damaged file may hold anything
        return False


def _digest(before: bytes, number: int, at: str, words: str) -> bytes:
    return hashlib.sha256(before + json.dumps([number, at, words]).encode()).digest()
