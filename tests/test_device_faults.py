"""Faults: reported by name, shown until they are over, the gravest first."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from state_folder import filled

import rules
from device.faults import Faults, disk_fault
from device.journal import Journal
from device.session import Session
from display.intent import Look
from display.view import FAULTS, Fault
from display.window import Window


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(rules.games(), Journal(tmp_path))
    yield session
    session.journal.close()


def test_faults_stand_until_they_are_cleared_the_gravest_first(caplog: pytest.LogCaptureFixture) -> None:
    faults = Faults()
    for name in reversed(FAULTS):
        faults.report(name, f"about {name}")
    assert [fault.name for fault in faults.standing] == list(FAULTS)
    standing, said = faults.standing, len(caplog.records)
    faults.report("too-hot", "about too-hot")
    assert faults.standing is standing, "nothing changed: nothing is drawn"
    assert len(caplog.records) == said, "and nothing is logged again"
    faults.report("too-hot", "86 °C")
    assert Fault("too-hot", "86 °C") in faults.standing
    faults.clear(*FAULTS)
    faults.clear("too-hot")
    assert faults.standing == ()
    faults.set("clock-wrong", "")
    assert faults.standing == (Fault("clock-wrong"),)
    faults.set("clock-wrong", None)
    assert faults.standing == ()


def test_a_card_can_be_drawn_whatever_a_file_is_called(session: Session, caplog: pytest.LogCaptureFixture) -> None:
    session.lose_camera("camera-missing", "recording: caf\udce9\nfilm\0\x1b[31m holds several video files")
    (fault,) = session.view().faults
    assert fault.detail == r"recording: caf\udce9\u000afilm\u0000\u001b[31m holds several video files"
    session.act(Look("open", "faults"))
    Window((800, 480), off_screen=True).show(session.view())
    assert caplog.messages[-1].isprintable()


@pytest.mark.parametrize(
    ("complaint", "name"),
    [
        ("database or disk is full", "disk-full"),
        ("[Errno 28] No space left on device", "disk-full"),
        ("[Errno 122] Disk quota exceeded", "disk-full"),
        ("attempt to write a readonly database", "disk-read-only"),
        ("[Errno 30] Read-only file system", "disk-read-only"),
        ("disk I/O error", "disk-failing"),
        ("unable to open database file", "disk-failing"),
    ],
)
def test_the_disks_own_words_tell_which_fault_it_is(complaint: str, name: str) -> None:
    assert disk_fault(complaint) == name


def test_the_journals_complaint_is_a_fault_until_it_is_written(session: Session) -> None:
    session.journal.fault = "database or disk is full"
    assert session.view().faults == (Fault("disk-full", "database or disk is full"),)
    session.journal.fault = "disk I/O error"
    assert session.view().faults == (Fault("disk-failing", "disk I/O error"),)
    session.journal.fault = None
    assert session.view().faults == ()


def test_a_fault_put_away_is_said_again_when_it_comes_back(session: Session) -> None:
    session.faults.report("sound-missing")
    session.act(Look("dismiss", "sound-missing"))
    assert session.view().desk.dismissed == ("sound-missing",)
    session.faults.clear("sound-missing")
    assert session.view().desk.dismissed == ()


def test_a_damaged_journal_and_a_game_without_its_file_are_faults(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append({"type": "game-started", "game": "our-own", "players": ["Anna"], "rules": {}})
    journal.append({"type": "thrown", "dice": [1, 2, 3, 4, 5]})
    journal.close()
    raw = (tmp_path / "journal.sqlite").read_bytes()
    (tmp_path / "journal.sqlite").write_bytes(raw.replace(b"[1,2,3,4,5]", b"[6,2,3,4,5]"))
    (tmp_path / "journal.carbon").unlink()
    session = Session(rules.games(), Journal(tmp_path))
    try:
        assert session.view().faults == (
            Fault("journal-recovered", "1 events kept, 1 lost; damaged files: damaged-1"),
            Fault("game-missing", "our-own"),
        )
    finally:
        session.journal.close()


def test_a_recovery_is_told_until_a_person_has_put_its_card_away(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / "journal.sqlite").write_bytes(b"no database at all")
    for _ in range(2):
        session = Session(rules.games(), Journal(tmp_path))
        assert [fault.name for fault in session.view().faults] == ["journal-recovered"]
        session.journal.close()
    session = Session(rules.games(), Journal(tmp_path))
    session.view()
    session.act(Look("dismiss", "journal-recovered"))
    session.view()
    session.journal.close()
    session = Session(rules.games(), Journal(tmp_path))
    assert not session.view().faults
    session.journal.close()


def test_games_of_a_newer_program_are_told_as_such(tmp_path: Path) -> None:
    connection = sqlite3.connect(filled(tmp_path))
    connection.executescript(
        "DROP TRIGGER event_stays; UPDATE event SET hash = randomblob(32); PRAGMA user_version = 99;"
    )
    connection.close()
    (tmp_path / "journal.carbon").unlink()
    session = Session(rules.games(), Journal(tmp_path))
    assert session.view().faults == (Fault("journal-newer", "written by a newer tallytray, kept in newer-1"),)
    session.journal.close()
