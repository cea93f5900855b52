"""Real file systems that are full or read-only: play goes on, the screen says so, and it is written when it can be.

A small file system in memory is mounted in a mount namespace of its own, where that is allowed.
"""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
UNSHARE = ("unshare", "--user", "--map-root-user", "--mount")


def allowed() -> bool:
    try:
        return not subprocess.run(
            [*UNSHARE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=False, capture_output=True
        ).returncode
    except OSError:
        return False


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not allowed(), reason="no file system can be mounted here"),
]

HEAD = """
import subprocess, sys, time
from pathlib import Path
import device.journal, rules
from device.journal import Journal
from device.session import Session
from display.intent import Start, ThrowByHand
from state_folder import wait_written
device.journal.RETRY_SECONDS = 0.05
state = Path("/mnt/state")

def mount(options):
    subprocess.run(["mount", "-o", options, "-t", "tmpfs", "tmpfs", "/mnt"], check=True)

def fill():
    with open("/mnt/film", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"1" * 1024)
        except OSError as error:
            print("full:", error)

def fault(session):
    deadline = time.monotonic() + 20
    while not session.view().faults and time.monotonic() < deadline:
        time.sleep(0.01)
    return [fault.name for fault in session.view().faults]

def begun(options):
    mount(options)
    session = Session(rules.games(), Journal(state))
    session.act(Start("yatzy", ("Anna",)))
    over(session)
    session.journal.close()

def found_with(name):
    session = Session(rules.games(), Journal(state))
    assert fault(session) == [name], session.view().faults
    assert session.match is not None and session.match.player == "Anna"
    return session

def over(session):
    wait_written(session.journal)
    return [fault.name for fault in session.view().faults]
"""


def run(script: str) -> str:
    command = [*UNSHARE, sys.executable, "-c", HEAD + script]
    path = f"{TESTS.parent}:{TESTS}"
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
        env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_disk_that_fills_up_in_mid_game() -> None:
    said = run("""
mount("size=2m")
session = Session(rules.games(), Journal(state))
session.act(Start("yatzy", ("Anna",)))
session.act(ThrowByHand((1, 2, 3, 4, 5)))
assert over(session) == []
fill()
for _ in range(300):
    session.act(ThrowByHand((1, 2, 3, 4, 5)))
    session.journal.append({"type": "name-forgotten", "player": "x" * 100})
assert fault(session) == ["disk-full"], session.view().faults
assert session.view().saving
kept = [row.text for row in session.journal.rows]
Path("/mnt/film").unlink()
assert over(session) == []
session.journal.close()
again = Journal(state)
assert again.recovery is None
assert [row.text for row in again.rows] == kept
print("written", len(kept))
""")
    assert "written" in said


def test_a_disk_that_is_full_from_the_start_shows_the_game_all_the_same() -> None:
    run("""
begun("size=2m")
fill()
session = found_with("disk-full")
session.act(ThrowByHand((1, 2, 3, 4, 5)))
Path("/mnt/film").unlink()
assert over(session) == []
session.journal.close()
assert Journal(state).last == 2
""")


def test_a_disk_that_is_mounted_read_only_shows_the_game_and_is_written_later() -> None:
    run("""
begun("size=4m")
mount("remount,ro")
session = found_with("disk-read-only")
session.act(ThrowByHand((6, 6, 6, 6, 6)))
assert session.view().saving
mount("remount,rw")
assert over(session) == []
session.journal.close()
found = Journal(state)
assert found.recovery is None
assert found.rows[-1].body["dice"] == [6, 6, 6, 6, 6]
""")


def test_a_card_that_is_mounted_late_gets_the_game_that_was_begun_without_it() -> None:
    run("""
mount("size=1m,ro")
session = Session(rules.games(), Journal(state))
assert fault(session) == ["disk-read-only"], session.view().faults
session.act(Start("yatzy", ("Anna",)))
session.act(ThrowByHand((1, 2, 3, 4, 5)))
subprocess.run(["umount", "/mnt"], check=True)
mount("size=4m")
assert over(session) == []
session.journal.close()
again = Session(rules.games(), Journal(state))
assert again.match is not None and again.match.dice == (1, 2, 3, 4, 5)
""")


def test_pipes_in_a_folder_that_is_mounted_read_only_keep_no_table_down() -> None:
    run("""
import os
from device import before_start
from device.crashes import Crashes
begun("size=4m")
for name in ("crashes", "last-words", "starts-without-screen", "probe", "journal.carbon.new"):
    os.mkfifo(state / name)
mount("remount,ro")
assert before_start.begun(state) == 0
session = found_with("disk-read-only")
crashes = Crashes(state)
assert not crashes.repeated
crashes.ended(RuntimeError, RuntimeError("oh"), None)
""")
