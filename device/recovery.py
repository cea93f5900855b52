"""Opening the state folder so that what is in it can be trusted, and telling what had to be done for that.

The journal stands twice in it: `journal.sqlite` and its carbon copy. Of the two sound chains the longer goes on; of two
damaged ones the longest that their rows can be woven to. What does not hold is set aside whole in a folder of its own,
never overwritten. Only when those folders together grow too large the oldest go; the newest is never deleted.
"""

import contextlib
import errno
import logging
import re
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import msgspec

from device import carbon, journal_file
from device.carbon import Carbon, sync_folder
from device.chain import FIRST, Link, Row, woven
from device.journal_file import PARTS, Judged
from device.odd_files import put_aside
from device.volumes import last_link, place_for

log = logging.getLogger("tallytray")

JOURNAL = "journal.sqlite"
CARBON = "journal.carbon"
NOTICE = "recovered.json"
"""What was recovered, until a person has read it."""

DAMAGED, NEWER = "damaged", "newer"
"""Folders `damaged-N` hold what was damaged, `newer-N` what a newer program wrote."""

MOST_ASIDE_BYTES = 64 * 2**20
"""Of all `damaged-N` together: some hundred journals. A card that breaks one at each start is not to fill up."""

PROBE_BYTES = 256 * 1024
"""What a state folder must still take before its journal is judged: SQLite's side files and the next rows."""


class Recovery(msgspec.Struct, frozen=True):
    """What was found when a damaged journal was opened: `kept` events are sound, `lost` more are known to have been
    there, `aside` are the folders the damaged files were put in. `newer`: nothing was wrong with them but that a
    newer tallytray wrote them."""

    kept: int
    lost: int
    aside: tuple[str, ...]
    newer: bool = False

    def __str__(self) -> str:
        where = ", ".join(self.aside) or "nothing to set aside"
        if self.newer:
            return f"written by a newer tallytray, kept in {where}"
        return f"{self.kept} events kept, {self.lost} lost; damaged files: {where}"


@dataclass(frozen=True)
class Found:
    """The sound chain of the journal: `rows` after `begin`."""

    begin: Link
    rows: tuple[Row, ...]
    recovery: Recovery | None = None

    @property
    def end(self) -> Link:
        return self.rows[-1].link if self.rows else self.begin


@dataclass
class Disk:
    """A journal open for writing: `length` rows between `begin` and `end`."""

    folder: Path
    connection: sqlite3.Connection
    carbon: Carbon
    begin: Link
    end: Link
    files: tuple[int, ...]

    @property
    def length(self) -> int:
        return self.end.number - self.begin.number

    def must_be_there(self) -> None:
        """A file deleted while it is open takes every write without a word. Raises OSError for one."""
        if _files(self.folder) != self.files:
            raise FileNotFoundError(errno.ENOENT, "The saved game was taken away", str(self.folder))

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self.connection.close()
        self.carbon.close()


def look(folder: Path) -> Found:
    """What the journal in `folder` holds; nothing there is changed or written. Raises OSError."""
    kept = _carbon(folder / CARBON)
    try:
        judged = _judged(folder / JOURNAL, kept, folder)
    except OSError:
        if kept.begin is None:
            raise
        return Found(kept.begin, kept.rows)
    return _compare(judged, kept)


def open_sound(folder: Path) -> tuple[Disk, Found]:
    """Leave in `folder` a journal whose every row holds, twice, and open it. Raises OSError or sqlite3.Error when
    the disk cannot be written now: then nothing was judged, and nothing changed but what is marked as unfinished or is
    no file."""
    folder.mkdir(parents=True, exist_ok=True)
    if (error := put_aside(folder)) is not None:
        raise error
    _probe(folder)
    _finish(folder)
    path, copy = folder / JOURNAL, folder / CARBON
    kept = _carbon(copy)
    judged = _judged(path, kept, folder)
    found = _compare(judged, kept)
    if found.recovery is not None:
        found = _recover(folder, found, judged, kept)
    elif judged.begin is None:
        _make(folder, found)
    now = _carbon(copy)
    end = now.end
    if now.damaged or now.begin != found.begin or now.rows != found.rows:
        end = carbon.write(copy, found.begin, found.rows)
    return _open(folder, found, end), found


def put_away(disk: Disk) -> Disk:
    """Begin a new volume behind the end of this one, which is kept beside it. Raises OSError or sqlite3.Error; at
    every moment the folder opens to the same chain."""
    folder, path = disk.folder, disk.folder / JOURNAL
    disk.close()
    if journal_file.has_log(path):
        return open_sound(folder)[0]  # somebody reads it, and what is in its log would be left behind
    fresh = folder / f"{JOURNAL}.new"
    journal_file.remove(fresh)
    journal_file.write(fresh, disk.end, ())
    found = Found(disk.end, ())
    end = carbon.write(folder / CARBON, found.begin, found.rows)
    # From here on an interruption is ended by `_finish`.
    path.replace(place_for(folder, disk.begin.number + 1, disk.end.number))
    fresh.replace(path)
    sync_folder(folder)
    return _open(folder, found, end)


def _open(folder: Path, found: Found, end: int) -> Disk:
    connection = journal_file.connect(folder / JOURNAL)
    try:
        return Disk(folder, connection, Carbon(folder / CARBON, end), found.begin, found.end, _files(folder))
    except OSError:
        connection.close()
        raise


def _files(folder: Path) -> tuple[int, ...]:
    return tuple((folder / name).stat().st_ino for name in (JOURNAL, CARBON))


def notice(folder: Path) -> Recovery | None:
    """What an earlier start recovered and nobody has read yet."""
    try:
        return msgspec.json.decode((folder / NOTICE).read_bytes(), type=Recovery)
    except (OSError, msgspec.MsgspecError):
        return None


def _probe(folder: Path) -> None:
    probe = folder / "probe"
    try:
        probe.write_bytes(b"\1" * PROBE_BYTES)
    finally:
        with contextlib.suppress(OSError):
            probe.unlink()


def _judged(path: Path, kept: carbon.Found, folder: Path) -> Judged:
    if not path.exists():
        return Judged(whole=True)
    known = (kept.begin, last_link(folder))
    return journal_file.judge(path, [begin for begin in known if begin is not None])


def _carbon(path: Path) -> carbon.Found:
    """The carbon copy; a missing one is empty, one that the disk cannot read is damaged."""
    try:
        return carbon.read(path)
    except FileNotFoundError:
        return carbon.Found()
    except PermissionError:
        raise
    except OSError:
        return carbon.Found(damaged=True)


def _compare(judged: Judged, kept: carbon.Found) -> Found:
    """The chain that reaches furthest, and whether anything must be recovered for it to go on."""
    mine = Found(judged.begin or FIRST, judged.rows)
    if judged.whole and not kept.damaged and kept.begin is None:
        return mine
    copy = Found(kept.begin or FIRST, kept.rows)
    best = copy if copy.end.number > mine.end.number else mine
    if kept.damaged or not judged.whole:
        rows = (*judged.readable, *kept.readable)
        begins = dict.fromkeys((best.begin, mine.begin, copy.begin, FIRST))
        best = max((Found(begin, tuple(woven(rows, begin))) for begin in begins), key=lambda found: found.end.number)
    claimed = max(mine.begin.number + len(judged.readable), copy.begin.number + kept.claimed, best.end.number)
    if judged.whole and best == mine and not kept.damaged and claimed == mine.end.number:
        return best
    return Found(
        best.begin, best.rows, Recovery(best.end.number, claimed - best.end.number, aside=(), newer=judged.newer)
    )


def _recover(folder: Path, found: Found, judged: Judged, kept: carbon.Found) -> Found:
    """Set aside what does not hold, put the sound chain in its place, and remember to say so."""
    assert found.recovery is not None
    path, copy = folder / JOURNAL, folder / CARBON
    replaced = not judged.whole or judged.begin != found.begin or judged.rows != found.rows
    aside = _free(folder, NEWER if judged.newer else DAMAGED)
    moved = (replaced and path.exists()) or kept.damaged
    recovery = _with_earlier(found.recovery, notice(folder), (aside.name,) if moved else ())
    _remember(folder, recovery)
    if moved:
        aside.mkdir()
    if kept.damaged:
        _leave_behind(copy, aside / CARBON)
        carbon.write(copy, found.begin, found.rows)
    if replaced:
        fresh = folder / f"{JOURNAL}.new"
        journal_file.write(fresh, found.begin, found.rows)
        sync_folder(folder)
        # From here on an interrupted recovery is finished by `_finish`.
        for part in PARTS:
            _move(folder / f"{JOURNAL}{part}", aside)
        fresh.replace(path)
    sync_folder(folder)
    _thin_out(folder)
    return Found(found.begin, found.rows, recovery)


def _thin_out(folder: Path) -> None:
    """Delete the oldest damaged files beyond what they may take; what cannot be deleted stays."""
    left = MOST_ASIDE_BYTES
    for older, aside in enumerate(reversed(_numbered(folder, DAMAGED))):
        left -= sum(path.stat().st_size for path in aside.rglob("*") if path.is_file())
        if left < 0 and older:
            log.warning(
                "%s: deleted, the damaged files kept would be more than %d MB", aside, MOST_ASIDE_BYTES // 2**20
            )
            shutil.rmtree(aside, ignore_errors=True)


def _with_earlier(now: Recovery, earlier: Recovery | None, aside: tuple[str, ...]) -> Recovery:
    """What nobody has read yet is told together. The same end of the journal again is a recovery that was
    interrupted and is made anew, not a second loss."""
    if earlier is None:
        return Recovery(now.kept, now.lost, aside, now.newer)
    lost = max(now.lost, earlier.lost) if now.kept == earlier.kept else now.lost + earlier.lost
    return Recovery(now.kept, lost, earlier.aside + aside, now.newer)


def _make(folder: Path, found: Found) -> None:
    """The first journal here, or one in the place of a file that was never finished."""
    fresh = folder / f"{JOURNAL}.new"
    journal_file.write(fresh, found.begin, found.rows)
    journal_file.remove(folder / JOURNAL)
    fresh.replace(folder / JOURNAL)
    sync_folder(folder)


def _finish(folder: Path) -> None:
    """End what a power cut interrupted between moving the old journal away and the new one into its place."""
    path, fresh = folder / JOURNAL, folder / f"{JOURNAL}.new"
    if fresh.exists() and not path.exists():
        # The log of a database whose first file was moved already must not be taken for the new one's.
        _move(folder / f"{JOURNAL}-wal", _last(folder))
        fresh.replace(path)
        sync_folder(folder)
    journal_file.remove(fresh)


def _move(path: Path, aside: Path) -> None:
    if path.exists():
        aside.mkdir(exist_ok=True)
        path.replace(aside / path.name)


def _leave_behind(path: Path, aside: Path) -> None:
    """Keep what is at `path` as `aside` too, until something new takes its place."""
    try:
        aside.hardlink_to(path)
    except OSError:  # a file system without links, or something that is no file
        path.replace(aside)


def _remember(folder: Path, recovery: Recovery) -> None:
    carbon.replace(folder / NOTICE, msgspec.json.encode(recovery))


def _free(folder: Path, kind: str) -> Path:
    """The folder after the last one there is, so that a greater number is always a newer folder."""
    there = _numbered(folder, kind)
    return folder / f"{kind}-{_number(there[-1]) + 1 if there else 1}"


def _numbered(folder: Path, kind: str) -> list[Path]:
    """Everything called so, the oldest first."""
    named = (path for path in folder.glob(f"{kind}-*") if re.fullmatch(r"[1-9][0-9]*", path.name[len(kind) + 1 :]))
    return sorted(named, key=_number)


def _number(path: Path) -> int:
    return int(path.name.rpartition("-")[2])


def _last(folder: Path) -> Path:
    """The folder that an interrupted recovery was moving into."""
    asides = [path for kind in (DAMAGED, NEWER) for path in folder.glob(f"{kind}-*")]
    begun = (path for path in asides if (path / JOURNAL).exists() and not (path / f"{JOURNAL}-wal").exists())
    return max(begun, key=lambda path: path.stat().st_mtime, default=_free(folder, DAMAGED))
