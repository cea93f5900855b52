"""`tallytray calibrate`: finds the tray, die size and empty-tray picture of a camera."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from device import config
from device.commands import BadInput
from device.commands.read import dice_count
from device.marks_page import write_page
from device.table_options import camera
from display.words import words
from vision.calibrating import Calibrating, Progress
from vision.calibration import calibration_file, save
from vision.cameras import Camera, CameraError, open_camera

SUMMARY = "finds the tray, die size and empty-tray picture of a camera"
EXAMPLE = """tallytray calibrate --camera usb:0 --dice 5
         tallytray calibrate --sheet marks.pdf     (then print it, and lay a mark in each corner of the tray)"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", type=camera, metavar="CAMERA", default="auto", help="which camera (default: auto)")
    parser.add_argument("--dice", metavar="N", type=dice_count, help="how many dice will be thrown")
    parser.add_argument("--out", metavar="FILE", type=Path, help="where to keep it (default: in the state folder)")
    parser.add_argument("--state", metavar="DIR", type=Path, help="the state folder")
    parser.add_argument("--patience", metavar="SECONDS", type=_seconds, default=120.0, help="when to give up (120)")
    parser.add_argument("--insist", action="store_true", help="the tray is empty, whatever it looks like")
    parser.add_argument("--sheet", metavar="FILE", type=Path, help="only write the page of marks: a .pdf or .png")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def _seconds(text: str) -> float:
    if not text.isdecimal() or not 1 <= int(text) <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, allowed are 1 to 3600")
    return float(text)


def run(options: argparse.Namespace) -> int:
    if options.sheet is not None:
        return _sheet(options.sheet)
    cv2.setNumThreads(1)
    source: str = options.camera
    began = time.monotonic()
    try:
        eye = open_camera(source, paced=not source.startswith("recording:"))
        try:
            work = Calibrating(eye.name, options.dice)
            if options.insist:
                work.insist()
            progress = _watch(eye, work, options.patience, _say)
        finally:
            eye.close()
    except CameraError as error:
        raise BadInput(str(error)) from error
    result = progress.result
    if result is None:
        why = words("en").calibration(progress.snag if progress.snag is not None else progress.ask)
        raise BadInput(f"{eye.name}: not calibrated: {why}")
    if result.tray.shape == "picture":
        raise BadInput(
            f"{eye.name}: not calibrated: no rim was found, and a picture of more than the tray is never kept; lay a "
            "mark in each corner (tallytray calibrate --sheet marks.pdf)"
        )
    path = options.out or calibration_file((options.state or config.usual_state()) / "cameras", eye.name)
    try:
        save(result, path)
    except OSError as error:
        raise BadInput(f"{path}: the calibration cannot be kept: {error.strerror}") from error
    found: dict[str, Any] = {
        "camera": eye.name,
        "file": str(path),
        "size": [result.empty.shape[1], result.empty.shape[0]],
        "tray": result.tray.shape,
        "outline": [[round(float(x), 1), round(float(y), 1)] for x, y in result.tray.outline],
        "die": round(result.die, 1),
        "dice": [die.value for die in progress.dice],
        "noise": round(result.noise, 2),
        "advice": list(progress.advice),
        "seconds": round(time.monotonic() - began, 1),
    }
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return 0
    for snag in progress.advice:
        print(words("en").calibration(snag))
    read = " ".join(str(die.value) for die in progress.dice)
    print(f"{eye.name}: tray {result.tray.shape}, dice {result.die:.0f} px ({read}); kept in {path}")
    return 0


def _watch(eye: Camera, work: Calibrating, patience: float, say: Callable[[str], None]) -> Progress:
    """Ask the person for one thing after the other until it is done, the recording ends or patience does."""
    said: tuple[str, str | None] | None = None
    deadline = time.monotonic() + patience
    progress = work.progress
    while progress.result is None and time.monotonic() < deadline:
        asked = progress.ask
        if (asked, progress.snag) != said:
            said = asked, progress.snag
            say(words("en").calibration(progress.snag or asked))
        frame = eye.read()
        if frame is None:
            break
        progress = work.look(frame)
        if progress.ask != asked:
            eye.go_on()  # a recording that waits for its first throw
    return progress


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _sheet(path: Path) -> int:
    try:
        write_page(path)
    except ValueError as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
    print(f"{path}: print it at 100 %, check the line of 100 mm, cut the four marks out and lay one in each corner")
    return 0
