"""Every command as a user meets it: what it answers, and one clear line for whatever it cannot use."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import rules
from device.__main__ import COMMANDS, main

ROOT = Path(__file__).parent.parent

ANNA: dict[str, Any] = {
    "ones": 3,
    "twos": [2, 2, 2, 2, 5],
    "threes": 9,
    "fours": 12,
    "fives": 20,
    "sixes": 18,
    "three-of-a-kind": [6, 6, 6, 4, 2],
    "four-of-a-kind": [5, 5, 5, 5, 3],
    "full-house": 25,
    "small-straight": 30,
    "large-straight": 40,
    "yahtzee": 50,
    "chance": 23,
    "yahtzee-bonus": 100,
}


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A folder of files nobody can use."""
    image = np.full((120, 160, 3), 200, np.uint8)
    good = cv2.imencode(".jpg", image)[1].tobytes()
    (tmp_path / "half.jpg").write_bytes(good[: len(good) // 2])
    (tmp_path / "head.jpg").write_bytes(good[:20])
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture at all")
    (tmp_path / "zeros.jpg").write_bytes(b"\0" * 4096)
    cv2.imwrite(str(tmp_path / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "broken.json").write_text('{"game": "yahtzee",\n "sheets": [}\n')
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "number.json").write_text("1e999")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "latin.json").write_bytes('{"game": "Å"}'.encode("latin-1"))
    (tmp_path / "unknown.json").write_text('{"game": "poker", "sheets": []}')
    (tmp_path / "unknown.jsonl").write_text('{"type": "game-started", "game": "poker", "players": ["A"]}\n')
    (tmp_path / "noevent.jsonl").write_text(
        '{"type": "game-started", "game": "yatzy", "players": ["A"]}\n{"type": "sneezed"}\n'
    )
    (tmp_path / "folder").mkdir()
    labelled = tmp_path / "labelled"
    labelled.mkdir()
    (labelled / "labels.json").write_text('{"a.jpg": {"values": [1,\n 2,, 3]}}')
    other = tmp_path / "mislabelled"
    other.mkdir()
    (other / "labels.json").write_text('{"a.jpg": {"values": [7], "tier": "tray"}}')
    (tmp_path / "film").mkdir()
    (tmp_path / "film" / "game.json").write_text('{"game": "yatzy",\n "players": 3}')
    (tmp_path / "config.toml").write_text('langauge = "sv"\n')
    (tmp_path / "config2.toml").write_text("rotate = 45\n")
    (tmp_path / "config3.toml").write_text("rotate = \n")
    (tmp_path / "config4.toml").write_text("[buttons]\nconfirm = 5\nundo = 5\n")
    return tmp_path


CASES = [
    *(
        f"read {name}"
        for name in ("nowhere.jpg", "folder", "half.jpg", "head.jpg", "empty.jpg", "text.jpg", "zeros.jpg")
    ),
    *(f"evaluate {name}" for name in ("nowhere", "folder", "text.jpg", "labelled", "mislabelled")),
    *(
        f"{command} {name}"
        for command in ("score", "replay")
        for name in (
            "nowhere.json",
            "folder",
            "empty.json",
            "broken.json",
            "list.json",
            "number.json",
            "deep.json",
            "latin.json",
            "zeros.jpg",
        )
    ),
    "score unknown.json",
    "replay unknown.jsonl",
    "replay noevent.jsonl",
    "games poker",
    "demo --film nowhere",
    "demo --film folder",
    "demo --film film",
    "play --window 640x480 --camera recording:nowhere",
    "play --window 640x480 --config nowhere.toml",
    *(f"config --config {name}" for name in ("nowhere.toml", "folder", *(f"config{n}.toml" for n in ("", 2, 3, 4)))),
    "bench --rounds 0",
]


@pytest.mark.parametrize("line", CASES)
def test_bad_input_is_one_line_and_exit_1(
    line: str, bad: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bad)
    status = main(line.split())
    said = capfd.readouterr()
    assert status == 1, said
    assert len(said.err.strip().splitlines()) == 1, said.err
    assert "Traceback" not in said.err
    for word in line.split()[1:]:
        if (bad / word).exists() or "nowhere" in word:
            assert word.removeprefix("recording:") in said.err, "the line must name the file"


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("score broken.json", "broken.json:2"),
        ("score latin.json", "latin.json:1"),
        ("replay noevent.jsonl", "line 2"),
        ("replay broken.json", "line 1"),
        ("evaluate labelled", "2"),
        ("config --config config.toml", "langauge"),
        ("config --config config2.toml", "rotate"),
        ("config --config config3.toml", "line 1"),
        ("config --config config4.toml", "undo"),
        ("games poker", "trippel-maxi-yatzy"),
        ("score unknown.json", "trippel-maxi-yatzy"),
    ],
)
def test_the_line_says_where_or_what_is_allowed(
    line: str, place: str, bad: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(bad)
    assert main(line.split()) == 1
    assert place in capfd.readouterr().err


def test_a_bad_photo_does_not_keep_the_others_from_being_read(bad: Path, capfd: pytest.CaptureFixture[str]) -> None:
    photo = ROOT / "fixtures" / "photos" / "bench" / "six-dice.jpg"
    status = main(["read", "--json", "--dice", "6", str(bad / "text.jpg"), str(photo)])
    said = capfd.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert status == 1
    assert "error" in lines[0]
    assert len(lines[1]["values"]) == 6


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert f"example: tallytray {command}" in capfd.readouterr().out


@pytest.mark.parametrize("words", [["nonsense"], ["score"], ["read"], ["play", "--window", "big"], ["--nonsense"]])
def test_wrong_usage_is_exit_2(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert "Traceback" not in capfd.readouterr().err


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capfd.readouterr().out.startswith("tallytray 0.")


def test_games_lists_all_seven_with_their_rules(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    games = json.loads(capfd.readouterr().out)["games"]
    assert [game["game"] for game in games] == list(rules.games())
    tie = next(rule for rule in games[0]["rules"] if rule["rule"] == "tie")
    assert tie["choices"] == ["stands", "shared", "throw-off"]
    assert main(["games"]) == 0
    text = capfd.readouterr().out
    assert "upper-bonus-threshold: 63   (allowed: 0 to 105 in steps of 1)" in text


def test_score_adds_up_a_paper_sheet(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"game": "yahtzee", "sheets": [{"player": "Anna", "columns": [ANNA]}]}))
    assert main(["score", "--json", str(sheet)]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer["finished"]
    assert answer["winners"] == ["Anna"]
    assert answer["sheets"][0]["total"] == 420
    assert main(["score", str(sheet)]) == 0
    assert "Anna: 420" in capfd.readouterr().out


def test_score_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    text = json.dumps({"game": "yatzy", "sheets": [{"player": "Åsa", "columns": [{"ones": 3}]}]})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["score", "-"]) == 0
    assert "Åsa: 3" in capfd.readouterr().out


def test_an_impossible_number_is_refused_with_the_possible_ones(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"game": "yahtzee", "sheets": [{"player": "Anna", "columns": [{"twos": 7}]}]}))
    assert main(["score", str(sheet)]) == 1
    line = capfd.readouterr().err
    assert "twos" in line
    assert "7" in line
    assert "0, 2, 4, 6, 8" in line


def test_a_box_that_stands_twice_on_a_paper_sheet_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """JSON would quietly take the second, and the sum would be wrong."""
    sheet = tmp_path / "sheet.json"
    sheet.write_text(
        '{"game": "yahtzee", "sheets": [{"player": "Anna", "columns": [{"twos": 6, "twos": [2, 2, 1, 1, 1]}]}]}'
    )
    assert main(["score", str(sheet)]) == 1
    line = capfd.readouterr().err
    assert "sheet.json: twos stands twice, as 6 and as [2, 2, 1, 1, 1]; allowed: once" in line


def test_replay_answers_line_by_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    events = tmp_path / "game.jsonl"
    events.write_text(
        '{"type": "game-started", "game": "yatzy", "players": ["Anna"]}\n'
        '{"type": "thrown", "dice": [1, 3, 3, 5, 6]}\n'
        '{"type": "held", "slots": [2]}\n'
        '{"type": "thrown", "dice": [1, 4, 3, 5, 6]}\n'
    )
    assert main(["replay", "--json", str(events)]) == 0
    answers = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert answers[:3] == [{"n": 1, "ok": True}, {"n": 2, "ok": True}, {"n": 3, "ok": True}]
    assert answers[3] == {"n": 4, "ok": False, "refusal": "held-die-changed"}
    assert answers[4]["state"]["dice"] == [1, 3, 3, 5, 6]
    assert main(["replay", str(events)]) == 0
    assert "line 4: refused: held-die-changed" in capfd.readouterr().out


def test_a_reader_that_goes_away_is_no_fault() -> None:
    process = subprocess.run(
        f"{sys.executable} -m device games | head -1", shell=True, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stderr == ""
    assert process.stdout.startswith("yahtzee")


FULL = Path("/dev/full")
ANSWERS = ["config --explain", "games", "games --json", "wiring --example", "doctor", "score {sheet}", "games --help"]
HELP = ["--help", "--version", ""]


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    ("line", "unbuffered"),
    [*((line, "") for line in (*ANSWERS, *HELP)), ("config --explain", "1"), ("games --help", "1"), ("--help", "1")],
)
def test_an_answer_that_cannot_be_written_is_said_in_one_line(line: str, unbuffered: str, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text('{"game": "yatzy", "sheets": [{"player": "Anna", "columns": [{"ones": 3}]}]}')
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "device", *line.format(sheet=sheet).split()],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    command = "" if line in HELP else f" {line.split(maxsplit=1)[0]}"
    assert done.stderr == f"tallytray{command}: the answer cannot be written: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize(("stdout", "said", "status"), [("full", 1, 1), ("closed", 0, 0)])
def test_a_demo_whose_events_cannot_be_written_ends_as_every_command(
    stdout: str, said: int, status: int, tmp_path: Path
) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with FULL.open("w") if stdout == "full" else os.fdopen(theirs, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "device", "demo", "--off-screen", "--out", tmp_path / "out"],
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    lines = [line for line in done.stderr.splitlines() if not line.startswith("no screen")]
    assert lines == ["tallytray demo: the answer cannot be written: No space left on device"][:said]
    assert done.returncode == status


def test_an_answer_nobody_wants_is_no_fault() -> None:
    for words in (["games"], ["config", "--example"], ["--version"]):
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "device", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_goes_wrong_with_anything_else_is_not_laid_to_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.commands.games.run", run)
    with pytest.raises(OSError, match="No space"):
        main(["games"])


def test_no_command_says_a_word_before_it_is_asked() -> None:
    """Each in its own process: what one imports hides what another forgot. Answers in JSON go to stdout alone."""
    environment = {name: value for name, value in os.environ.items() if name != "PYGAME_HIDE_SUPPORT_PROMPT"}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", f"import device.commands.{command}"],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
        )
        for command in ("bench", "demo", "play")
    ]
    assert [process.communicate()[0] for process in started] == [b""] * 3
