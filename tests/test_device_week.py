"""A simulated week at the table: throws without end through the virtual camera, while everything that can happen to a
camera and to the vision process happens.

What became of each throw is told by the person who threw it (`week_table.py`), and compared with the journal on the
disk. The long run goes on where it was when it is started again.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from device.journal import read_rows

ROOT = Path(__file__).parent.parent
FILM = ROOT / "fixtures" / "films" / "yatzy-solo"

PICTURE_FAULTS = ("unplugged", "frozen", "black", "burnt", "wrong-size", "slow")
PROCESS_FAULTS = ("hang", "segfault", "crash", "leak", "killed")
PICTURE_FAULT_EVERY, PROCESS_FAULT_EVERY = 25, 900
"""Throws, on the average."""

MOST_TOGETHER, MOST_VISION = 200.0, 130.0
"""Megabytes. The aim of the last is 120, which `tallytray bench` holds it to without the virtual camera's own."""


VISION_WARM_UP = 400
"""Throws until a vision process has met all it meets; it lives some hundred to thousands of them."""


@dataclass(frozen=True)
class Measure:
    """How memory is judged: looked at `every` so many throws, flat after the first `warm_up` throws of a process, in
    which its caches fill up, when it drifts by no more than `most` MB from there on."""

    every: int
    warm_up: int
    most: float


WHOLE = Measure(every=20, warm_up=3000, most=2.0)
"""A volume of the journal stands in memory until its 4,000 events are put away, after 1,300 throws."""
SHORT = Measure(every=2, warm_up=30, most=4.0)
"""Not yet warm a table still grows a little (0.7 MB were measured): it finds what grows with every throw or frame."""


@dataclass
class Life:
    """Memory of one process: (throws so far, MB) and the most it ever had."""

    samples: list[tuple[int, float]] = field(default_factory=list)
    most: float = 0.0

    def has_any(self, throws: list[int]) -> bool:
        """Whether it lived at one of these throws, or began with what was ordered just before it."""
        first, last = self.samples[0][0], self.samples[-1][0]
        return any(first - 60 <= throw <= last + 20 for throw in throws)

    def drift(self, warm_up: int) -> float | None:
        """MB between the end of the warm-up and the end; None for a life too short."""
        warm = [size for throws, size in self.samples if throws >= self.samples[0][0] + warm_up]
        return median(warm[-9:]) - median(warm[:9]) if len(warm) >= 20 else None


class Week:
    """Plays `throws` throws in `folder`, going on with what lies there."""

    def __init__(self, folder: Path, throws: int, seed: int, measure: Measure = WHOLE) -> None:
        self.folder = folder
        self.throws = throws
        self.measure = measure
        self.state = folder / "state"
        self._ledger = folder / "ledger.jsonl"
        self._memory = folder / "memory.jsonl"
        self._orders = folder / "camera.toml"
        self._chance = random.Random(seed)
        self._done = 0
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def told(self) -> list[dict[str, Any]]:
        """What became of each throw, in order."""
        if not self._ledger.exists():
            return []
        lines = self._ledger.read_text().splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.endswith("\n")]

    @property
    def thrown(self) -> list[list[int]]:
        """The dice of every throw in the journal, in order."""
        bodies = (row.body for row in read_rows(self.state))
        return [sorted(body["dice"]) for body in bodies if body["type"] == "thrown"]

    @property
    def lives(self) -> dict[str, Life]:
        """The memory of each process there was, `table` or `vision` first in its name."""
        found: dict[str, Life] = {}
        for line in self._memory.read_text().splitlines():
            throws, name, size, most = json.loads(line)
            life = found.setdefault(name, Life())
            life.samples.append((throws, size))
            life.most = max(life.most, most)
        return found

    def play(self) -> None:
        if self._ledger.exists():
            self._catch_up()
        self._done = len(self.told)
        if self._done >= self.throws:
            return
        self._order("none")
        (self.folder / "faults.txt").touch()
        command = [sys.executable, str(ROOT / "tests" / "week_table.py"), str(self.state), f"virtual:{self._orders}"]
        over = threading.Event()
        with (
            (self.folder / "complaints.txt").open("a") as complaints,
            subprocess.Popen(
                [*command, str(self.throws - self._done)],
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
            ) as table,
        ):
            breaker = threading.Thread(target=self._break_things, args=(table.pid, over), daemon=True)
            breaker.start()
            try:
                self._listen(table)
            finally:
                over.set()
                breaker.join()
                table.kill()
        assert table.returncode == 0, (self.folder / "complaints.txt").read_text()[-2000:]

    def _catch_up(self) -> None:
        """When it was last ended, a throw may have been recorded that nobody told any more."""
        whole = "".join(json.dumps(line) + "\n" for line in self.told)
        untold = self.thrown[len(self.told) :]
        assert len(untold) <= 1, untold
        self._ledger.write_text(
            whole + "".join(json.dumps({"how": "untold", "values": dice}) + "\n" for dice in untold)
        )

    def _listen(self, table: "subprocess.Popen[str]") -> None:
        """Keep what the person tells and look at the memory, until the table ends."""
        assert table.stdout is not None
        with self._ledger.open("a") as ledger, self._memory.open("a") as memory:
            for line in table.stdout:
                ledger.write(line)
                ledger.flush()
                self._done += 1
                if self._done % self.measure.every == 0:
                    for about in sizes(table.pid):
                        memory.write(json.dumps([self._done, *about]) + "\n")
                    memory.flush()
        table.wait(60)

    def _break_things(self, table: int, over: threading.Event) -> None:
        """Order faults as throws go by, and end each after a moment."""
        before = self._done
        while not over.wait(0.3):
            now = self._done
            passed, before = now - before, now
            if self._chance.random() < passed / PICTURE_FAULT_EVERY:
                self._have(self._chance.choice(PICTURE_FAULTS), over)
            elif self._chance.random() < passed / PROCESS_FAULT_EVERY:
                self._have(self._chance.choice(PROCESS_FAULTS), over, table)

    def _have(self, fault: str, over: threading.Event, table: int = 0) -> None:
        with (self.folder / "faults.txt").open("a") as file:
            file.write(f"{fault} at {self._done}\n")
        if fault == "killed":
            for child in children(table):
                os.kill(child, signal.SIGKILL)
            return
        self._order(fault)
        over.wait(self._chance.uniform(0.2, 4.0))
        self._order("none")

    def _order(self, fault: str) -> None:
        new = self._orders.with_suffix(".new")
        new.write_text(f'film = "{FILM}"\nfault = "{fault}"\n')
        new.replace(self._orders)


def children(pid: int) -> list[int]:
    try:
        return [int(number) for number in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def sizes(table: int) -> list[tuple[str, float, float]]:
    """(name, resident MB now, the most so far) of the table and its vision process."""
    found = []
    processes = [("table", table), *(("vision", child) for child in children(table))]
    for name, pid in processes:
        try:
            status = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        known = dict(line.split(":", 1) for line in status)
        if "VmRSS" in known:
            now, most = (int(known[what].split()[0]) / 1024 for what in ("VmRSS", "VmHWM"))
            found.append((f"{name} {pid}", now, most))
    if len(processes) > 1 and (both := shared(table, processes[1][1])):
        found.append(("shared", both, both))
    return found


def shared(one: int, other: int) -> float:
    """MB of programs and libraries that lie in the memory of both processes, but only once, at least: of a part of a
    file the pages that one has and those that the other has are together more than there are."""
    parts = [file_pages(pid) for pid in (one, other)]
    twice = (parts[0][part][1] + parts[1][part][1] - parts[0][part][0] for part in parts[0].keys() & parts[1].keys())
    return sum(kilobytes for kilobytes in twice if kilobytes > 0) / 1024


def file_pages(pid: int) -> dict[tuple[str, ...], tuple[int, int]]:
    """Of each part of a file in the process's memory its size, and how much of it is there unchanged; kB."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    try:
        lines = Path(f"/proc/{pid}/smaps").read_text().splitlines()
    except OSError:
        return found
    part: tuple[str, ...] = ()
    sizes_of: dict[str, int] = {}
    for line in [*lines, "- end"]:
        words = line.split()
        if not words[0].endswith(":"):
            if len(part) == 3:
                known = sizes_of["Rss"] - sizes_of["Private_Dirty"] - sizes_of["Shared_Dirty"]
                found[part] = (sizes_of["Size"], known)
            part = (words[5], words[1], words[2]) if len(words) > 5 and words[4] != "0" else ()
            sizes_of = {}
        elif len(words) == 3:
            sizes_of[words[0][:-1]] = int(words[1])
    return found


def alike(told: list[dict[str, Any]], place: int, blind: list[int]) -> bool:
    """Whether the throw at `place` was not offered as it showed what the one before did and rolled while the camera was
    blind: `blind` are the throws at which a fault was ordered; one entered by finger was not seen either. Nobody can
    tell it from dice left lying, put aside and laid there again."""
    if place == 0 or told[place].get("how") != "never offered":
        return False
    before = told[place - 1]
    unseen = before.get("how") == "by finger" or any(place - 3 <= throw <= place + 1 for throw in blind)
    return unseen and before.get("values") == told[place].get("values")


def check(week: Week) -> None:
    """Every throw is accounted for, and memory stays flat. Prints a line for each figure before it judges them."""
    told = week.told
    thrown = week.thrown
    ordered = [line.split(" at ") for line in (week.folder / "faults.txt").read_text().splitlines()]
    blind = [int(throw) for fault, throw in ordered if fault in PICTURE_FAULTS]
    how = Counter("alike" if alike(told, place, blind) else line.get("how", "stuck") for place, line in enumerate(told))
    faults = Counter(fault for fault, _ in ordered)
    leaks = [int(throw) for fault, throw in ordered if fault == "leak"]
    accounted = thrown == [line.get("values") for line in told]
    print(f"throws: {len(told)}; " + ", ".join(f"{name} {count}" for name, count in how.most_common()))
    print(f"accounted for: {'each of them' if accounted else f'{len(thrown)} in the journal'}")
    print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(faults.items())))
    lives = week.lives
    too_much = []
    together = 0.0
    table_drifts: list[float] = []
    for kind in ("table", "vision"):
        own = [life for name, life in lives.items() if name.startswith(kind)]
        warm_up = week.measure.warm_up if kind == "table" else min(week.measure.warm_up, VISION_WARM_UP)
        drifts = [drift for life in own if (drift := life.drift(warm_up)) is not None]
        table_drifts += drifts if kind == "table" else []
        most = max(life.most for life in own if kind == "table" or not life.has_any(leaks))
        together += most
        told_drift = f"{max(drifts):+.1f} MB (at most {week.measure.most:g})" if drifts else "not known yet"
        print(f"{kind}: {len(own)} processes, drift after warm-up {told_drift}, most memory (RSS) {most:.0f} MB")
        too_much += [f"{kind} grew by {drift:.1f} MB" for drift in drifts if drift > week.measure.most]
        too_much += [f"{kind} took {most:.0f} MB"] if kind == "vision" and most > MOST_VISION else []
    once = min((size for _, size in lives["shared"].samples), default=0.0) if "shared" in lives else 0.0
    together -= once
    print(f"memory of both, most of each ever: {together:.0f} MB (at most {MOST_TOGETHER:g}), {once:.0f} MB shared")
    assert accounted, "the journal is not what was thrown"
    assert not {"stuck", "wrong", "never offered"} & set(how)
    assert together <= MOST_TOGETHER
    assert not too_much
    assert table_drifts, "the table's drift was never judged"


def test_what_two_processes_share_is_known() -> None:
    if not Path("/proc/self/smaps").exists():
        pytest.skip("no /proc here")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        ends = time.monotonic() + 10
        while (both := shared(os.getpid(), other.pid)) < 1 and time.monotonic() < ends:
            time.sleep(0.02)
        other.kill()
    assert 1 < both < 40
    assert shared(os.getpid(), 0) == 0


@pytest.mark.parametrize("kind", ["table", "vision"])
def test_memory_that_grows_is_found_in_the_short_run_too(tmp_path: Path, kind: str) -> None:
    week = Week(tmp_path, throws=80, seed=1, measure=SHORT)
    (tmp_path / "faults.txt").touch()
    for growing in ("", kind):
        with (tmp_path / "memory.jsonl").open("w") as memory:
            for throw in range(2, 82, 2):
                for name in ("table", "vision"):
                    size = 60.0 + (0.2 * throw if name == growing else 0.0)
                    memory.write(json.dumps([throw, f"{name} 1", size, size]) + "\n")
        if growing:
            with pytest.raises(AssertionError, match=f"{kind} grew by"):
                check(week)
        else:
            check(week)


def test_a_run_whose_drift_nobody_could_judge_is_no_success(tmp_path: Path) -> None:
    week = Week(tmp_path, throws=80, seed=1, measure=WHOLE)
    (tmp_path / "faults.txt").touch()
    rows = [[throw, f"{name} 1", 60.0, 60.0] for throw in range(2, 82, 2) for name in ("table", "vision")]
    (tmp_path / "memory.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(AssertionError, match="never judged"):
        check(week)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_hour_at_the_table(tmp_path: Path) -> None:
    week = Week(tmp_path, throws=80, seed=1, measure=SHORT)
    week.play()
    check(week)


@pytest.mark.soak
def test_a_week_at_the_table() -> None:
    """20,000 throws. What was played is kept in `out/soak/week`; started again it goes on from there."""
    week = Week(ROOT / "out" / "soak" / "week", throws=20_000, seed=int(time.time()))
    week.play()
    check(week)
