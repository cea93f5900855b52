"""`tallytray calibrate`, the page of marks, and the calibration in the vision process."""

import json
import pickle
import re
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray

from device import marks_page
from device.__main__ import main
from device.calibrations import Calibrations
from device.marks_page import DPI, PAGE_MM
from device.vision_words import Calibrate, Calibrates, Checked
from display.words import LANGUAGES, words
from vision.calibrating import Ask, Snag
from vision.calibration import load
from vision.frame import Frame
from vision.tray import find_marks
from vision.watch import Watch

ROOT = Path(__file__).resolve().parents[1]
FILM = ROOT / "fixtures" / "films" / "yatzy-solo"
DICE = (Drawn(3, 180, 120), Drawn(5, 320, 140), Drawn(1, 500, 220), Drawn(6, 640, 310), Drawn(2, 230, 330))


def test_a_recorded_camera_is_calibrated_and_reads_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "film.json"
    assert main(["calibrate", "--camera", f"recording:{FILM}", "--dice", "5", "--out", str(kept), "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["tray"] == "rectangle"
    assert found["size"] == [800, 450]
    assert 50 < found["die"] < 57
    assert found["advice"] == []
    assert found["dice"].count(1) == 4
    assert said.err.splitlines()[:2] == ["Take everything out of the tray.", "Throw all the dice into the tray once."]
    film = json.loads((FILM / "film.json").read_text())
    for throw in film["throws"][:2]:
        photo = str(FILM / f"{throw['settled']:06d}.jpg")
        assert main(["read", photo, "--dice", "5", "--calibration", str(kept), "--json"]) == 0
        read = json.loads(capsys.readouterr().out)
        assert read["values"] == throw["values"]
        assert read["sure"]


def test_it_is_kept_in_the_state_folder_by_the_cameras_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--camera", f"recording:{FILM}", "--state", str(tmp_path)]) == 0
    (kept,) = (tmp_path / "cameras").glob("*.json")
    assert load(kept).camera == f"recording:{FILM}"
    assert str(kept) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words_", "says"),
    [
        ("--sheet {tmp}/marks.gif", r"marks\.gif: .*\.pdf or a \.png"),
        ("--sheet {tmp}/no/marks.pdf", r"marks\.pdf cannot be written: "),
        ("--camera recording:{tmp}", r"neither numbered pictures nor a video"),
        ("--camera recording:{film} --out /proc/x/y.json", r"/proc/x/y\.json: the calibration cannot be kept"),
    ],
)
def test_bad_input_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], words_: str, says: str) -> None:
    assert main(["calibrate", *words_.format(tmp=tmp_path, film=FILM).split()]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert re.search(says, lines[-1])
    assert lines[-1].startswith("tallytray calibrate: ")


def film(folder: Path, *parts: tuple[tuple[Drawn, ...], int]) -> Path:
    folder.mkdir()
    number = 0
    for dice, count in parts:
        image = tray(dice, seed=number)
        for _ in range(count):
            number += 1
            cv2.imwrite(str(folder / f"{number:03d}.png"), image)
    return folder


def test_what_kept_it_from_working_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = film(tmp_path / "full", (DICE, 12))
    assert main(["calibrate", "--camera", f"recording:{full}", "--state", str(tmp_path)]) == 1
    assert "dice in the tray" in capsys.readouterr().err.splitlines()[-1]
    never = film(tmp_path / "never", ((), 20))
    assert main(["calibrate", "--camera", f"recording:{never}", "--state", str(tmp_path)]) == 1
    assert "Throw all the dice" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "cameras").exists()


def test_without_a_rim_nothing_is_kept_and_marks_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = film(tmp_path / "bare", ((), 12), (DICE, 14))
    for place in ("--state", "--out"):
        assert main(["calibrate", "--camera", f"recording:{bare}", place, str(tmp_path / "kept")]) == 1
        said = capsys.readouterr().err.splitlines()[-1]
        assert "no rim was found" in said
        assert "--sheet marks.pdf" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bare"]


def test_every_step_has_a_sentence_in_every_language() -> None:
    for code in LANGUAGES:
        assert set(words(code).table["calibration"]) == {*Ask, *Snag}, code
        assert all(re.search(r"[.!?]$", words(code).calibration(step)) for step in (*Ask, *Snag)), code


# The page


def test_the_png_is_at_true_scale_and_its_marks_are_read(tmp_path: Path) -> None:
    page = tmp_path / "marks.png"
    assert main(["calibrate", "--sheet", str(page)]) == 0
    data = page.read_bytes()
    at = data.index(b"pHYs")
    assert struct.unpack(">IIB", data[at + 4 : at + 13]) == (round(DPI / 0.0254), round(DPI / 0.0254), 1)
    image = cv2.imread(str(page))
    assert image is not None
    assert image.shape[:2] == (round(PAGE_MM[1] * DPI / 25.4), round(PAGE_MM[0] * DPI / 25.4))
    seen = find_marks(image)
    assert seen is not None
    assert seen.mm == pytest.approx(25.4 / DPI, rel=0.01)
    # Cut out and laid in a tray, seen small, from the side and in poor light.
    small = cv2.resize(image, None, fx=0.12, fy=0.12, interpolation=cv2.INTER_AREA)
    tilted = cv2.warpPerspective(
        small, np.array([[1, 0.08, 20], [0, 0.9, 10], [0, 0.0004, 1.0]]), (360, 400), borderValue=(90, 90, 90)
    )
    noisy = np.clip(tilted * 0.5 + np.random.default_rng(1).normal(20, 4, tilted.shape), 0, 255)
    assert find_marks(noisy.astype(np.uint8)) is not None


def test_the_pdf_shows_the_same_page(tmp_path: Path) -> None:
    page = tmp_path / "marks.pdf"
    assert main(["calibrate", "--sheet", str(page)]) == 0
    data = page.read_bytes()
    assert data.startswith(b"%PDF-1.4")
    assert data.endswith(b"%%EOF\n")
    # Every object is where the table says.
    table = int(re.search(rb"startxref\n(\d+)\n", data)[1])  # type: ignore[index]
    assert data[table:].startswith(b"xref")
    for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data[table:]), 1):
        assert data[int(place) :].startswith(b"%d 0 obj" % number)
    length, stream = re.search(rb"/Length (\d+) >>\nstream\n(.*)\nendstream", data, re.DOTALL).groups()  # type: ignore[union-attr]
    assert int(length) == len(stream)
    wide, high = map(float, re.search(rb"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data).groups())  # type: ignore[union-attr]
    assert (wide, high) == pytest.approx((PAGE_MM[0] * 72 / 25.4, PAGE_MM[1] * 72 / 25.4), abs=0.01)
    # Drawn by hand from the stream, the marks are read and have their size: 72 points an inch.
    drawn = np.full((round(high * 2), round(wide * 2), 3), 255, np.uint8)
    for rectangle in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re", stream):
        x, y, w, h = (float(number) * 2 for number in rectangle)
        drawn[round(high * 2 - y - h) : round(high * 2 - y), round(x) : round(x + w)] = 0
    seen = find_marks(drawn)
    assert seen is not None
    assert seen.mm == pytest.approx(25.4 / 144, rel=0.01)
    assert len(list(marks_page.rectangles())) == len(re.findall(rb" re\b", stream))


# In the vision process


def frames(image: np.ndarray, start: int, count: int) -> list[Frame]:
    rng = np.random.default_rng(start)
    return [
        Frame(start + k, (start + k) / 15, np.clip(image + rng.normal(0, 2, image.shape), 0, 255).astype(np.uint8))
        for k in range(count)
    ]


def rimmed(image: np.ndarray) -> np.ndarray:
    image = image.copy()
    cv2.rectangle(image, (60, 30), (740, 420), (40, 80, 130), 30)
    return image


def calibrated(folder: Path, watch: Watch, empty: np.ndarray, full: np.ndarray) -> Calibrations:
    kept = Calibrations(folder)
    list(kept.opened("usb:0", watch))
    kept.order(Calibrate(True), 5)
    for frame in frames(empty, 0, 10) + frames(full, 10, 12):
        if kept.running:
            list(kept.look(frame, 1.0, watch))
    assert not kept.running
    return kept


def test_the_vision_process_calibrates_keeps_and_uses_it(tmp_path: Path) -> None:
    kept, watch = Calibrations(tmp_path), Watch(5)
    assert list(kept.opened("usb:0", watch)) == []
    kept.order(Calibrate(True), 5)
    assert kept.running
    said = []
    for frame in frames(rimmed(tray(())), 0, 10) + frames(rimmed(tray(DICE)), 10, 12):
        if kept.running:
            said += list(kept.look(frame, 0.8, watch))
    assert not kept.running
    told = [word for word in said if isinstance(word, Calibrates)]
    steps = [word.ask for word in told]
    assert list(dict.fromkeys(steps)) == [Ask.EMPTY, Ask.THROW, Ask.NOTHING]
    assert (told[0].die, told[-1].die) == (None, pytest.approx(60, rel=0.08))
    assert len(told[-1].outline) == 4
    assert len(pickle.dumps(told[-1])) < 2000, "small words only"
    assert watch.known is not None
    again, other = Calibrations(tmp_path), Watch(5)
    assert list(again.opened("usb:0", other)) == []
    assert other.known is not None
    assert other.known.calibration.die == pytest.approx(watch.known.calibration.die, abs=0.01)
    third = Watch(5)
    assert list(Calibrations(tmp_path).opened("usb:1", third)) == []
    assert third.known is None, "another camera's"


def test_a_tray_without_a_rim_is_known_till_the_end_and_never_kept(tmp_path: Path) -> None:
    """The whole picture is the tray there, with whoever sits round it."""
    watch = Watch(5)
    kept = calibrated(tmp_path, watch, tray(()), tray(DICE))
    assert watch.known is not None
    assert watch.known.calibration.tray.shape == "picture"
    assert list(tmp_path.iterdir()) == []
    kept._kept_at = -1e9
    for frame in frames((tray(()) * 0.85).astype(np.uint8), 600, 9):
        watch.look(frame)
        list(kept.check(watch))
    assert list(tmp_path.iterdir()) == [], "nor when it is taken anew in another light"
    other = Watch(5)
    assert list(Calibrations(tmp_path).opened("usb:0", other)) == []
    assert other.known is None
    seen = [other.look(frame).reading for frame in frames(tray(DICE), 0, 12)][-1]
    assert seen is not None
    assert sorted(die.value or 0 for die in seen.dice) == [1, 2, 3, 5, 6], "without it the dice are read all the same"


def test_what_was_kept_of_a_tray_without_a_rim_is_forgotten(tmp_path: Path) -> None:
    """By an older program, or before the rim was taken away."""
    rim = [rimmed(tray(())), rimmed(tray(DICE))]
    calibrated(tmp_path, Watch(5), *rim)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["usb-0.json", "usb-0.png"]
    text = (tmp_path / "usb-0.json").read_text()
    (tmp_path / "usb-0.json").write_text(text.replace('"rectangle"', '"picture"'))
    watch = Watch(5)
    assert list(Calibrations(tmp_path).opened("usb:0", watch)) == []
    assert watch.known is not None, "for this once"
    assert list(tmp_path.iterdir()) == []
    calibrated(tmp_path, Watch(5), *rim)
    calibrated(tmp_path, Watch(5), tray(()), tray(DICE))
    assert list(tmp_path.iterdir()) == []


def test_stopping_a_calibration_keeps_the_old_one(tmp_path: Path) -> None:
    kept, watch = Calibrations(tmp_path), Watch(5)
    list(kept.opened("usb:0", watch))
    kept.order(Calibrate(True), 5)
    for frame in frames(tray(()), 0, 10):
        list(kept.look(frame, 1.0, watch))
    kept.order(Calibrate(False), 5)
    assert not kept.running
    assert watch.known is None
    assert list(tmp_path.iterdir()) == []


def test_what_is_wrong_with_a_calibration_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "usb-0.json").write_text("{}")
    (said,) = Calibrations(tmp_path).opened("usb:0", Watch(5))
    assert said.fault == "calibration-wrong"
    assert "usb-0.json" in said.detail
    watch, empty = Watch(5), rimmed(tray(()))
    kept = calibrated(tmp_path / "new", watch, empty, rimmed(tray(DICE)))
    told: list[Checked] = []
    at = 30
    for image in (
        empty,
        np.roll(empty, 14, axis=1),
        empty,
        (empty * 0.6).astype(np.uint8),
        (empty * 0.6).astype(np.uint8),
    ):
        for frame in frames(image, at, 9):
            watch.look(frame)
            told += list(kept.check(watch))
        at += 600  # so much later that an empty tray is looked at again
    assert [word.fault for word in told] == ["camera-moved", None, "lamp-changed", None]
