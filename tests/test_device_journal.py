"""The journal: nothing appended is lost, nothing damaged is scored."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.journal import Journal, JournalError, read_rows

BODIES = [{"type": "thrown", "dice": [1, 2, 3, 4, face]} for face in range(1, 7)]


def wait_written(journal: Journal) -> None:
    deadline = time.monotonic() + 5
    while journal.written < journal.last:
        assert time.monotonic() < deadline, "the writer never wrote"
        time.sleep(0.001)


def filled(folder: Path, bodies: list[dict[str, object]] = BODIES) -> Path:
    journal = Journal(folder)
    for body in bodies:
        journal.append(body)
    journal.close()
    return journal.path


def bodies(folder: Path) -> list[dict[str, object]]:
    journal = Journal(folder)
    try:
        return [row.body for row in journal.rows]
    finally:
        journal.close()


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    filled(tmp_path)
    assert bodies(tmp_path) == BODIES


def test_numbers_go_on_after_opening_again(tmp_path: Path) -> None:
    filled(tmp_path)
    journal = Journal(tmp_path)
    assert journal.append({"type": "undone"}) == len(BODIES) + 1
    journal.close()
    assert bodies(tmp_path)[-1] == {"type": "undone"}


def test_letters_of_every_name_survive(tmp_path: Path) -> None:
    filled(tmp_path, [{"type": "game-started", "players": ["Åsa Öström", "Jürgen Weiß", "Søren Æbelø"]}])
    assert bodies(tmp_path)[0]["players"] == ["Åsa Öström", "Jürgen Weiß", "Søren Æbelø"]


def test_settings_of_the_file_are_those_that_survive_a_power_cut(tmp_path: Path) -> None:
    path = filled(tmp_path)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    connection.close()


@pytest.mark.parametrize("statement", ["UPDATE event SET body = '{}' WHERE number = 1", "DELETE FROM event"])
def test_the_file_itself_refuses_to_change_what_happened(tmp_path: Path, statement: str) -> None:
    connection = sqlite3.connect(filled(tmp_path))
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


def test_a_second_table_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = Journal(tmp_path)
    with pytest.raises(JournalError, match="another tallytray"):
        Journal(tmp_path)
    first.close()
    Journal(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="file") as error:
        Journal(tmp_path / "file" / "state")
    assert "\n" not in str(error.value)


def forge(path: Path, statement: str) -> None:
    """Change the file behind the journal's back."""
    connection = sqlite3.connect(path)
    connection.executescript(f"DROP TRIGGER event_stays; DROP TRIGGER event_remains; {statement}")
    connection.close()


@pytest.mark.parametrize(
    ("statement", "sound"),
    [
        ("UPDATE event SET body = replace(body, '4', '6') WHERE number = 4", 3),
        ("UPDATE event SET at = '2020-01-01' WHERE number = 1", 0),
        ("UPDATE event SET hash = zeroblob(32) WHERE number = 6", 5),
        ("DELETE FROM event WHERE number = 2", 1),
        ("UPDATE event SET number = 60 WHERE number = 6", 5),
    ],
)
def test_a_forged_row_ends_the_sound_prefix(tmp_path: Path, statement: str, sound: int) -> None:
    path = filled(tmp_path)
    forge(path, statement)
    damaged = path.read_bytes()
    journal = Journal(tmp_path)
    assert [row.body for row in journal.rows] == BODIES[:sound]
    assert journal.recovery is not None
    assert journal.recovery.kept == sound
    assert journal.recovery.aside.read_bytes() == damaged, "the damaged file must be kept as it was"
    journal.append({"type": "undone"})
    journal.close()
    again = Journal(tmp_path)
    assert again.recovery is None
    assert [row.body for row in again.rows] == [*BODIES[:sound], {"type": "undone"}]
    again.close()


def test_every_damaged_file_is_kept(tmp_path: Path) -> None:
    for _ in range(3):
        path = filled(tmp_path, BODIES[:1])
        forge(path, "UPDATE event SET at = 'x' WHERE number = 1")
        Journal(tmp_path).close()
    assert len(list(tmp_path.glob("journal.damaged-*.sqlite"))) == 3


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"not a database at all " * 400])
def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(content)
    assert bodies(tmp_path) == []
    filled(tmp_path)
    assert bodies(tmp_path) == BODIES


def test_a_journal_of_a_newer_version_is_refused_and_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("device.journal.VERSION", 99)
        newer.setattr("device.journal._FIRST_HASH", b"another chain")
        path = filled(tmp_path)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer tallytray"):
        Journal(tmp_path)
    assert path.read_bytes() == before


def test_a_power_cut_in_the_middle_of_a_recovery_loses_nothing(tmp_path: Path) -> None:
    path = filled(tmp_path)
    path.rename(tmp_path / "journal.sqlite.new")  # set aside already, the new one not yet in its place
    assert bodies(tmp_path) == BODIES


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_flipped_byte_never_changes_a_fact(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    source = _many(tmp_path_factory)
    folder = tmp_path_factory.mktemp("flip")
    path = folder / "journal.sqlite"
    raw = bytearray(source.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(raw)
    found = bodies(folder)
    assert found == MANY[: len(found)]
    shutil.rmtree(folder)


@settings(max_examples=30, deadline=None)
@given(cut=st.integers(0, 1_000_000))
def test_a_file_cut_short_never_changes_a_fact(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    source = _many(tmp_path_factory)
    folder = tmp_path_factory.mktemp("cut")
    raw = source.read_bytes()
    (folder / "journal.sqlite").write_bytes(raw[: cut % len(raw)])
    found = bodies(folder)
    assert found == MANY[: len(found)]
    shutil.rmtree(folder)


MANY = [{"type": "thrown", "dice": [1 + number % 6] * 5, "note": "x" * 60} for number in range(120)]
_made: list[Path] = []


def _many(factory: pytest.TempPathFactory) -> Path:
    if not _made:
        _made.append(filled(factory.mktemp("many"), MANY))
    return _made[0]


CHILD = """
import sys, time
from pathlib import Path
from device.journal import Journal
journal = Journal(Path(sys.argv[1]))
told = journal.written
while True:
    journal.append({"type": "thrown", "dice": [1 + journal.last % 6] * 5})
    while journal.written < journal.last:
        time.sleep(0)
    print(journal.written, flush=True)
"""


def test_killed_at_any_moment_nothing_said_to_be_written_is_lost(tmp_path: Path) -> None:
    said = 0
    for life in range(6):
        child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(7 + 5 * life):
            said = int(child.stdout.readline())
        os.kill(child.pid, signal.SIGKILL)
        rest = child.stdout.read().split("\n")
        said = max([said, *(int(word) for word in rest if word and rest[-1] != word)])
        child.wait()
        child.stdout.close()
        journal = Journal(tmp_path)
        assert journal.recovery is None
        assert len(journal.rows) >= said
        assert [row.body["dice"][0] for row in journal.rows] == [1 + n % 6 for n in range(len(journal.rows))]
        journal.close()


def test_a_disk_that_fails_is_named_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)
    monkeypatch.setattr("device.journal.BUSY_SECONDS", 0.01)
    journal = Journal(tmp_path)
    locker = sqlite3.connect(journal.path, isolation_level=None)
    locker.execute("BEGIN IMMEDIATE")
    journal.append(BODIES[0])
    deadline = time.monotonic() + 20
    while journal.fault is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert journal.fault is not None
    assert journal.written == 0
    locker.execute("ROLLBACK")
    locker.close()
    wait_written(journal)
    assert journal.fault is None
    assert [row.body for row in read_rows(journal.path)] == [BODIES[0]]
    journal.close()


def test_another_process_can_read_while_we_write(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(BODIES[0])
    wait_written(journal)
    assert [json.dumps(row.body) for row in read_rows(journal.path)] == [json.dumps(BODIES[0])]
    journal.close()
