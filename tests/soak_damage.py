"""A state folder whose files are cut at every byte of their last 4 KiB, or have random bytes flipped: it always opens,
never shows a score that was not, and always says what was recovered.

The folder is one that a killed game left behind: a database, its log, and the carbon copy; or one that was closed,
where the log is folded into the database. What the sheet shows is compared as the rules work it out from what was read.
"""

import atexit
import functools
import json
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from soak import ROOT, Soak
from state_folder import Body, filled, left_by_a_kill, memory_folder, opened

import rules

FILES = ("journal.sqlite", "journal.sqlite-wal", "journal.carbon")
TAIL = 4096
FLIPS = 1000


@functools.cache
def events() -> list[Body]:
    """Two games, the first one over."""
    return [
        json.loads(line)
        for name in ("kniffel", "maxi-yatzy")
        for line in (ROOT / f"fixtures/games/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ][:260]


@functools.cache
def left(*, closed: bool) -> Path:
    """The folder that was left of them."""
    folder = Path(tempfile.mkdtemp(prefix="tallytray-soak-"))
    atexit.register(shutil.rmtree, folder)
    if closed:
        filled(folder / "state", events())
    else:
        left_by_a_kill(folder / "state", events(), folded=100)
    return folder / "state"


@functools.cache
def sheets(count: int) -> str:
    """What the screen shows after so many events."""
    return shown(events()[:count])


def shown(found: list[Body]) -> str:
    start = max(place for place, event in enumerate(found) if event["type"] == "game-started")
    return json.dumps(rules.state(rules.replay(map(rules.event_from_json, found[start:]), rules.games())))


def examine(folder: Path, *, witnessed: bool) -> Counter[str]:
    """Open a damaged folder and hold it against what was played. `witnessed`: one of the files is whole, so nothing
    may be lost."""
    found, said = opened(folder)
    assert found == events()[: len(found)], "a fact was changed"
    assert not found or shown(found) == sheets(len(found)), "a score was changed"
    lost = len(events()) - len(found)
    assert not (lost and witnessed), f"{lost} events lost although the other file is whole"
    if said is not None:
        assert said.kept == len(found), "says it kept what it did not"
        assert said.lost <= lost, "says it lost what it did not"
    again, repeated = opened(folder)
    assert (again, repeated) == (found, said), "the second start finds something else"
    assert said is not None or not lost, f"{lost} events lost without a word"
    return Counter(opened=1, said=said is not None, whole=lost == 0)


def damaged(changes: dict[str, bytes], *, closed: bool, witnessed: bool) -> Counter[str]:
    with memory_folder() as folder:
        shutil.copytree(left(closed=closed), folder, dirs_exist_ok=True)
        for name, raw in changes.items():
            (folder / name).write_bytes(raw)
        try:
            return examine(folder, witnessed=witnessed)
        except AssertionError as error:
            raise AssertionError(f"{error} ({', '.join(changes)})") from error


@functools.cache
def original(name: str, *, closed: bool) -> bytes:
    raw = (left(closed=closed) / name).read_bytes()
    return raw.rstrip(b"\0") if name == "journal.carbon" else raw


def cut(number: int, folder: Path) -> Counter[str]:
    """Case n: one of a killed game's three files, or a closed game's database, ends n / 4 bytes early."""
    closed = number % 4 == 3
    name = "journal.sqlite" if closed else FILES[number % 4]
    return damaged({name: original(name, closed=closed)[: -1 - number // 4]}, closed=closed, witnessed=True)


def flip(number: int, folder: Path) -> Counter[str]:
    """One to eight random bytes of one file, or in every fourth case of all, are other ones."""
    chance = random.Random(number)
    closed = number % 8 >= 4
    there = [name for name in FILES if not (closed and name == "journal.sqlite-wal")]
    names = there if number % 4 == 3 else [there[number % 4 % len(there)]]
    changes = {}
    for name in names:
        raw = bytearray(original(name, closed=closed))
        for _ in range(chance.choice((1, 1, 2, 8))):
            raw[chance.randrange(len(raw))] ^= chance.randint(1, 255)
        changes[name] = bytes(raw)
    return damaged(changes, closed=closed, witnessed=len(names) == 1)


def told(what: str) -> Any:
    def line(cases: int, counts: Counter[str]) -> str:
        return (
            f"{what}: {counts['opened']} of {cases} started, 0 changed scores, {counts['whole']} lost nothing, "
            f"{counts['said']} said what was recovered, 0 lost something without a word"
        )

    return line


SOAKS = (
    Soak("cuts", 4 * TAIL, cut, told("journal, log and carbon copy cut at each of their last 4096 bytes")),
    Soak("flips", 4 * FLIPS, flip, told("random bytes flipped")),
)
