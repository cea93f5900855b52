"""How long reading takes, in decodes of one named picture, and how much memory: measured in a process with the settings
of the vision process, whose memory is kept by other rules than Python's usual one."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple
from pathlib import Path

import cv2
import numpy as np

from device.figures import Figure, median_times
from device.vision_words import Report
from device.watcher import ENVIRONMENT, Watcher
from vision.calibration import Calibration
from vision.frame import Frame, Image
from vision.labels import load_labels
from vision.lying import Ground
from vision.photo import load_photo
from vision.read import read, read_tray
from vision.tray import find_tray
from vision.watch import Watch

ROOT = Path(__file__).resolve().parents[1]
PHOTOS = ROOT / "fixtures" / "photos"
PICTURE = PHOTOS / "bench" / "six-dice.jpg"
"""1280×720, JPEG quality 90, six dice."""
EMPTY = PHOTOS / "bench" / "no-dice.jpg"
"""The same tray without them."""
DICE = 6

CLOTH = ("green-felt-ivory", "navy-felt-red", "denim-ivory-dim")
CLEAN = ("teal-card-green", "round-leather-white", "black-leather-blue")
"""Scenes whose grounds are full of spots, and scenes whose grounds have few; all pictures have the same size."""
CLOTH_DICE = 5

NOISE = 0.7
"""Levels by which a webcam's pictures of one tray differ when made small."""

MEMORY_SECONDS = 100.0
"""The longest that the vision process may take to start and to read one picture."""


def measured(rounds: int) -> list[Figure]:
    """The figures of reading, each measured `rounds` times in turn with the others, in a process of their own."""
    command = [sys.executable, "-m", "device.bench_reading", str(rounds)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, check=True, text=True
    )
    return [Figure(*figure) for figure in json.loads(done.stdout)]


def figures(rounds: int) -> Iterator[Figure]:
    """The same in this process."""
    cv2.setNumThreads(1)
    image, empty = load_photo(PICTURE), load_photo(EMPTY)
    side = float(np.median([die.size for die in read(image, DICE).dice]))
    ground = Ground(Calibration("bench", empty, find_tray(empty), side, NOISE))
    cloth, clean = _five_dice(CLOTH), _five_dice(CLEAN)
    taken = median_times(
        rounds,
        {
            "decode": lambda: load_photo(PICTURE),
            "read": lambda: read(image, DICE),
            "calibrated": lambda: read_tray(image, ground, DICE),
            "look": _still_look(image),
            "cloth": lambda: [read(photo, CLOTH_DICE) for photo in cloth],
            "clean": lambda: [read(photo, CLOTH_DICE) for photo in clean],
        },
    )
    yield Figure("decoding the picture", taken["decode"] * 1e3, "ms")
    yield Figure("reading, uncalibrated", taken["read"] / taken["decode"], "decodes", 12)
    yield Figure("reading, calibrated", taken["calibrated"] / taken["decode"], "decodes", 4)
    yield Figure("reading on cloth", taken["cloth"] / taken["clean"], "times a clean ground", 1.5)
    yield Figure("one look at a still tray", taken["look"] / taken["decode"], "decodes", 0.2)
    most = peak_memory()
    if most is not None:
        yield Figure("most memory of the vision process", most, "MB", 120)


def peak_memory() -> float | None:
    """MB that the vision process had in use at most while it read the picture uncalibrated; None where the system does
    not tell."""
    with tempfile.TemporaryDirectory(prefix="tallytray-bench-") as name:
        folder = Path(name)
        for number in range(1, 16):
            (folder / f"{number:06d}.jpg").symlink_to(EMPTY if number < 4 else PICTURE)
        (folder / "film.json").write_text('{"fps": 15, "cuts": [1]}')
        watcher = Watcher(f"recording:{folder}", paced=False)
        try:
            watcher.expect(DICE)
            watcher.go_on()
            until = time.monotonic() + MEMORY_SECONDS
            while time.monotonic() < until:
                for word in watcher.poll():
                    if isinstance(word, Report) and word.seen.reading and len(word.seen.reading.dice) == DICE:
                        return _most_resident(watcher.pid)
                time.sleep(0.01)
        finally:
            watcher.close()
    raise RuntimeError("the vision process did not read the picture")


def _most_resident(pid: int | None) -> float | None:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), None)


def _five_dice(scenes: tuple[str, ...]) -> list[Image]:
    """Of each scene the first photograph of five dice without any trouble."""
    return [
        next(
            load_photo(photo.path)
            for photo in load_labels(PHOTOS / scene)
            if photo.label.dice == CLOTH_DICE and not photo.label.troubles
        )
        for scene in scenes
    ]


def _still_look(image: Image) -> Callable[[], object]:
    """Looks at one still picture after another, long after it has been read."""
    watch = Watch(DICE)
    pictures = [image.copy() for _ in range(8)]  # a camera's buffers: none of them is still in the processor's cache
    numbers = itertools.count()

    def look() -> None:
        number = next(numbers)
        watch.look(Frame(number, number / 15, pictures[number % 8]))

    for _ in range(60):
        look()
    return look


if __name__ == "__main__":
    print(json.dumps([astuple(figure) for figure in figures(int(sys.argv[1]))]))  # noqa: T201
