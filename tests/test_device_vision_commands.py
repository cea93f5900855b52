"""`tallytray read`, `evaluate` and `record` from the outside."""

import argparse
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray

from device.__main__ import main
from device.commands import BadInput, record

IMAGE = tray([Drawn(3, 200, 200), Drawn(5, 500, 200)])


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "two.png"
    cv2.imwrite(str(path), IMAGE)
    return path


def test_read_answers_one_line_per_photo_in_order(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = photo.with_name("none.png")
    cv2.imwrite(str(other), np.full((200, 300, 3), 90, np.uint8))
    assert main(["read", "--json", "--dice", "2", str(photo), str(other)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["photo"] == str(photo)
    assert first["values"] == [3, 5]
    assert first["sure"] is True
    assert first["troubles"] == []
    assert set(first) == {"photo", "values", "sure", "troubles", "ms", "decode_ms", "dice"}
    assert set(first["dice"][0]) == {"value", "confidence", "centre", "size", "angle", "trouble"}
    assert second["values"] == []
    assert second["sure"] is False
    assert "no-dice" in second["troubles"]


def test_an_unreadable_photo_does_not_stop_the_others(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = photo.with_name("words.jpg")
    bad.write_text("no picture")
    assert main(["read", "--json", str(bad), str(photo)]) == 1
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert first["photo"] == str(bad)
    assert "words.jpg" in first["error"]
    assert second["values"] == [3, 5]
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["missing.jpg", "folder", "empty.jpg", "half.jpg", "words.jpg"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_bad_photos_are_one_clear_line(
    tmp_path: Path, name: str, form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    elif name == "half.jpg":
        data = bytes(cv2.imencode(".jpg", IMAGE)[1])
        path.write_bytes(data[: len(data) // 2])
    elif name == "empty.jpg":
        path.touch()
    elif name == "words.jpg":
        path.write_text("words")
    assert main(["read", *form, str(path)]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(path) in err


def test_read_in_words(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--dice", "3", str(photo)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{photo}: 3 5")
    assert "not sure: " in out
    assert "count" in out


def test_explained_pictures_are_written(photo: Path, tmp_path: Path) -> None:
    assert main(["read", "--explain", str(tmp_path / "seen" / "here"), str(photo), str(photo)]) == 0
    assert len(list((tmp_path / "seen" / "here").glob("*.jpg"))) == 2


def test_explain_into_a_file_is_refused(photo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "--explain", str(photo), str(photo)]) == 1
    assert str(photo) in capsys.readouterr().err


@pytest.mark.parametrize("count", ["0", "-1", "x", "1000", "²"])
def test_impossible_counts_are_wrong_usage(photo: Path, count: str) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["read", "--dice", count, str(photo)])
    assert caught.value.code == 2


def labelled(folder: Path, values: list[int]) -> Path:
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "two.png"), IMAGE)
    (folder / "labels.json").write_text(json.dumps({"two.png": {"values": values}}))
    return folder


def test_evaluate_counts_folders_of_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labelled(tmp_path / "good", [3, 5])
    labelled(tmp_path / "other", [3, 4])
    assert main(["evaluate", "--json", "--tell-count", "--worst", "1", str(tmp_path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["frames"], answer["exact"], answer["dice"], answer["dice_right"]) == (2, 1, 4, 3)
    assert (answer["sure_and_right"], answer["sure_and_wrong"]) == (1, 1)
    assert set(answer["sets"]) == {"good", "other"}
    assert answer["worst"][0]["photo"].endswith("other/two.png")
    assert main(["evaluate", str(tmp_path)]) == 0
    assert "tier tray" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("labels", "words"),
    [('{"two.png": {\n"values": [3,}}', "labels.json:2"), ('{"two.png": {"values": [9]}}', "values"), ("", ":1")],
)
def test_evaluate_names_the_place_of_a_broken_label(
    tmp_path: Path, labels: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = labelled(tmp_path / "set", [3, 5])
    (folder / "labels.json").write_text(labels)
    assert main(["evaluate", str(folder)]) == 1
    err = capsys.readouterr().err
    assert words in err
    assert len(err.splitlines()) == 1


def test_evaluate_needs_every_labelled_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = labelled(tmp_path / "set", [3, 5])
    (folder / "two.png").unlink()
    assert main(["evaluate", str(folder)]) == 1
    assert "two.png does not exist" in capsys.readouterr().err
    assert main(["evaluate", str(tmp_path / "none")]) == 1
    assert "does not exist" in capsys.readouterr().err


def recorded(*words: str) -> int:
    parser = argparse.ArgumentParser()
    record.arguments(parser)
    return record.run(parser.parse_args(words))


def test_record_numbers_on_and_never_overwrites(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "film.json").write_text('{"fps": 100}')
    for number in (1, 2, 3):
        cv2.imwrite(str(source / f"{number}.png"), np.full((40, 60, 3), 60 * number, np.uint8))
    folder = tmp_path / "new"
    command = ["--camera", f"recording:{source}", str(folder)]
    assert recorded(*command, "--frames", "2", "--film") == 0
    assert recorded(*command, "--frames", "9") == 0  # the recording ends after three
    assert sorted(path.name for path in folder.glob("*.jpg")) == [f"00000{n}.jpg" for n in (1, 2, 3, 4, 5)]
    assert abs(int(cv2.imread(str(folder / "000003.jpg"))[0, 0, 0]) - 60) < 4
    assert 0 < json.loads((folder / "film.json").read_text())["fps"] <= 1000
    with pytest.raises(BadInput, match="never overwrites"):
        recorded(*command, "--film")


def test_record_stops_before_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, folder = tmp_path / "source", tmp_path / "kept"
    source.mkdir()
    for number in range(5):
        cv2.imwrite(str(source / f"{number}.png"), np.full((48, 64, 3), number, np.uint8))
    room = [record.ROOM_MB * 1_000_000 + 1, record.ROOM_MB * 1_000_000, record.ROOM_MB * 1_000_000 - 1]

    def usage(path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=room.pop(0) if len(room) > 1 else room[0])

    monkeypatch.setattr(shutil, "disk_usage", usage)
    command = ["--camera", f"recording:{source}", str(folder), "--frames", "5", "--film"]
    with pytest.raises(BadInput, match="kept: stopped after 2 frames, less than 500 MB are left on the disk") as said:
        recorded(*command)
    assert len(str(said.value).splitlines()) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["000001.jpg", "000002.jpg", "film.json"]
    other = tmp_path / "other"
    with pytest.raises(BadInput, match="stopped after 0 frames"):
        recorded("--camera", f"recording:{source}", str(other), "--film")
    assert list(other.iterdir()) == []


def test_record_without_a_camera(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="usb:97: not plugged in"):
        recorded("--camera", "usb:97", str(tmp_path))
    with pytest.raises(BadInput, match=r"nothing\.toml"):
        recorded("--camera", f"virtual:{tmp_path / 'nothing.toml'}", str(tmp_path))
    with pytest.raises(SystemExit) as wrong:
        recorded("--camera", "moon", str(tmp_path))
    assert wrong.value.code == 2
