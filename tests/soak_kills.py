"""The whole appliance killed without warning at any moment of recorded games, and how soon it is back.

An outside witness (this program) reads each confirmation as the running appliance shows it, kills it with all its
processes, and afterwards compares with the journal on the disk.
"""

import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from soak import ROOT, Soak

from device.journal import read_rows

FILM = ROOT / "fixtures/films/yatzy-solo"
SHEET = json.loads((FILM / "sheet.json").read_text())
PATIENCE_SECONDS = 120.0

MOST_SECONDS = {"cold": 1.5, "again": 2.0}
"""Until the first drawn screen, on a machine that does nothing else."""
MOST_PROCESSOR_SECONDS = {"cold": 1.2, "again": 1.5}
"""Of the table's own: what a busy machine cannot make much longer, so that it is judged everywhere. Twice what was
measured."""


class Witness:
    """A running demo, in a process group of its own, and everything it showed as confirmed."""

    def __init__(self, state: Path, out: Path, before: tuple[str, ...] = ()) -> None:
        demo = [sys.executable, "-m", "device", "demo", "--off-screen", "--json"]
        self.process = subprocess.Popen(
            [*before, *demo, "--state", str(state), "--out", str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            text=True,
            process_group=0,
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
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self.confirmed) < confirmations and self.process.poll() is None:
            assert time.monotonic() < deadline, "the game does not go on"
            time.sleep(0.001)

    def kill(self, *, group: bool) -> None:
        """Without warning: all its processes at once, or the table alone."""
        with contextlib.suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(self.process.pid, signal.SIGKILL)

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


def kill(number: int, folder: Path) -> Counter[str]:
    """Life n of a table: it goes on where the last was killed, from before the first drawn frame to well into the
    game, and is killed at any moment between two confirmations. A game that ends by itself is a sheet to compare."""
    chance = random.Random(number)
    state, notes = folder / "state", folder / "confirmed.jsonl"
    witness = Witness(state, folder / "out")
    witness.wait_for(chance.choice((0, 0, 1, 2, 3, 5, 8, 13)))
    time.sleep(chance.uniform(0.0, 0.6))
    ended = witness.process.poll() is not None
    witness.kill(group=chance.random() < 0.7)
    complaint = witness.end()
    assert witness.process.returncode in (0, -signal.SIGKILL), f"refused to start, or ended by itself: {complaint}"
    assert "Traceback" not in complaint, complaint
    assert "damaged" not in complaint, f"a false alarm: {complaint}"
    with notes.open("a") as file:  # what a life before this one confirmed must still be there too
        for place, event in witness.confirmed.items():
            file.write(json.dumps([place, event]) + "\n")
    on_disk = {row.number: row.body for row in read_rows(state)} if state.exists() else {}
    confirmed = [json.loads(line) for line in notes.read_text().splitlines()]
    for place, event in confirmed:
        assert on_disk.get(place) == event, f"event {place} was confirmed and is lost: {event}"
    if ended:
        assert witness.state is not None, complaint
        assert witness.state["sheets"][0]["total"] == SHEET["total"], "another total than the recorded game's"
    return Counter(confirmed=len(witness.confirmed), games=ended)


def killed(cases: int, counts: Counter[str]) -> str:
    return (
        f"kill -9 of the whole appliance: {cases} kills, {counts['confirmed']} events confirmed, 0 lost, "
        f"0 refused starts, {counts['games']} games played to the end between them"
    )


class Start:
    """The appliance on one core, as the service manager starts it: its socket hears READY when the sheet is drawn."""

    def __init__(self, state: Path, folder: Path) -> None:
        address, config = folder / "notify", folder / "config.toml"
        config.write_text("")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(address))
        self._socket.settimeout(1.0)
        play = [sys.executable, "-m", "device", "play", "--state", str(state), "--config", str(config)]
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            ["taskset", "-c", "0", *play, "--window", "1280x720", "--camera", f"recording:{FILM}"],
            cwd=ROOT,
            env={**os.environ, "NOTIFY_SOCKET": str(address), "SDL_VIDEODRIVER": "dummy"},
            stderr=subprocess.PIPE,
            text=True,
            process_group=0,
        )
        while not self._ready():
            assert self.process.poll() is None, f"it ended instead: {self.process.communicate()[1]}"
            assert time.perf_counter() - begun < PATIENCE_SECONDS, "nothing was drawn"
        self.seconds = time.perf_counter() - begun
        self.waited = int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[1]) / 1e9
        self.processor_seconds = _processor_seconds(self.process.pid)

    def _ready(self) -> bool:
        with contextlib.suppress(TimeoutError):
            return b"READY=1" in self._socket.recv(4096)
        return False

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()
        self._socket.close()


def start(number: int, folder: Path) -> Counter[str]:
    """Case n starts a table that was never played at, or in every second case one whose game was killed in the
    middle; both bound to one core."""
    with tempfile.TemporaryDirectory() as name:
        state = Path(name) / "state"
        if number % 2:
            witness = Witness(state, Path(name) / "out")
            witness.wait_for(30)
            witness.kill(group=True)
            witness.end()
        started = Start(state, Path(name))
        started.kill()
    kind = "again" if number % 2 else "cold"
    assert started.seconds - started.waited <= MOST_SECONDS[kind], (
        f"{kind}: {started.seconds:.2f} s, {started.waited:.2f} s of it waiting for its turn"
    )
    assert started.processor_seconds <= MOST_PROCESSOR_SECONDS[kind], (
        f"{kind}: {started.processor_seconds:.2f} s in the processor (at most {MOST_PROCESSOR_SECONDS[kind]:g})"
    )
    return Counter({f"{kind} {started.seconds:.2f}": 1, f"{kind}-processor {started.processor_seconds:.2f}": 1})


def started(cases: int, counts: Counter[str]) -> str:
    def times(kind: str) -> list[float]:
        return sorted(float(key.split()[1]) for key in counts.elements() if key.split()[0] == kind) or [0.0]

    return "; ".join(
        f"{meaning}: median {statistics.median(times(kind)):.2f} s (at most {MOST_SECONDS[kind]:g} where nothing else "
        f"runs), longest {times(kind)[-1]:.2f} s, of it {statistics.median(times(f'{kind}-processor')):.2f} s in the "
        f"processor (each at most {MOST_PROCESSOR_SECONDS[kind]:g})"
        for kind, meaning in (("cold", "cold start to the first drawn screen"), ("again", "after kill -9 to the game"))
    )


def _processor_seconds(process: int) -> float:
    """What a process has used so far, in its own code and the system's."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


SOAKS = (Soak("kills", 1000, kill, killed), Soak("starts", 100, start, started))
