"""The recordings in fixtures/ are whole and agree with themselves. Needs neither the studio nor a reader."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
PHOTO_FOLDERS = sorted(p.parent for p in (FIXTURES / "photos").glob("*/labels.json"))
FILM = FIXTURES / "films" / "yatzy-solo"
BIGGEST = 60 * 2**20  # bytes, all fixtures together
UPPER = ["ones", "twos", "threes", "fours", "fives", "sixes"]
TROUBLES = {"cocked", "stacked", "cut-off", "no-dice", "dark", "blurred", "glare", "hand", "hidden", "unexplained"}

pytestmark = pytest.mark.skipif(not PHOTO_FOLDERS, reason="installed without the recordings")


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def jpeg_size(path: Path) -> tuple[int, int]:
    """Width and height from a JPEG's frame header."""
    data = path.read_bytes()
    assert (data[:2], data[-2:]) == (b"\xff\xd8", b"\xff\xd9"), f"{path} is no whole JPEG"
    at = 2
    while at < len(data):
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in (0xC0, 0xC1, 0xC2):
            high, wide = struct.unpack(">HH", data[at + 5 : at + 9])
            return wide, high
        at += 2 + length
    raise AssertionError(f"{path} has no frame header")


def label_faults(label: dict[str, Any], width: int, height: int) -> list[str]:
    """What is wrong with one entry of a labels.json."""
    faults = []
    values, faces, boxes = label["values"], label["faces"], label["boxes"]
    if values != sorted(values) or any(v not in range(1, 7) for v in values):
        faults.append("values are not sorted faces")
    if sorted(faces) != values:
        faults.append("faces are not the values")
    if not len(faces) == len(boxes) == len(label["corners"]) == len(label["angles"]):
        faults.append("faces, boxes, corners and angles differ in number")
    lost = label.get("unreadable_boxes", [])
    if len(lost) != label.get("unreadable", 0):
        faults.append("unreadable is not the number of unreadable boxes")
    if (len(boxes) + len(lost) < 1) != ("no-dice" in label.get("troubles", [])):
        faults.append("no dice, unless that is the trouble")
    for x0, y0, x1, y1 in boxes + lost:
        if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
            faults.append("a box leaves the picture")
    for box, corners in zip(boxes, label["corners"], strict=False):
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        if any(abs(a - b) > 0.11 for a, b in zip(box, (min(xs), min(ys), max(xs), max(ys)), strict=True)):
            faults.append("a box is not round its corners")
        side = ((corners[0][0] - corners[1][0]) ** 2 + (corners[0][1] - corners[1][1]) ** 2) ** 0.5
        if not (32 if label.get("tier") == "wild" else 40) <= side <= 115:
            faults.append(f"a die of {side:.0f} pixels")
    if not all(0 <= a < 90 for a in label["angles"]):
        faults.append("an angle outside 0 to 90 degrees")
    troubles = set(label.get("troubles", []))
    if not troubles <= TROUBLES:
        faults.append("an unknown trouble")
    if lost and not troubles:
        faults.append("dice that cannot be read and no trouble named")
    if "cocked" in troubles and not lost:
        faults.append("cocked, and yet all is readable")
    return faults


def throw_faults(throws: list[dict[str, Any]], cuts: list[int], frames: int) -> list[str]:
    """What is wrong with the throws of a film."""
    faults = []
    if len(cuts) != len(throws) or cuts[:1] != [1] or cuts != sorted(set(cuts)):
        faults.append("not one cut for every throw")
    ends = [*(c - 1 for c in cuts[1:]), frames]
    for n, (throw, cut, end) in enumerate(zip(throws, cuts, ends, strict=False), 1):
        values = throw["values"]
        if values != sorted(values) or len(values) != 5 or any(v not in range(1, 7) for v in values):
            faults.append(f"throw {n}: not five sorted faces")
        if [d["value"] for d in throw["dice_truth"]] != values:
            faults.append(f"throw {n}: the dice differ from the values")
        if not cut <= throw["from"] < throw["settled"] or end - throw["settled"] + 1 < 4:
            faults.append(f"throw {n}: frames out of order, or fewer than four settled")
        before = throws[n - 2]["values"] if n > 1 else []
        stayed = throw["stayed"]
        if len(set(stayed)) != len(stayed) or any(not 0 <= i < len(before) for i in stayed):
            faults.append(f"throw {n}: stayed points at no die")
        elif Counter(before[i] for i in stayed) - Counter(values):
            faults.append(f"throw {n}: a die that stayed shows another face")
    return faults


def sheet_faults(sheet: dict[str, Any]) -> list[str]:
    """What does not add up on a finished sheet."""
    boxes = sheet["boxes"]
    upper = sum(boxes[b] for b in UPPER)
    bonus = 50 if upper >= 63 else 0
    faults = [] if len(boxes) == 15 else ["not fifteen boxes"]
    if (sheet["upper-sum"], sheet["upper-bonus"]) != (upper, bonus):
        faults.append("the upper part does not add up")
    if sheet["total"] != sum(boxes.values()) + bonus:
        faults.append("the total does not add up")
    return faults


@pytest.mark.parametrize("folder", PHOTO_FOLDERS, ids=lambda p: p.name)
def test_labels_are_well_formed_and_every_photograph_has_one(folder: Path) -> None:
    labels = read(folder / "labels.json")
    assert sorted(labels) == sorted(p.name for p in folder.glob("*.jpg"))
    for name, label in labels.items():
        assert label_faults(label, *jpeg_size(folder / name)) == [], name


def test_photographs_are_many_and_varied() -> None:
    every = [label for folder in PHOTO_FOLDERS for label in read(folder / "labels.json").values()]
    counts = Counter(len(label["boxes"]) + label.get("unreadable", 0) for label in every)
    assert len(every) >= 300
    assert len({label["scene"] for label in every}) >= 20
    assert {label["tier"] for label in every} == {"tray", "oblique", "wild"}
    assert counts[5] > len(every) / 3
    assert counts[6]
    assert sum(counts[n] for n in (1, 2, 3, 4))
    assert sum(bool(label.get("unreadable")) or "no-dice" in label.get("troubles", ()) for label in every) >= 60
    assert set(range(1, 7)) == {face for label in every for face in label["faces"]}


def test_bench_picture_is_six_clean_dice_and_the_same_tray_without() -> None:
    folder = FIXTURES / "photos" / "bench"
    label, empty = (read(folder / "labels.json")[name] for name in ("six-dice.jpg", "no-dice.jpg"))
    assert jpeg_size(folder / "six-dice.jpg") == jpeg_size(folder / "no-dice.jpg") == (1280, 720)
    assert empty["values"] == []
    assert len(label["values"]) == 6
    assert "unreadable" not in label
    assert "troubles" not in label


def test_film_frames_are_consecutive_and_alike() -> None:
    frames = sorted(p for p in FILM.glob("*.jpg"))
    assert [p.name for p in frames] == [f"{n:06d}.jpg" for n in range(1, len(frames) + 1)]
    assert {jpeg_size(p) for p in frames} <= {(800, 450)}
    assert len(frames) > 300


def test_film_throws_are_whole() -> None:
    film = read(FILM / "film.json")
    assert throw_faults(film["throws"], film["cuts"], len(list(FILM.glob("*.jpg")))) == []
    assert film["fps"] == 15
    assert film["dice"] == 5


def test_what_the_person_did_fits_the_throws() -> None:
    throws = read(FILM / "film.json")["throws"]
    game, sheet = read(FILM / "game.json"), read(FILM / "sheet.json")
    at = 0
    for turn in game["turns"]:
        assert throws[at]["stayed"] == []
        for kept in turn["keep"]:
            assert [throws[at]["values"][i] for i in throws[at + 1]["stayed"]] == sorted(kept)
            at += 1
        at += 1
        dice = throws[at - 1]["values"]
        if turn["box"] in UPPER:
            face = UPPER.index(turn["box"]) + 1
            assert sheet["boxes"][turn["box"]] == face * dice.count(face)
        elif turn["box"] == "chance":
            assert sheet["boxes"]["chance"] == sum(dice)
    assert at == len(throws)
    assert sorted(t["box"] for t in game["turns"]) == sorted(sheet["boxes"])
    assert sheet_faults(sheet) == []


def test_recordings_stay_small() -> None:
    assert sum(p.stat().st_size for p in FIXTURES.rglob("*") if p.is_file() and "__pycache__" not in p.parts) <= BIGGEST


def test_studio_shares_no_code_with_the_appliance() -> None:
    for source in (FIXTURES / "studio").glob("*.py"):
        imported = re.findall(r"^\s*(?:from|import)\s+(\w+)", source.read_text(encoding="utf-8"), re.M)
        assert not {"rules", "vision", "display", "device"} & set(imported), source.name


def test_the_checks_find_what_is_wrong() -> None:
    square = [[10.0, 10.0], [60.0, 10.0], [60.0, 60.0], [10.0, 60.0]]
    good = {"values": [3], "faces": [3], "boxes": [[10.0, 10.0, 60.0, 60.0]], "corners": [square], "angles": [0.0]}
    assert label_faults(good, 100, 100) == []
    assert label_faults(good, 50, 100)
    assert label_faults(good | {"faces": [4]}, 100, 100)
    assert label_faults(good | {"unreadable": 1}, 100, 100)
    assert label_faults(good | {"values": [3, 1]}, 100, 100)
    dice = [{"value": v} for v in (1, 1, 2, 3, 4)]
    first = {"from": 2, "settled": 4, "values": [1, 1, 2, 3, 4], "stayed": [], "dice_truth": dice}
    second = first | {"from": 10, "settled": 12, "stayed": [0, 1]}
    assert throw_faults([first, second], [1, 9], 15) == []
    changed = second | {"values": [1, 2, 2, 3, 4], "dice_truth": [{"value": v} for v in (1, 2, 2, 3, 4)]}
    assert throw_faults([first, changed], [1, 9], 15)
    assert throw_faults([first, second], [1, 9], 14)
    boxes = dict.fromkeys([*UPPER, *"abcdefghi"], 0) | {"sixes": 24}
    sheet = {"boxes": boxes, "upper-sum": 24, "upper-bonus": 0, "total": 24}
    assert sheet_faults(sheet) == []
    assert sheet_faults(sheet | {"total": 25})
