"""`tallytray read`: reads dice in photographs."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2

from device.commands import BadInput
from vision.calibration import CalibrationError, load
from vision.explain import explain
from vision.lying import Ground
from vision.photo import PhotoError, open_photo
from vision.read import Decision, decide, look, read_tray
from vision.reading import Reading, enlarged

SUMMARY = "reads the dice in photographs"
EXAMPLE = "tallytray read --dice 5 table.jpg"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="a photograph")
    parser.add_argument("--dice", metavar="N", type=dice_count, help="how many dice there must be")
    parser.add_argument(
        "--calibration", metavar="FILE", type=Path, help="what `tallytray calibrate` kept of the camera"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON per photograph")
    parser.add_argument("--explain", metavar="DIR", type=Path, help="write each photograph with what was seen to DIR")


def dice_count(text: str) -> int:
    """An option's number of dice."""
    if not text.isdecimal() or not 1 <= int(text) <= 40:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of dice, allowed are 1 to 40")
    return int(text)


def run(options: argparse.Namespace) -> int:
    cv2.setNumThreads(1)
    if options.explain is not None:
        make_folder(options.explain)
    ground = load_ground(options.calibration) if options.calibration is not None else None
    failed = False
    for number, path in enumerate(options.photos, 1):
        began = time.perf_counter()
        try:
            photo = open_photo(path)
        except PhotoError as error:
            failed = True
            if options.json:
                print(json.dumps({"photo": str(path), "error": str(error)}, ensure_ascii=False), flush=True)
            print(f"tallytray read: {error}", file=sys.stderr)
            continue
        decoded = time.perf_counter()
        if ground is None:
            decision = decide(look(photo.image), options.dice)
        else:
            decision = read_tray(photo.image, ground, options.dice)
        done = time.perf_counter()
        reading = enlarged(decision.reading, photo.reduced)
        times = {"ms": round((done - decoded) * 1000, 2), "decode_ms": round((decoded - began) * 1000, 2)}
        if options.json:
            print(json.dumps({"photo": str(path), **reading_json(reading), **times}, ensure_ascii=False), flush=True)
        else:
            print(f"{path}: {sentence(reading)}", flush=True)
        if options.explain is not None:
            write_explained(options.explain / f"{number:03d}-{path.stem}.jpg", decision)
    return 1 if failed else 0


def load_ground(path: Path) -> Ground:
    """What is known of a camera's empty tray."""
    try:
        return Ground(load(path))
    except CalibrationError as error:
        raise BadInput(str(error)) from error


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading as `read --json` answers it, without the photo's name and the times."""
    return {
        "values": list(reading.values),
        "sure": reading.sure,
        "troubles": list(reading.troubles),
        "dice": [
            {
                "value": die.value,
                "confidence": die.confidence,
                "centre": list(die.centre),
                "size": die.size,
                "angle": die.angle,
                "trouble": die.trouble,
            }
            for die in reading.dice
        ],
    }


def sentence(reading: Reading) -> str:
    """A reading in the words a person reads."""
    unread = sum(die.value is None for die in reading.dice)
    values = " ".join([*map(str, reading.values), *["?"] * unread]) or "no dice"
    return f"{values}  sure" if reading.sure else f"{values}  not sure: {', '.join(reading.troubles)}"


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder} cannot be made a folder: {error.strerror}") from error


def write_explained(path: Path, decision: Decision) -> None:
    good, data = cv2.imencode(".jpg", explain(decision), (cv2.IMWRITE_JPEG_QUALITY, 92))
    assert good
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
