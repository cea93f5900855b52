"""The vision process: watched, replaced, and never waited for."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.watcher import Ended, Lost, Report, Watcher, Word


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A square that crosses an empty tray, then lies still; no dice in it."""
    folder = tmp_path_factory.mktemp("film")
    for number in range(12):
        image = np.full((180, 320, 3), (40, 90, 30), np.uint8)
        at = min(number, 6) * 30
        cv2.rectangle(image, (at, 60), (at + 50, 110), (200, 220, 230), -1)
        cv2.imwrite(str(folder / f"{number + 1:06}.png"), image)
    return folder


@pytest.fixture
def cut_film(film: Path, tmp_path: Path) -> Path:
    for picture in film.iterdir():
        (tmp_path / picture.name).symlink_to(picture)
    (tmp_path / "film.json").write_text('{"fps": 15, "cuts": [1]}')
    return tmp_path


@pytest.fixture
def start() -> Iterator[Callable[[str], Watcher]]:
    made: list[Watcher] = []

    def make(camera: str) -> Watcher:
        made.append(Watcher(camera, paced=False))
        return made[-1]

    yield make
    for watcher in made:
        watcher.close()


def wait_for(watcher: Watcher, kind: type[Word], seconds: float = 30) -> Word:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        before = time.monotonic()
        words = watcher.poll()
        assert time.monotonic() - before < 0.05 or any(isinstance(word, Lost) for word in words), "the loop waited"
        for word in words:
            if isinstance(word, kind):
                return word
        time.sleep(0.005)
    raise AssertionError(f"no {kind.__name__} within {seconds} s")


def test_what_the_camera_sees_arrives_with_its_picture(film: Path, start: Callable[[str], Watcher]) -> None:
    watcher = start(f"recording:{film}")
    report = wait_for(watcher, Report)
    assert isinstance(report, Report)
    assert report.scale == 1.0
    picture = watcher.picture()
    assert picture is not None
    _, pixels = picture
    assert pixels.shape == (180, 320, 3)
    assert pixels[0, 0].tolist() == [30, 90, 40], "red-green-blue, unlike the camera's frames"
    wait_for(watcher, Ended)


def test_a_recording_that_ended_is_not_started_again(film: Path, start: Callable[[str], Watcher]) -> None:
    watcher = start(f"recording:{film}")
    wait_for(watcher, Ended)
    deadline = time.monotonic() + 20
    while watcher.pid is not None:
        assert watcher.poll() == []
        assert time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.1)
    assert watcher.poll() == []
    assert watcher.pid is None


def test_killed_it_comes_back_by_itself(
    cut_film: Path, start: Callable[[str], Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (0.05,))
    watcher = start(f"recording:{cut_film}")
    wait_for(watcher, Report)
    first = watcher.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert isinstance(wait_for(watcher, Lost), Lost)
    wait_for(watcher, Report)
    assert watcher.pid not in (None, first)


def test_a_camera_that_is_not_there_is_said_in_one_line_and_tried_again(
    tmp_path: Path, start: Callable[[str], Watcher], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watcher.RESTART_SECONDS", (0.05,))
    watcher = start(f"recording:{tmp_path / 'nowhere'}")
    for _ in range(2):
        lost = wait_for(watcher, Lost)
        assert isinstance(lost, Lost)
        assert "nowhere" in lost.reason
        assert "\n" not in lost.reason


PARENT = """
import sys, time
from device.watcher import Watcher
if __name__ == "__main__":
    watcher = Watcher(sys.argv[1], paced=False)
    while not watcher.poll():
        time.sleep(0.01)
    print(watcher.pid, flush=True)
    time.sleep(60)
"""


def test_it_does_not_outlive_a_killed_table(cut_film: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("parent") / "parent.py"
    program.write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, str(program), f"recording:{cut_film}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and "Z" not in _state(child):
        assert time.monotonic() < deadline, "the vision process lives on and keeps the camera to itself"
        time.sleep(0.01)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "Z"
