"""Killed at any moment, the whole appliance comes back with every confirmed event.

An outside witness (this test) reads each confirmation as the running program shows it, kills the program without
warning, and afterwards compares with the journal on the disk. A kill alone proves nothing about the disk: the system
calls are counted too.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import soak_kills
from soak import run_some
from soak_kills import SHEET, Witness


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_few_kills_lose_nothing_and_the_game_ends_as_recorded(tmp_path: Path) -> None:
    for soak in soak_kills.SOAKS:
        assert run_some(soak, 5, tmp_path)
    last = Witness(tmp_path / "state", tmp_path / "out")
    complaint = last.end()
    assert last.process.returncode == 0, complaint
    assert last.state["phase"] == "over"
    assert last.state["sheets"][0]["total"] == SHEET["total"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_start_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(soak_kills.MOST_PROCESSOR_SECONDS, "cold", 0.01)
    with pytest.raises(AssertionError, match=r"cold: \d\.\d\d s in the processor"):
        soak_kills.start(0, tmp_path)


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
