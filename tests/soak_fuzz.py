"""Files as nobody should write them: settings, choices, game files, sheets, event files, labels, films, journals.

Whatever stands in one, there is one clear line for each thing wrong with it, no traceback and no hang. Each case is a
batch of files that Hypothesis makes out of sound ones: parts exchanged, keys renamed, values of another kind, numbers
beyond every limit, letters that no screen shows, bytes struck by chance.
"""

import contextlib
import functools
import io
import json
import os
import random
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from soak import ROOT, Soak
from state_folder import memory_folder

import rules
from device import choices, config
from device.__main__ import main
from device.journal import Journal
from device.recorded_player import RecordedGameError
from device.recorded_player import load as load_recorded
from device.session import Session
from display.window import Window
from vision.calibration import CalibrationError
from vision.calibration import load as load_calibration
from vision.cameras import CameraError, open_camera
from vision.labels import LabelError, load_film

BATCH = 50
HANG_SECONDS = 10.0
"""Of processor time, for one file: a thousand times what it takes."""

LINE_LETTERS = 1000
"""A line longer than this says nothing clearly."""

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 6, 7, 63, 10**9, -(10**18), 2**64, 10**400, 1.5, -0.0, 1e308, float("inf"),
    float("nan"), "", " ", "a" * 5000, "1", "yatzy", "Åsa", "\u202eabc", "\x00", "\x1b[31m", "\ud800", "line\nbreak",
    "\u2028", "🎲", [], {}, [[]], [None], {"": {}}, [1, 2, 3, 4, 5], [6] * 300, {"type": "undone"}, "../../etc/passwd",
]  # fmt: skip


def golden(name: str) -> list[Any]:
    text = (ROOT / f"fixtures/games/{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@functools.cache
def sheets() -> tuple[Any, ...]:
    columns = [{"ones": 3, "twos": [2, 2, 2, 2, 5], "three-of-a-kind": [6, 6, 6, 4, 2], "yahtzee-bonus": 100}]
    return (
        {
            "game": "yahtzee",
            "rules": {"upper-bonus-value": 35},
            "sheets": [{"player": "Anna", "columns": columns}, {"player": "Bo", "columns": [{"chance": 22}]}],
        },
        {"game": "triple-yahtzee", "sheets": [{"members": ["A", "B"], "columns": [{}, {"fours": 8}], "chips": [300]}]},
        {
            "game": "maxi-yatzy",
            "sheets": [{"player": "Cia", "columns": [{"one-pair": 12, "tower": [2, 2, 2, 2, 5, 5]}]}],
        },
    )


@functools.cache
def games() -> tuple[str, ...]:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    own = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    return (*own, *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules/games").glob("*.toml"))))


@functools.cache
def words() -> tuple[str, ...]:
    """Every key and word of the sound files."""
    found: set[str] = set()

    def collect(node: Any) -> None:
        if isinstance(node, dict):
            found.update(node)
            node = list(node.values())
        if isinstance(node, list):
            for one in node:
                collect(one)
        elif isinstance(node, str):
            found.add(node)

    for document in (*sheets(), *golden("kniffel"), *golden("trippel-maxi-yatzy")):
        collect(document)
    return tuple(sorted(found))


def changed(chance: random.Random, node: Any, donors: tuple[Any, ...]) -> Any:
    """The document with one part of it another."""
    if isinstance(node, dict) and node and chance.random() < 0.8:
        key = chance.choice(list(node))
        copy = dict(node)
        match chance.randrange(6):
            case 0:
                del copy[key]
            case 1:
                copy[chance.choice([*words(), *(odd for odd in ODD if isinstance(odd, str))])] = copy.pop(key)
            case 2:
                copy[chance.choice(words())] = value(chance, donors)
            case _:
                copy[key] = changed(chance, copy[key], donors)
        return copy
    if isinstance(node, list) and node and chance.random() < 0.8:
        place = chance.randrange(len(node))
        match chance.randrange(6):
            case 0:
                return node[:place] + node[place + 1 :]
            case 1:
                return [*node[:place], node[place], *node[place:]]
            case 2:
                return [*node[:place], value(chance, donors), *node[place:]]
            case _:
                return [*node[:place], changed(chance, node[place], donors), *node[place + 1 :]]
    return value(chance, donors)


def value(chance: random.Random, donors: tuple[Any, ...]) -> Any:
    match chance.randrange(5):
        case 0:
            return chance.choice(words())
        case 1:
            return chance.choice(donors)
        case 2:
            return chance.randint(-3, 400)
        case _:
            return chance.choice(ODD)


def struck(chance: random.Random, raw: bytes) -> bytes:
    """The text with something in it that no program wrote."""
    place = chance.randrange(len(raw) + 1)
    end = min(len(raw), place + chance.choice((0, 0, 1, 5, 60)))
    new = chance.choice(
        (b"", b'"', b"{", b"}]", b"[" * 5000, b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"1e999", b"-",
         b"9" * 5000, b"NaN", b"\\ud800", b"\xed\xa0\x80", b"=", b"[[x]]\n", b"a.b.c = 1\n", b"# ", b"'''", b"\x1b[2J",
         raw[place:end] * 3, bytes(chance.randrange(256) for _ in range(4)))
    )  # fmt: skip
    return raw[:place] + new + raw[end:]


@st.composite
def documents(draw: st.DrawFn, sound: Callable[[], tuple[Any, ...]]) -> bytes:
    """A JSON document near a sound one."""
    chance = draw(st.randoms(use_true_random=False))
    donors = sound()
    document = chance.choice(donors)
    for _ in range(chance.choice((0, 1, 1, 2, 3, 8))):
        document = changed(chance, document, donors)
    raw = json.dumps(document, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    return struck(chance, raw) if chance.random() < 0.25 else raw


@st.composite
def event_files(draw: st.DrawFn) -> bytes:
    """Lines near those of a golden game, from somewhere in it."""
    chance = draw(st.randoms(use_true_random=False))
    events = golden(chance.choice(("kniffel", "maxi-yatzy", "triple-yahtzee", "trippel-yatzy")))
    start = chance.randrange(30)
    lines: list[Any] = events[:start] + events[start + chance.choice((0, 0, 1, 5)) :][: chance.randrange(60)]
    strange = chance.random() < 0.5
    for _ in range(chance.choice((0, 1, 2, 5))):
        place = chance.randrange(len(lines) + 1)
        event = chance.choice(events)
        lines[place : place + chance.randrange(2)] = [changed(chance, event, tuple(events)) if strange else event]
    raw = b"\n".join(
        json.dumps(line, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass") for line in lines
    )
    return struck(chance, raw) if chance.random() < 0.25 else raw


TOML_VALUES = (
    "1", "-1", "0.5", "inf", "nan", "true", '"x"', "[]", "{}", "[1, 2]", "1979-05-27", "9" * 30, "0x1F", '"""a\nb"""',
    "'usb:0'", '"\\u0000"', '"\\u202e"', "{a = {b = 1}}", "[[1], [2]]", "6", "63", '"yatzy"', '"upper"', "07:32:00",
    "0b1", "[1, 'a']", '"' + "z" * 3000 + '"', "{" * 900 + "}" * 900, "[" * 900 + "]" * 900, "9" * 5000,
)  # fmt: skip


@st.composite
def toml_files(draw: st.DrawFn, sound: Callable[[], tuple[str, ...]]) -> bytes:
    """A TOML file near a sound one: lines exchanged, values of every kind, keys of other places."""
    chance = draw(st.randoms(use_true_random=False))
    lines = chance.choice(sound()).splitlines()
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        place = chance.randrange(len(lines))
        key, is_, _ = lines[place].partition("=")
        match chance.randrange(6):
            case 0:
                del lines[place]
                lines = lines or [""]
            case 1:
                lines.insert(place, lines[chance.randrange(len(lines))])
            case 2:
                lines.insert(place, f"{chance.choice(words())} = {chance.choice(TOML_VALUES)}")
            case _ if is_:
                lines[place] = f"{key.lstrip('#')}= {chance.choice(TOML_VALUES)}"
            case _:
                lines[place] = chance.choice((f"[{lines[place]}]", lines[place][1:], f"{lines[place]}.x", "[x]"))
    raw = "\n".join(lines).encode("utf-8", "surrogatepass")
    return struck(chance, raw) if chance.random() < 0.25 else raw


@functools.cache
def settings_files() -> tuple[str, ...]:
    from device.commands.config import example

    plain = "\n".join(line[1:] if re.match(r"#[a-z\[]", line) else line for line in example().splitlines())
    return (example(), plain, 'language = "sv"\n\n[buttons]\nhold-1 = 5\nconfirm = 6\n')


@functools.cache
def labels() -> tuple[Any, ...]:
    one = {"values": [1, 3], "tier": "tray", "faces": [1, 3], "boxes": [[0, 0, 9, 9], [9, 9, 20, 20]]}
    return ({"a.png": one}, {"a.png": {**one, "unreadable": 1, "troubles": ["cocked"], "faces": [1, 3]}, "b.png": one})


@functools.cache
def films() -> tuple[Any, ...]:
    throws = [
        {"from": 1, "settled": 2, "values": [1, 2], "stayed": []},
        {"from": 3, "settled": 3, "values": [1, 4], "stayed": [0, None]},
    ]
    return ({"fps": 30, "dice": 2, "throws": throws}, {"fps": 15.0, "dice": 5, "cuts": [1, 3], "throws": throws})


@functools.cache
def recorded_games() -> tuple[Any, ...]:
    return (json.loads((ROOT / "fixtures/films/yatzy-solo/game.json").read_text(encoding="utf-8")),)


@functools.cache
def calibrations() -> tuple[Any, ...]:
    outline = [[2.0, 2.0], [60.0, 2.0], [60.0, 44.0], [2.0, 44.0]]
    kept = {"camera": "usb:0", "width": 64, "height": 48, "outline": outline, "mm": 200.0, "die": 9.5, "noise": 1.5}
    return ({**kept, "shape": "rectangle"}, {**kept, "shape": "round", "mm": None})


def told(argv: list[str]) -> tuple[int, list[str]]:
    """Run one command here; its exit status and the lines of its complaint."""
    out, complaint = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(complaint):
        status = main(argv)
        out.flush()
        complaint.flush()
    assert isinstance(complaint.buffer, io.BytesIO)
    return status, complaint.buffer.getvalue().decode().splitlines()


def clear(lines: list[str]) -> None:
    """Each is one line that a person can read."""
    for line in lines:
        assert line.strip(), "an empty line"
        assert line.isprintable(), f"a line that bends the screen: {line!r}"
        assert len(line) <= LINE_LETTERS, f"a line of {len(line)} letters: {line[:200]}…"
        assert "Traceback" not in line


def command(argv: list[str], *, complaints: int | None = 1) -> bool:
    """A command that must answer, or refuse with `complaints` clear lines (None: with one or more)."""
    status, lines = told(argv)
    assert status in (0, 1), f"exit status {status}"
    clear(lines)
    if status:
        assert len(lines) == complaints or (complaints is None and lines), f"{len(lines)} lines: {lines[:3]}"
    else:
        assert not lines, f"says it is well and complains: {lines[:3]}"
    return status == 1


def refused(function: Callable[[], object], *errors: type[Exception]) -> bool:
    """Something that must do, or raise one of these errors with one clear line."""
    try:
        function()
    except errors as error:
        clear(str(error).split("\n"))
        return True
    return False


def try_sheet(folder: Path, raw: bytes) -> bool:
    (folder / "sheet.json").write_bytes(raw)
    return command(["score", "--json", str(folder / "sheet.json")]) | command(["score", str(folder / "sheet.json")])


def try_events(folder: Path, raw: bytes) -> bool:
    (folder / "events.jsonl").write_bytes(raw)
    path = str(folder / "events.jsonl")
    return command(["replay", "--json", path]) | command(["replay", path])


def try_settings(folder: Path, raw: bytes) -> bool:
    path = folder / "config.toml"
    path.write_bytes(raw)
    where = ["--config", str(path), "--state", str(folder / "state")]
    refusal = command(["config", *where], complaints=None)
    told(["config", "--explain", *where])
    found = config.load(path)
    for fault in found.faults:
        clear(fault.detail.split(" · "))
    return refusal


def try_choices(folder: Path, raw: bytes) -> bool:
    (folder / choices.NAME).write_bytes(raw)
    found = choices.kept(folder)
    clear(list(found.wrong))
    config.load(folder / "none.toml", chosen=found)
    return bool(found.wrong)


def try_game(folder: Path, raw: bytes) -> bool:
    own = folder / "games"
    own.mkdir(exist_ok=True)
    (own / "own.toml").write_bytes(raw)
    before = os.environ.get("CONFIGURATION_DIRECTORY")
    os.environ["CONFIGURATION_DIRECTORY"] = str(folder)
    try:
        return command(["games", "--json"], complaints=None) | command(["games"], complaints=None)
    finally:
        if before is None:
            del os.environ["CONFIGURATION_DIRECTORY"]
        else:
            os.environ["CONFIGURATION_DIRECTORY"] = before


def try_labels(folder: Path, raw: bytes) -> bool:
    _picture(folder / "a.png")
    (folder / "labels.json").write_bytes(raw)
    return command(["evaluate", "--json", "--tell-count", str(folder)])


def try_film(folder: Path, raw: bytes) -> bool:
    for number in range(1, 4):
        _picture(folder / f"{number}.png")
    (folder / "film.json").write_bytes(raw)

    def play() -> None:
        camera = open_camera(f"recording:{folder}", paced=False)
        for clip in range(3):
            camera.read()
            camera.go_on(clip)
        camera.close()

    return refused(play, CameraError) | refused(lambda: load_film(folder), LabelError)


def try_recorded(folder: Path, raw: bytes) -> bool:
    (folder / "game.json").write_bytes(raw)
    return refused(lambda: load_recorded(folder), RecordedGameError)


def try_calibration(folder: Path, raw: bytes) -> bool:
    _picture(folder / "camera.png")
    (folder / "camera.json").write_bytes(raw)
    return refused(lambda: load_calibration(folder / "camera.json"), CalibrationError)


def try_journal(folder: Path, raw: bytes) -> bool:
    """A journal whose rows all hold, with events that no rule of ours made: the table starts, shows something, and
    takes the next game."""
    journal = Journal(folder / "state")
    for line in raw.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            body = json.loads(line.decode("utf-8"))
            if isinstance(body, dict):
                journal.append(body)
    journal.close()
    assert journal.written == journal.last, "events were not written"
    journal = Journal(folder / "state")
    try:
        session = Session(rules.games(), journal)
        _screen().show(session.view())
        session.results.go_on(1.0)
        _screen().show(session.view())
        return session.match is None
    finally:
        journal.close()


@functools.cache
def _screen() -> Window:
    return Window((800, 480), off_screen=True)


@functools.cache
def _png() -> bytes:
    import cv2
    import numpy as np

    return bytes(cv2.imencode(".png", np.full((48, 64, 3), 90, np.uint8))[1])


def _picture(path: Path) -> None:
    path.write_bytes(_png())


@contextlib.contextmanager
def no_hang() -> Iterator[None]:
    """Raises in the code that uses more than `HANG_SECONDS` of the processor."""

    def hangs(number: int, frame: object) -> None:
        raise AssertionError(f"hangs: more than {HANG_SECONDS:g} s of processor time")

    before = signal.signal(signal.SIGPROF, hangs)
    signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


Attempt = Callable[[Path, bytes], bool]
"""Does something with a file of these bytes, in a folder of its own; whether it was refused."""


def batch(strategy: st.SearchStrategy[bytes], attempt: Attempt) -> Callable[[int, Path], Counter[str]]:
    def case(number: int, folder: Path) -> Counter[str]:
        counts: Counter[str] = Counter()

        @seed(number)
        @settings(
            max_examples=BATCH, database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False
        )
        @given(raw=strategy)
        def try_all(raw: bytes) -> None:
            with memory_folder() as place, no_hang():
                try:
                    counts["refused"] += attempt(place, raw)
                except AssertionError:
                    raise
                except Exception as error:
                    raise AssertionError(f"{type(error).__name__}: {error} for {raw[:3000]!r}") from error
                counts["files"] += 1

        try_all()
        return counts

    return case


def told_of(what: str) -> Callable[[int, Counter[str]], str]:
    def line(cases: int, counts: Counter[str]) -> str:
        return (
            f"{counts['files']} fuzzed {what}: {counts['refused']} refused with one clear line; no traceback, no hang"
        )

    return line


KINDS: tuple[tuple[str, str, int, st.SearchStrategy[bytes], Attempt], ...] = (
    ("fuzz-settings", "settings files", 15_000, toml_files(settings_files), try_settings),
    ("fuzz-choices", "files of choices", 10_000, toml_files(settings_files), try_choices),
    ("fuzz-games", "game files", 15_000, toml_files(games), try_game),
    ("fuzz-sheets", "sheet files", 20_000, documents(sheets), try_sheet),
    ("fuzz-events", "event files", 20_000, event_files(), try_events),
    ("fuzz-labels", "label files", 10_000, documents(labels), try_labels),
    ("fuzz-films", "film.json", 10_000, documents(films), try_film),
    ("fuzz-recorded", "game.json of films", 3_000, documents(recorded_games), try_recorded),
    ("fuzz-calibrations", "calibrations", 5_000, documents(calibrations), try_calibration),
    ("fuzz-journals", "journals", 5_000, event_files(), try_journal),
)
SOAKS = tuple(
    Soak(name, files // BATCH, batch(strategy, attempt), told_of(what))
    for name, what, files, strategy, attempt in KINDS
)
