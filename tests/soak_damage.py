"""A state folder whose files are cut at every byte of their last 4 KiB, or have random bytes flipped: it always opens,
never shows a score that was not, and always says what was recovered.

The folder is one that a killed game left behind: a database, its log, and the carbon copy. What the sheet shows is
compared as the rules work it out from what was read.
"""

import functools
import json
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from soak import ROOT, Soak
from state_folder import Body, left_by_a_kill, memory_folder, opened

import rules

FILES = ("journal.sqlite", "journal.sqlite-wal", "journal.carbon")
TAIL = 4096
FLIPS = 1000


@functools.cache
def game() -> tuple[list[Body], Path]:
    """Two games, the first one over, and the folder that was left of them."""
    events = [
        json.loads(line)
        for name in ("kniffel", "maxi-yatzy")
        for line in (ROOT / f"fixtures/games/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ][:260]
    folder = Path(tempfile.mkdtemp(prefix="tallytray-soak-")) / "state"
    left_by_a_kill(folder, events, folded=100)
    return events, folder


@functools.cache
def sheets(count: int) -> str:
    """What the screen shows after so many events."""
    events, _ = game()
    start = max(place for place, event in enumerate(events[:count] or [{}]) if event.get("type") == "game-started")
    match = rules.replay(map(rules.event_from_json, events[start:count]), rules.games())
    return json.dumps(rules.state(match))


def examine(folder: Path, *, witnessed: bool) -> Counter[str]:
    """Open a damaged folder and hold it against what was played. `witnessed`: one of the files is whole, so nothing
    may be lost."""
    events, _ = game()
    found, said = opened(folder)
    assert found == events[: len(found)], "a fact was changed"
    if found:
        start = max(place for place, event in enumerate(found) if event["type"] == "game-started")
        match = rules.replay(map(rules.event_from_json, found[start:]), rules.games())
        assert json.dumps(rules.state(match)) == sheets(len(found)), "a score was changed"
    lost = len(events) - len(found)
    assert not (lost and witnessed), f"{lost} events lost although the other file is whole"
    if said is not None:
        assert said.kept == len(found), "says it kept what it did not"
        assert said.lost <= lost, "says it lost what it did not"
    again, repeated = opened(folder)
    assert (again, repeated) == (found, said), "the second start finds something else"
    return Counter(opened=1, said=said is not None, whole=lost == 0, silent=bool(lost and said is None))


def damaged(number: int, changes: dict[str, bytes], *, witnessed: bool) -> Counter[str]:
    _, source = game()
    with memory_folder() as folder:
        shutil.copytree(source, folder, dirs_exist_ok=True)
        for name, raw in changes.items():
            (folder / name).write_bytes(raw)
        try:
            return examine(folder, witnessed=witnessed)
        except AssertionError as error:
            raise AssertionError(f"{error} ({', '.join(changes)})") from error


@functools.cache
def original(name: str) -> bytes:
    return (game()[1] / name).read_bytes()


def cut(number: int, folder: Path) -> Counter[str]:
    """Case n: one of the three files ends n / 3 bytes early."""
    name = FILES[number % 3]
    raw = original(name).rstrip(b"\0") if name == "journal.carbon" else original(name)
    return damaged(number, {name: raw[: -1 - number // 3]}, witnessed=True)


def flip(number: int, folder: Path) -> Counter[str]:
    """One to eight random bytes of one file, or in every fourth case of all, are other ones."""
    chance = random.Random(number)
    names = FILES if number % 4 == 3 else (FILES[number % 4],)
    changes = {}
    for name in names:
        raw = bytearray(original(name))
        end = len(raw.rstrip(b"\0"))
        for _ in range(chance.choice((1, 1, 2, 8))):
            raw[chance.randrange(end)] ^= chance.randint(1, 255)
        changes[name] = bytes(raw)
    return damaged(number, changes, witnessed=len(names) == 1)


def told(what: str) -> Any:
    def line(cases: int, counts: Counter[str]) -> str:
        return (
            f"{what}: {counts['opened']} of {cases} started, 0 changed scores, {counts['whole']} lost nothing, "
            f"{counts['said']} said what was recovered, {counts['silent']} lost something without a word"
        )

    return line


SOAKS = (
    Soak("cuts", 3 * TAIL, cut, told("journal, log and carbon copy cut at each of their last 4096 bytes")),
    Soak("flips", 4 * FLIPS, flip, told("random bytes flipped")),
)
