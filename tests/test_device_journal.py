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
from state_folder import BODIES, bodies, filled, memory_folder, opened, wait_written

import rules
from device import carbon, recovery, volumes
from device.chain import Row
from device.journal import Journal, JournalError, read_rows
from device.session import Session
from device.shelf import Shelf, remembered


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
    filled(tmp_path, [{"type": "game-started", "players": ["Åsa Öström", "Jürgen Weiß", "Søren Æbelø", "\ud800"]}])
    assert bodies(tmp_path)[0]["players"] == ["Åsa Öström", "Jürgen Weiß", "Søren Æbelø", "\ud800"]


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
    monkeypatch.setattr("device.journal_file.BUSY_SECONDS", 0.01)
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
    assert [row.body for row in read_rows(tmp_path)] == [BODIES[0]]
    journal.close()


def test_a_process_of_ours_that_still_has_the_lock_keeps_the_disk_away_only_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its fork and its start any process has all our files open. Once that came when a disk was tried again,
    and nothing was written any more."""
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)
    journal = Journal(tmp_path)
    journal.append(BODIES[0])
    wait_written(journal)
    assert journal._lock is not None
    inherited = os.dup(journal._lock)

    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(recovery.Disk, "must_be_there", fails)
        journal.append(BODIES[1])
        deadline = time.monotonic() + 10
        while "another tallytray" not in str(journal.fault):
            assert time.monotonic() < deadline, journal.fault
            time.sleep(0.001)
    time.sleep(0.1)  # some more tries
    os.close(inherited)
    wait_written(journal)
    assert journal.fault is None
    with pytest.raises(JournalError, match="another tallytray"):
        Journal(tmp_path)
    journal.close()
    assert bodies(tmp_path) == BODIES[:2]


def test_another_process_can_read_while_we_write(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(BODIES[0])
    wait_written(journal)
    assert [json.dumps(row.body) for row in read_rows(tmp_path)] == [json.dumps(BODIES[0])]
    journal.close()


def test_each_event_stands_in_the_carbon_copy_too(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for body in BODIES:
        journal.append(body)
        wait_written(journal)
        assert [row.body for row in carbon.read(tmp_path / "journal.carbon").rows][-1] == body
    journal.close()
    assert [row.body for row in carbon.read(tmp_path / "journal.carbon").rows] == BODIES


@pytest.mark.parametrize(
    ("complaint", "fault"),
    [
        (OSError(28, "No space left on device"), "No space left"),
        (OSError(30, "Read-only file system"), "Read-only"),
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (sqlite3.OperationalError("disk I/O error"), "disk I/O error"),
    ],
)
def test_a_disk_that_fails_from_the_start_is_played_on_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, complaint: Exception, fault: str
) -> None:
    filled(tmp_path, GAME)
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)

    def fail(folder: Path) -> None:
        raise complaint

    with monkeypatch.context() as failing:
        failing.setattr(recovery, "_probe", fail)
        journal = Journal(tmp_path)
        assert [row.body for row in journal.rows] == GAME, "the game on the table is read all the same"
        for body in BODIES:
            journal.append(body)
        time.sleep(0.05)
        assert journal.fault is not None
        assert fault in journal.fault
        assert journal.written < journal.last
    wait_written(journal)
    assert journal.fault is None
    journal.close()
    assert opened(tmp_path) == ([*GAME, *BODIES], None)


GAME = [{"type": "game-started", "game": "yatzy", "players": ["Anna"]}, *BODIES[:3]]


def test_a_state_folder_that_comes_late_gets_the_game_behind_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)
    card = tmp_path / "card"
    filled(card, BODIES[:2])
    blocked = tmp_path / "state"
    blocked.write_text("in the place of a folder")
    journal = Journal(blocked)
    assert journal.fault is not None
    assert "\n" not in journal.fault
    for body in GAME:
        journal.append(body)
    assert journal.written == 0
    mounted = tmp_path / "mounted"
    mounted.symlink_to(card)
    mounted.replace(blocked)  # at once: between two steps the journal would make the folder itself
    wait_written(journal)
    journal.append(BODIES[5])
    wait_written(journal)
    assert journal.fault is None
    journal.close()
    assert opened(blocked) == ([*BODIES[:2], *GAME, BODIES[5]], None)


@pytest.mark.parametrize("what", ["folder", "journal.sqlite", "journal.carbon"])
def test_what_is_deleted_while_playing_is_noticed_and_the_game_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)
    state = tmp_path / "state"
    journal = Journal(state)
    for body in GAME:
        journal.append(body)
    wait_written(journal)
    if what == "folder":
        shutil.rmtree(state)
    else:
        (state / what).unlink()
    journal.append(BODIES[4])
    journal.append(BODIES[5])
    wait_written(journal)
    journal.close()
    assert bodies(state)[-6:] == [*GAME, BODIES[4], BODIES[5]]


def test_a_full_volume_is_put_away_before_the_next_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volumes, "VOLUME_EVENTS", 10)
    events = [
        {**GAME[0], "players": [f"Nr {number}"]} if number % 4 == 0 else BODIES[number % 4] for number in range(50)
    ]
    journal = Journal(tmp_path)
    for event in events:
        journal.append(event)
        wait_written(journal)
    assert len(volumes.volumes(tmp_path)) == 4
    assert len(journal.rows.in_memory()) < 20, "old games stay on the disk"
    assert [row.body for row in journal.rows] == events
    assert [row.number for row in reversed(journal.rows)] == list(range(50, 0, -1))
    journal.close()
    assert opened(tmp_path) == (events, None)
    assert [row.body for row in read_rows(tmp_path)] == events
    again = Journal(tmp_path)
    shelf = Shelf(again.rows)
    assert [row.body for row in shelf.rows(shelf.current or 0)] == events[48:]
    assert [[row.body for row in shelf.rows(game)] for game in reversed(shelf.aside)] == [
        events[start : start + 4] for start in range(0, 48, 4)
    ]
    assert remembered(again.rows)[:2] == ("Nr 48", "Nr 44")
    again.close()


def test_a_start_looks_at_no_row_of_old_volumes_but_their_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volumes, "VOLUME_EVENTS", 40)
    game = [{**GAME[0], "rules": {}}, *BODIES, {"type": "game-closed"}]
    with memory_folder() as folder:
        journal = Journal(folder)
        for event in game * 40:
            journal.append(event)
            if event is game[-1]:
                wait_written(journal)
        journal.append(game[0])
        journal.close()
        assert len(volumes.volumes(folder)) >= 6

        def read(path: Path, first: int, count: int) -> list[Row]:
            raise AssertionError(f"{path} is read")

        monkeypatch.setattr(volumes, "read", read)
        session = Session(rules.games(), Journal(folder))
        view = session.view()
        assert view.match is not None
        assert view.match.player == "Anna"
        assert view.remembered == ("Anna",)
        session.journal.close()


def test_in_a_folder_that_lacks_it_a_game_taken_up_again_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which game is taken up is said by its number, and the numbers are others there."""
    monkeypatch.setattr("device.journal.RETRY_SECONDS", 0.01)
    state = tmp_path / "state"
    filled(state, BODIES[:2])
    other = [{**GAME[0], "players": ["Bo"]}, BODIES[4]]
    journal = Journal(state)
    for body in (*GAME, {"type": "game-put-aside"}, *other):
        journal.append(body)
    wait_written(journal)
    shutil.rmtree(state)
    for body in ({"type": "game-put-aside"}, {"type": "game-taken-up", "game": 3}, BODIES[5]):
        journal.append(body)
        wait_written(journal)
    journal.close()
    shelf = Shelf(Journal(state).rows)
    assert shelf.current is not None
    assert [row.body for row in shelf.rows(shelf.current)] == [*GAME, BODIES[5]]


@pytest.mark.parametrize("step", range(1, 9))
def test_a_power_cut_while_a_volume_is_put_away_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Stopped before each of its renames, writes and syncs in turn."""
    monkeypatch.setattr(volumes, "VOLUME_EVENTS", len(GAME))
    left = iter(range(step - 1))

    class PowerCut(BaseException):
        pass

    def cut(function):  # type: ignore[no-untyped-def]
        def instead(*args, **kwargs):  # type: ignore[no-untyped-def]
            if next(left, None) is None:
                raise PowerCut
            return function(*args, **kwargs)

        return instead

    filled(tmp_path, GAME)
    disk, _ = recovery.open_sound(tmp_path)
    with monkeypatch.context() as cutting:
        cutting.setattr(Path, "replace", cut(Path.replace))
        cutting.setattr(Path, "unlink", cut(Path.unlink))
        cutting.setattr("os.fsync", cut(os.fsync))
        try:
            disk = recovery.put_away(disk)
        except PowerCut:
            disk.close()
        else:
            pytest.fail("there are fewer steps than this")
    assert opened(tmp_path) == (GAME, None)


def test_a_volume_that_was_damaged_or_deleted_is_never_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(volumes, "VOLUME_EVENTS", 4)
    games = [{**event, "dice": event.get("dice", [1])} for event in GAME] * 3
    with memory_folder() as folder:
        for event in games:
            filled(folder, [event])
        (_, _, first), (_, _, second) = volumes.volumes(folder)
        raw = first.read_bytes()
        first.write_bytes(raw.replace(b"[1,2,3,4,2]", b"[6,6,6,6,6]"))
        second.unlink()
        found = bodies(folder)
        assert len(found) == len(games)
        assert all(event in (games[place], {"type": "gone"}) for place, event in enumerate(found))
        assert found[:2] == games[:2]
        assert found[8:] == games[8:]
