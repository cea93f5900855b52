"""A whole recorded game: decoded pictures in, buttons pressed through mock pins, a sheet on the disk out.

The sheet it is compared with was added up when the film was made, by a program that shares no code with this one.
"""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rules
from device import app
from device.__main__ import main
from device.journal import read_rows
from device.recorded_player import RecordedPlayer
from display.view import View

FILM = Path(__file__).parent.parent / "fixtures" / "films" / "yatzy-solo"
SHEET = json.loads((FILM / "sheet.json").read_text())


def played(film: Path, folder: Path) -> dict[str, Any]:
    """The sheet of the film's game, as the journal on the disk has it."""
    status = main(
        ["demo", "--off-screen", "--film", str(film), "--state", str(folder / "state"), "--out", str(folder / "out")]
    )
    assert status == 0
    events = [rules.event_from_json(row.body) for row in read_rows(folder / "state")]
    match = rules.replay(events)
    assert match is not None
    assert match.phase == "over"
    sheet: dict[str, Any] = rules.state(match)["sheets"][0]
    return sheet


def copied(folder: Path) -> Path:
    """The film in a folder of its own: its pictures linked, its texts copied."""
    film = folder / "film"
    film.mkdir()
    for file in FILM.iterdir():
        if file.suffix == ".json":
            shutil.copy(file, film)
        else:
            (film / file.name).symlink_to(file)
    return film


@pytest.mark.slow
@pytest.mark.timeout(170)
def test_a_whole_game_from_film_to_sheet(tmp_path: Path) -> None:
    sheet = played(FILM, tmp_path)
    assert sheet["columns"][0]["boxes"] == SHEET["boxes"]
    assert sheet["columns"][0]["upper-sum"] == SHEET["upper-sum"]
    assert sheet["columns"][0]["upper-bonus"] == SHEET["upper-bonus"]
    assert sheet["total"] == SHEET["total"]
    shots = sorted((tmp_path / "out").glob("*.png"))
    assert [shot.name[:3] for shot in shots] == [f"{number:03}" for number in range(1, len(shots) + 1)]
    assert len(shots) >= 30


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_truth_beside_the_film_plays_no_part(tmp_path: Path) -> None:
    film = copied(tmp_path)
    known = json.loads((film / "film.json").read_text())
    (film / "film.json").write_text(json.dumps({"fps": known["fps"], "dice": known["dice"], "cuts": known["cuts"]}))
    assert played(film, tmp_path)["columns"][0]["boxes"] == SHEET["boxes"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_other_pictures_give_another_sheet(tmp_path: Path) -> None:
    """The last throws of two turns change places, picture by picture."""
    film = copied(tmp_path)
    known = json.loads((film / "film.json").read_text())
    clips = [_clip(known, film, _last_throw(box)) for box in ("chance", "three-of-a-kind")]
    length = min(len(clip) for clip in clips)
    for one, other in zip(clips[0][-length:], clips[1][-length:], strict=True):
        a, b = one.resolve(), other.resolve()
        one.unlink()
        other.unlink()
        one.symlink_to(b)
        other.symlink_to(a)
    boxes = played(film, tmp_path)["columns"][0]["boxes"]
    assert boxes["chance"] == sum(known["throws"][_last_throw("three-of-a-kind")]["values"])
    assert boxes != SHEET["boxes"]


def _last_throw(box: str) -> int:
    """Which throw of the film was written into this box, 0-based."""
    throw = -1
    for turn in json.loads((FILM / "game.json").read_text())["turns"]:
        throw += 1 + len(turn["keep"])
        if turn["box"] == box:
            return throw
    raise AssertionError(f"nothing was written into {box}")


def _clip(known: dict[str, Any], film: Path, index: int) -> list[Path]:
    cuts = [*known["cuts"], len(list(film.glob("*.jpg"))) + 1]
    return [film / f"{number:06}.jpg" for number in range(cuts[index], cuts[index + 1])]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_hands_off_the_same_game_needs_a_touch_only_for_the_boxes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recorded person confirms nothing that was read surely: it is taken by itself."""
    pressed: list[str | None] = []
    button, on_desk = RecordedPlayer._button, app.on_desk

    def hands_off(player: RecordedPlayer, view: View, match: rules.Match) -> str | None:
        if view.countdown is not None:
            return None
        pressed.append(button(player, view, match))
        return pressed[-1]

    monkeypatch.setattr(RecordedPlayer, "_button", hands_off)
    monkeypatch.setattr(app, "on_desk", lambda desk, config: replace(on_desk(desk, config), auto_confirm=True))
    monkeypatch.setattr("device.hand.AUTO_CONFIRM_SECONDS", 0.02)
    sheet = played(FILM, tmp_path)
    assert sheet["columns"][0]["boxes"] == SHEET["boxes"]
    assert sheet["total"] == SHEET["total"]
    chosen = len(SHEET["boxes"])
    throws = sum(row.body["type"] == "thrown" for row in read_rows(tmp_path / "state"))
    assert pressed.count("confirm") < throws, "only what was not read surely, and boxes, are confirmed"
    assert throws > chosen
