"""A damaged state folder: nothing unsound is believed, what is sound goes on, and it is always said."""

import atexit
import contextlib
import functools
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from state_folder import BODIES, bodies, filled, left_by_a_kill, memory_folder, opened

import rules
from device import carbon, choices, journal_file, recovery, volumes
from device.journal import Journal, JournalError, read_rows
from device.session import Session

ROOT = Path(__file__).parent.parent
MANY = [{"type": "thrown", "dice": [1 + number % 6] * 5, "note": "x" * 60} for number in range(120)]


def forge(path: Path, statement: str) -> None:
    """Change the file behind the journal's back."""
    connection = sqlite3.connect(path)
    connection.executescript(f"DROP TRIGGER event_stays; DROP TRIGGER event_remains; {statement}")
    connection.close()


FORGED = pytest.mark.parametrize(
    ("statement", "sound"),
    [
        ("UPDATE event SET body = replace(body, '4', '6') WHERE number = 4", 3),
        ("UPDATE event SET at = '2020-01-01' WHERE number = 1", 0),
        ("UPDATE event SET hash = zeroblob(32) WHERE number = 6", 5),
        ("DELETE FROM event WHERE number = 2", 1),
        ("UPDATE event SET number = 60 WHERE number = 6", 5),
        ("UPDATE volume SET hash = zeroblob(32)", 6),
        ("PRAGMA user_version = 7", 6),
    ],
)


@FORGED
def test_a_forged_row_is_found_and_the_carbon_copy_goes_on(tmp_path: Path, statement: str, sound: int) -> None:
    path = filled(tmp_path)
    forge(path, statement)
    damaged = path.read_bytes()
    found, said = opened(tmp_path)
    assert found == BODIES
    assert said is not None
    assert (said.kept, said.lost, said.aside) == (6, 0, ("damaged-1",))
    assert (tmp_path / "damaged-1" / "journal.sqlite").read_bytes() == damaged, "it must be kept as it was"


@FORGED
def test_without_a_carbon_copy_a_forged_row_ends_the_sound_prefix(tmp_path: Path, statement: str, sound: int) -> None:
    path = filled(tmp_path)
    forge(path, statement)
    (tmp_path / "journal.carbon").unlink()
    journal = Journal(tmp_path)
    assert [row.body for row in journal.rows] == BODIES[:sound]
    assert journal.recovery is not None
    assert journal.recovery.kept == sound
    assert journal.recovery.lost == (5 if "DELETE" in statement else 6) - sound
    journal.recovery_was_read()
    journal.append({"type": "undone"})
    journal.close()
    assert opened(tmp_path) == ([*BODIES[:sound], {"type": "undone"}], None)


def test_with_both_damaged_each_fills_the_holes_of_the_other(tmp_path: Path) -> None:
    path = filled(tmp_path)
    forge(path, "UPDATE event SET at = 'x' WHERE number = 3")
    copy = tmp_path / "journal.carbon"
    copy.write_bytes(copy.read_bytes().replace(b"[1,2,3,4,5]", b"[6,6,6,6,6]"))
    found, said = opened(tmp_path)
    assert found == BODIES
    assert said is not None
    assert (said.kept, said.lost) == (6, 0)
    assert sorted(file.name for file in (tmp_path / "damaged-1").iterdir()) == ["journal.carbon", "journal.sqlite"]


def test_what_is_damaged_in_both_ends_the_sound_prefix(tmp_path: Path) -> None:
    path = filled(tmp_path)
    forge(path, "UPDATE event SET at = 'x' WHERE number = 5")
    copy = tmp_path / "journal.carbon"
    copy.write_bytes(copy.read_bytes().replace(b"[1,2,3,4,5]", b"[6,6,6,6,6]"))
    found, said = opened(tmp_path)
    assert found == BODIES[:4]
    assert said is not None
    assert (said.kept, said.lost) == (4, 2)


def test_a_damaged_carbon_copy_costs_nothing_and_is_said(tmp_path: Path) -> None:
    filled(tmp_path)
    copy = tmp_path / "journal.carbon"
    damaged = copy.read_bytes().replace(b"thrown", b"frozen", 1)
    copy.write_bytes(damaged)
    found, said = opened(tmp_path)
    assert found == BODIES
    assert said is not None
    assert (said.kept, said.lost) == (6, 0)
    assert (tmp_path / "damaged-1" / "journal.carbon").read_bytes() == damaged


def test_every_damaged_file_is_kept(tmp_path: Path) -> None:
    path = filled(tmp_path)
    for number in range(1, 4):
        forge(path, f"UPDATE event SET at = 'x' WHERE number = {number}")
        _, said = opened(tmp_path)
        assert said is not None
        assert said.aside == tuple(f"damaged-{one}" for one in range(1, number + 1)), "until a person has read it"


def asides(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*-*") if path.is_dir())


def test_damaged_files_do_not_fill_the_disk_the_oldest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(tmp_path)

    def damage() -> bytes:
        forge(path, "UPDATE event SET at = 'x' WHERE number = 3")
        damaged = path.read_bytes()
        assert bodies(tmp_path) == BODIES, "the carbon copy goes on"
        return damaged

    size = len(damage())
    (tmp_path / "newer-1").mkdir()
    (tmp_path / "newer-1" / "journal.sqlite").write_bytes(bytes(9 * size))
    monkeypatch.setattr(recovery, "MOST_ASIDE_BYTES", round(2.5 * size))
    for _ in range(10):
        damaged = damage()
    assert asides(tmp_path) == ["damaged-10", "damaged-11", "newer-1"], "a number that was given is not given again"
    assert (tmp_path / "damaged-11" / "journal.sqlite").read_bytes() == damaged
    monkeypatch.setattr(recovery, "MOST_ASIDE_BYTES", 0)
    damaged = damage()
    assert asides(tmp_path) == ["damaged-12", "newer-1"], "there is no other copy of the newest"
    assert (tmp_path / "damaged-12" / "journal.sqlite").read_bytes() == damaged


def test_a_recovery_is_told_at_every_start_until_a_person_has_read_it(tmp_path: Path) -> None:
    forge(filled(tmp_path), "UPDATE event SET at = 'x' WHERE number = 3")
    (tmp_path / "journal.carbon").unlink()
    _, first = opened(tmp_path)
    assert first is not None
    assert opened(tmp_path) == (BODIES[:2], first)
    journal = Journal(tmp_path)
    journal.recovery_was_read()
    journal.close()
    assert opened(tmp_path) == (BODIES[:2], None)


def test_a_cut_log_is_noticed_and_restored(tmp_path: Path) -> None:
    """SQLite opens a log whose end is missing as if the last commits had never been."""
    source = tmp_path / "source"
    left_by_a_kill(source, BODIES)
    log = (source / "journal.sqlite-wal").read_bytes()
    for cut in (1, 5000, len(log) - 40):
        folder = tmp_path / f"cut-{cut}"
        shutil.copytree(source, folder)
        (folder / "journal.sqlite-wal").write_bytes(log[:-cut])
        found, said = opened(folder)
        assert found == BODIES
        assert said is not None
        assert (said.kept, said.lost) == (6, 0)


def test_a_kill_between_the_journal_and_its_carbon_copy_is_no_alarm(tmp_path: Path) -> None:
    filled(tmp_path)
    copy = tmp_path / "journal.carbon"
    lines = copy.read_bytes().rstrip(b"\0").splitlines(keepends=True)
    for rest in (b"".join(lines[:-1]), b"".join(lines[:-1]) + lines[-1][:40], b"", lines[0][:9]):
        copy.write_bytes(rest)
        assert opened(tmp_path) == (BODIES, None)
    copy.unlink()
    assert opened(tmp_path) == (BODIES, None)
    assert [row.body for row in carbon.read(copy).rows] == BODIES


def test_a_line_that_was_begun_witnesses_an_event_that_both_have_lost(tmp_path: Path) -> None:
    """The journal has every event before its line is begun."""
    filled(tmp_path, BODIES[:5])
    kept = (tmp_path / "journal.sqlite").read_bytes()
    filled(tmp_path, BODIES[5:])
    (tmp_path / "journal.sqlite").write_bytes(kept)
    copy = tmp_path / "journal.carbon"
    copy.write_bytes(copy.read_bytes().rstrip(b"\0")[:-9])
    found, said = opened(tmp_path)
    assert found == BODIES[:5]
    assert said is not None
    assert (said.kept, said.lost) == (5, 1)


def test_a_lost_database_comes_back_from_the_carbon_copy(tmp_path: Path) -> None:
    filled(tmp_path).unlink()
    found, said = opened(tmp_path)
    assert found == BODIES
    assert said is not None
    assert (said.kept, said.lost, said.aside) == (6, 0, ())


@pytest.mark.parametrize("content", [b"", b"\0" * 5000, b"not a database at all " * 400])
def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(content)
    assert bodies(tmp_path) == []
    filled(tmp_path)
    assert bodies(tmp_path) == BODIES


def test_a_log_whose_database_was_emptied_is_set_aside(tmp_path: Path) -> None:
    left_by_a_kill(tmp_path, BODIES)
    (tmp_path / "journal.sqlite").write_bytes(b"")
    (tmp_path / "journal.carbon").unlink()
    log = (tmp_path / "journal.sqlite-wal").read_bytes()
    found, said = opened(tmp_path)
    assert found == BODIES[: len(found)]
    assert said is not None
    assert (tmp_path / "damaged-1" / "journal.sqlite-wal").read_bytes() == log


def test_a_folder_in_the_place_of_the_journal_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    (tmp_path / "journal.carbon").mkdir()
    assert bodies(tmp_path) == []
    filled(tmp_path)
    assert bodies(tmp_path) == BODIES


@pytest.mark.parametrize(
    "name", ["lock", "probe", "recovered.json", "journal.sqlite.new", "journal.sqlite-wal", "journal.carbon.new"]
)
def test_whatever_stands_in_the_way_the_table_starts(tmp_path: Path, name: str) -> None:
    filled(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    (tmp_path / name / "something").write_text("")
    (tmp_path / "journal.carbon").unlink()
    journal = Journal(tmp_path)
    assert [row.body for row in journal.rows] == BODIES
    journal.append({"type": "undone"})
    assert [row.body for row in journal.rows][-1] == {"type": "undone"}
    journal.close(patience=0.0)


START = """
from pathlib import Path
from device import before_start, choices
from device.crashes import Crashes
from device.journal import Journal

before_start.main()
state = Path({state!r})
journal = Journal(state)
Crashes(state), choices.kept(state)
print(journal.fault, len(journal.rows))
journal.append({{"type": "undone"}})
journal.close()
"""
STATE_FILES = (
    "lock", "probe", "recovered.json", "journal.sqlite", "journal.sqlite-wal", "journal.sqlite.new", "journal.carbon",
    "journal.carbon.new", "journal-1-9.sqlite", "choices.toml", "crashes", "last-words", "starts-without-screen",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_pipe_or_a_device_named_like_a_file_of_the_state_is_put_aside_and_waited_for_by_nobody(
    tmp_path: Path, kind: str
) -> None:
    filled(tmp_path)
    for name in STATE_FILES:
        if name != "journal.sqlite":  # of journal and carbon copy, one tells what was played
            (tmp_path / name).unlink(missing_ok=True)
            os.mkfifo(tmp_path / name) if kind == "pipe" else (tmp_path / name).symlink_to("/dev/zero")
    done = subprocess.run(
        [sys.executable, "-c", START.format(state=str(tmp_path))],
        env={**os.environ, "STATE_DIRECTORY": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=25,
    )
    assert done.stdout.split() == ["None", str(len(BODIES))]
    assert "journal.carbon is no file; it is put aside as journal.carbon.odd-1" in done.stderr
    assert "Traceback" not in done.stderr
    assert bodies(tmp_path) == [*BODIES, {"type": "undone"}]
    assert {f"{name}.odd-1" for name in STATE_FILES if name != "journal.sqlite"} <= {
        path.name for path in tmp_path.iterdir()
    }
    (tmp_path / "journal.sqlite").replace(tmp_path / "kept.sqlite")
    os.mkfifo(tmp_path / "journal.sqlite")
    assert bodies(tmp_path) == [*BODIES, {"type": "undone"}]


@pytest.mark.parametrize("name", ["probe", "lock", "journal.sqlite.new", "journal.sqlite-wal", "journal.carbon.new"])
@pytest.mark.parametrize("what", ["folder", "dangling"])
def test_a_folder_where_a_file_is_to_be_written_keeps_no_game_from_being_saved(
    tmp_path: Path, name: str, what: str
) -> None:
    filled(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    if what == "folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).symlink_to(tmp_path / "gone" / "away")
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="another tallytray"):
        Journal(tmp_path)
    journal.append({"type": "undone"})
    journal.close()
    assert journal.fault is None
    assert bodies(tmp_path) == [*BODIES, {"type": "undone"}]


def test_a_pipe_for_a_lock_lets_no_second_table_in(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "lock").unlink(missing_ok=True)
    os.mkfifo(tmp_path / "lock")
    journal = Journal(tmp_path)
    with pytest.raises(JournalError, match="another tallytray"):
        Journal(tmp_path)
    journal.close()


@pytest.mark.parametrize("name", ["Spiele #1", "a?b", "%41 und %", "é\udce9"])
def test_whatever_the_folder_is_called_its_old_volumes_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("device.journal.volumes.VOLUME_EVENTS", 3)
    folder = tmp_path / name
    game = [{"type": "game-started", "game": "yatzy", "players": ["Anna"]}, *BODIES[:3]]
    for _ in range(3):
        filled(folder, game)
    journal = Journal(folder)
    assert len(volumes.volumes(folder)) == 2
    assert [row.body for row in journal.rows] == game * 3
    assert [row.body for row in journal_file.read(journal.path)] == [row.body for row in journal.rows.in_memory()]
    journal.close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_journal_of_a_newer_version_is_kept_whole_and_the_table_starts(tmp_path: Path) -> None:
    path = filled(tmp_path)
    connection = sqlite3.connect(path)
    connection.executescript(
        "DROP TRIGGER event_stays; UPDATE event SET hash = randomblob(32); PRAGMA user_version = 99;"
    )
    connection.close()
    (tmp_path / "journal.carbon").write_text("tallytray carbon 99\nwhatever it will be\n")
    before = path.read_bytes()
    found, said = opened(tmp_path)
    assert found == []
    assert said is not None
    assert said.newer
    assert str(said) == "written by a newer tallytray, kept in newer-1"
    assert (tmp_path / "newer-1" / "journal.sqlite").read_bytes() == before


@pytest.mark.parametrize("damage", ["journal", "carbon", "both"])
@pytest.mark.parametrize("step", range(1, 30))
def test_a_power_cut_at_any_step_of_a_recovery_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, damage: str, step: int
) -> None:
    left = iter(range(step - 1))

    class PowerCut(BaseException):
        pass

    def cut(function: Any) -> Any:
        def instead(*args: Any, **kwargs: Any) -> Any:
            if next(left, None) is None:
                raise PowerCut
            return function(*args, **kwargs)

        return instead

    with memory_folder() as folder:
        left_by_a_kill(folder, BODIES)
        expected = BODIES
        if damage in ("journal", "both"):
            path = folder / "journal.sqlite-wal"
            path.write_bytes(path.read_bytes()[: -3000 if damage == "both" else -20000])
            expected = BODIES if damage == "journal" else BODIES[:5]
        if damage in ("carbon", "both"):
            path = folder / "journal.carbon"
            raw = path.read_bytes()
            path.write_bytes(raw.replace(b"[1,2,3,4,6]", b"[1,2,3,4,1]"))
        with monkeypatch.context() as cutting:
            for name in ("replace", "unlink", "mkdir", "hardlink_to"):
                cutting.setattr(Path, name, cut(getattr(Path, name)))
            cutting.setattr("os.fsync", cut(os.fsync))
            with contextlib.suppress(PowerCut):
                recovery.open_sound(folder)[0].close()
        found, said = opened(folder)
        assert found == expected
        assert said is not None, "it must be told whatever came between"
        assert (said.kept, said.lost) == (len(expected), len(BODIES) - len(expected))


@pytest.mark.parametrize(
    ("version", "events", "game", "dice", "totals", "language"),
    [("1", 60, "kniffel", (2, 2, 2, 2, 2), [562], None), ("2", 124, "yahtzee", (5, 3, 4, 1, 6), [187, 17], "sv")],
)
def test_a_state_folder_of_every_older_version_goes_on(
    tmp_path: Path,
    version: str,
    events: int,
    game: str,
    dice: tuple[int, ...],
    totals: list[int],
    language: str | None,
) -> None:
    shutil.copytree(ROOT / "fixtures/state" / version, tmp_path, dirs_exist_ok=True)
    before = [row.body for row in read_rows(tmp_path)]
    assert len(before) == events
    session = Session(rules.games(), Journal(tmp_path))
    assert session.view().faults == ()
    assert session.match is not None
    assert (session.match.game.id, session.match.dice) == (game, dice)
    assert [score.total for score in session.match.scores] == totals
    session.journal.close()
    filled(tmp_path, BODIES)
    assert opened(tmp_path) == (before + BODIES, None)
    connection = sqlite3.connect(tmp_path / "journal.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == journal_file.VERSION
    connection.close()
    chosen = choices.kept(tmp_path)
    assert (chosen.values.get("language"), chosen.wrong) == (language, ())


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_flipped_bytes_never_change_a_fact(data: st.DataObject) -> None:
    with memory_folder() as folder:
        shutil.copytree(_many(killed=data.draw(st.booleans())), folder, dirs_exist_ok=True)
        for name in data.draw(st.sets(st.sampled_from(["journal.sqlite", "journal.sqlite-wal", "journal.carbon"]))):
            path = folder / name
            if path.exists():
                raw = bytearray(path.read_bytes())
                for _ in range(data.draw(st.integers(1, 3))):
                    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
                path.write_bytes(raw)
        found, said = opened(folder)
        assert found == MANY[: len(found)]
        assert len(found) == len(MANY) or said is not None


@functools.cache
def _many(*, killed: bool) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tallytray-test-"))
    atexit.register(shutil.rmtree, folder)
    state = folder / "state"
    (left_by_a_kill if killed else filled)(state, MANY)
    return state
