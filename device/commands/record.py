"""`tallytray record`: records frames from a camera into a folder."""

import argparse
import json
import shutil
import time
from pathlib import Path

import cv2

from device.commands import BadInput
from device.commands.read import make_folder
from device.config import CAMERAS
from device.table_options import camera
from vision.cameras import Camera, CameraError, open_camera
from vision.labels import FILM

SUMMARY = "records numbered frames or a film from a camera into a folder"
EXAMPLE = "tallytray record --camera usb:0 --frames 150 --film throws/friday"

QUALITY = 92
"""Of the JPEG pictures: pips of 3 pixels survive it."""

ROOM_MB = 500
"""What a recording leaves free: more than twice what the doctor calls too little for games (`doctor.LOW_MB`)."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the frames go; numbering goes on after theirs")
    parser.add_argument("--camera", metavar="SPEC", default="auto", type=camera, help=f"{CAMERAS} (default: auto)")
    parser.add_argument("--frames", metavar="N", type=_frames, default=1, help="how many frames (default: 1)")
    parser.add_argument("--film", action="store_true", help="also write film.json with the frames per second")


def _frames(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of frames, allowed are 1 to 100000")
    return int(text)


def run(options: argparse.Namespace) -> int:
    film = options.folder / FILM
    if options.film and _exists(film):
        raise BadInput(f"{film} exists already: a recording never overwrites another")
    make_folder(options.folder)
    try:
        camera = open_camera(options.camera)
        try:
            count, seconds = _record(camera, options.folder, options.frames)
        finally:
            camera.close()
    except CameraError as error:
        raise BadInput(str(error)) from error
    if options.film and count:
        fps = round((count - 1) / seconds, 2) if count > 1 and seconds > 0 else 1.0
        _write_new(film, (json.dumps({"fps": fps}) + "\n").encode())
    if count < options.frames and not _room(options.folder):
        raise BadInput(
            f"{options.folder}: stopped after {count} frames, less than {ROOM_MB} MB are left on the disk (delete old "
            "recordings, or name a folder on another disk)"
        )
    print(f"{options.folder}: {count} frames")
    return 0


def _record(camera: Camera, folder: Path, frames: int) -> tuple[int, float]:
    """How many frames were written, as far as the recording goes and the disk has room, and the seconds from the first
    to the last."""
    number = _last_number(folder)
    began = ended = 0.0
    for count in range(frames):
        frame = camera.read() if _room(folder) else None
        if frame is None:
            return count, ended - began
        ended = time.monotonic()
        began = began or ended
        good, data = cv2.imencode(".jpg", frame.image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
        if not good:
            raise CameraError(f"{camera.name}: a frame of {frame.image.shape} cannot be written as JPEG")
        _write_new(folder / f"{number + count + 1:06d}.jpg", data.tobytes())
    return frames, ended - began


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error


def _room(folder: Path) -> bool:
    return shutil.disk_usage(folder).free >= ROOM_MB * 1_000_000


def _last_number(folder: Path) -> int:
    return max((int(path.stem) for path in folder.glob("*.jpg") if path.stem.isdecimal()), default=0)


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that was not there before."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise BadInput(f"{path} exists already: a recording never overwrites another") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
