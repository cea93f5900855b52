"""Killed at any moment, the whole appliance comes back with every confirmed event.

An outside witness (this test) reads each confirmation as the running program shows it, kills the program without
warning, and afterwards compares with the journal on the disk. A kill alone proves nothing about the disk: the system
calls are counted too.
"""

import json
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.journal import read_rows

ROOT = Path(__file__).parent.parent
SHEET = json.loads((ROOT / "fixtures/films/yatzy-solo/sheet.json").read_text())


class Witness:
    """A running demo and everything it showed as confirmed."""

    def __init__(self, state: Path, out: Path, before: tuple[str, ...] = ()) -> None:
        demo = [sys.executable, "-m", "device", "demo", "--off-screen", "--json"]
        self.process = subprocess.Popen(
            [*before, *demo, "--state", str(state), "--out", str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )
        self.confirmed: dict[int, Any] = {}
        self.state: Any = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if not line.endswith("\n"):
                return  # cut off by the kill: never shown whole
            said = json.loads(line)
            if "state" in said:
                self.state = said["state"]
            else:
                self.confirmed[said["n"]] = said["event"]

    def wait_for(self, confirmations: int) -> None:
        deadline = time.monotonic() + 60
        while len(self.confirmed) < confirmations and self.process.poll() is None:
            assert time.monotonic() < deadline, "the game does not go on"
            time.sleep(0.001)

    def end(self) -> str:
        """Wait for the end; what it said on stderr."""
        assert self.process.stderr is not None
        complaint = self.process.stderr.read()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return complaint


def kill_again_and_again(folder: Path, lives: int, seed: int) -> None:
    chance = random.Random(seed)
    state, out = folder / "state", folder / "out"
    confirmed: dict[int, Any] = {}
    refused = 0
    for _ in range(lives):
        witness = Witness(state, out)
        # From before the first drawn frame to well into the game, and any moment between two confirmations.
        witness.wait_for(chance.choice((0, 0, 1, 2, 3, 5, 8, 13)))
        time.sleep(chance.uniform(0.0, 0.6))
        witness.process.send_signal(signal.SIGKILL)
        complaint = witness.end()
        refused += witness.process.returncode == 1 or "Traceback" in complaint
        confirmed |= witness.confirmed
        if (state / "journal.sqlite").exists():
            on_disk = {row.number: row.body for row in read_rows(state)}
            lost = {number: event for number, event in confirmed.items() if on_disk.get(number) != event}
            assert not lost, f"confirmed events lost: {lost}"
    assert refused == 0
    last = Witness(state, out)
    complaint = last.end()
    assert last.process.returncode == 0, complaint
    assert last.state["phase"] == "over"
    assert last.state["sheets"][0]["total"] == SHEET["total"]
    print(f"kills: {lives}, events confirmed and found again: {len(confirmed)}, lost: 0, starts refused: 0")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_five_kills_lose_nothing(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, lives=5, seed=5)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_hundred_kills_lose_nothing(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path, lives=100, seed=100)


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_each_confirmation_is_on_the_disk_before_it_is_shown(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    calls = ("-e", "trace=fsync,fdatasync,write,pwrite64")
    strace = ("strace", "-f", "--seccomp-bpf", "-y", "-s", "8192", *calls, "-o", str(trace))
    witness = Witness(tmp_path / "state", tmp_path / "out", strace)
    complaint = witness.end()
    assert witness.process.returncode == 0, complaint
    shown = logged = copied = copying = 0
    for line in _whole_calls(trace.read_text(errors="replace").splitlines()):
        if (found := re.search(r'write\(1<[^>]*>, "\{\\"n\\": (\d+), ', line)) is not None:
            shown += 1
            assert copied >= int(found[1]), f"event {found[1]} was shown when {copied} were in the carbon copy"
        elif re.search(r"fdatasync\(\d+<[^>]*journal\.sqlite-wal>", line):
            logged += 1
        elif (found := re.search(r'pwrite64\(\d+<[^>]*journal\.carbon>, "(\d+ .*)', line)) is not None:
            lines = found[1].split("\\n")[:-1]
            copying = int(lines[-1].split()[0])
            assert logged, f"event {copying} was copied before the journal had it"
            logged = 0
        elif re.search(r"fdatasync\(\d+<[^>]*journal\.carbon>", line):
            copied = copying
    assert shown == len(witness.confirmed) > 30
    print(f"confirmations shown: {shown}, each in the journal and in its carbon copy before")


def _whole_calls(lines: list[str]) -> Iterator[str]:
    """The calls in the order in which they returned: strace cuts one in two when another thread's comes between."""
    begun: dict[str, str] = {}
    for line in lines:
        thread = line.split(maxsplit=1)[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line
        elif "resumed>" in line:
            yield begun.pop(thread, "") + line
        else:
            yield line
