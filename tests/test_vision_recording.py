"""Recordings as cameras."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import CameraError, open_camera
from vision.cameras.recording import Recording


def film(folder: Path, frames: int = 6, about: dict[str, object] | None = None) -> Path:
    """Numbered frames, each as bright as its number times ten."""
    folder.mkdir(exist_ok=True)
    for number in range(1, frames + 1):
        cv2.imwrite(str(folder / f"{number:06d}.png"), np.full((30, 40, 3), number * 10, np.uint8))
    if about is not None:
        (folder / "film.json").write_text(json.dumps(about))
    return folder


def levels(camera: Recording, count: int) -> list[int]:
    found = []
    for _ in range(count):
        frame = camera.read()
        assert frame is not None
        found.append(int(frame.image[0, 0, 0]) // 10)
    return found


def test_without_cuts_it_plays_through_and_ends(tmp_path: Path) -> None:
    camera = Recording(film(tmp_path, 3), paced=False)
    assert levels(camera, 3) == [1, 2, 3]
    assert camera.read() is None


def test_numbers_order_the_frames_not_names(tmp_path: Path) -> None:
    for number in (2, 10, 1):
        cv2.imwrite(str(tmp_path / f"frame{number}.png"), np.full((8, 8, 3), number * 10, np.uint8))
    assert levels(Recording(tmp_path, paced=False), 3) == [1, 2, 10]


def test_a_clip_waits_on_its_last_frame_until_told_to_go_on(tmp_path: Path) -> None:
    camera = Recording(film(tmp_path, 6, {"fps": 15, "cuts": [1, 3, 6]}), paced=False)
    assert levels(camera, 3) == [1, 1, 1], "nothing is thrown before somebody wants it"
    camera.go_on()
    assert levels(camera, 5) == [1, 2, 2, 2, 2]
    camera.go_on()
    assert levels(camera, 4) == [3, 4, 5, 5]
    camera.go_on(1, at_rest=True)
    assert levels(camera, 2) == [5, 5]
    camera.go_on(0)
    assert levels(camera, 3) == [1, 2, 2]
    camera.go_on(2)
    assert levels(camera, 2) == [6, 6]
    camera.go_on()
    assert levels(camera, 2) == [6, 6]


def test_repeated_frames_are_the_same_picture_with_a_later_time(tmp_path: Path) -> None:
    camera = Recording(film(tmp_path, 2, {"fps": 10, "cuts": [1]}), paced=False)
    frames = [camera.read() for _ in range(4)]
    assert [frame.number for frame in frames if frame] == [0, 1, 2, 3]
    assert [frame.taken_at for frame in frames if frame] == pytest.approx([0, 0.1, 0.2, 0.3])
    assert frames[1] is not None
    assert frames[3] is not None
    assert frames[1].image is frames[3].image


def test_unpaced_waiting_does_not_spin(tmp_path: Path) -> None:
    camera = Recording(film(tmp_path, 1, {"cuts": [1]}), paced=False)
    camera.read()
    began = time.monotonic()
    levels(camera, 10)
    assert time.monotonic() - began >= 0.045


def test_paced_frames_come_at_their_rate(tmp_path: Path) -> None:
    camera = Recording(film(tmp_path, 4, {"fps": 50}), paced=True)
    began = time.monotonic()
    levels(camera, 4)
    assert time.monotonic() - began >= 3 / 50


def test_the_truth_plays_no_part(tmp_path: Path) -> None:
    about: dict[str, object] = {"fps": 15, "dice": 5, "cuts": [1, 4]}
    plain = Recording(film(tmp_path / "a", 6, about), paced=False)
    truth = Recording(film(tmp_path / "b", 6, about | {"throws": "anything at all"}), paced=False)
    for camera in (plain, truth):
        camera.go_on()
        assert levels(camera, 4) == [1, 2, 3, 3]
        camera.go_on()
        assert levels(camera, 4) == [4, 5, 6, 6]


def test_one_video_file_plays_like_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 12, (64, 48))
    for level in (40, 120, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    (tmp_path / "film.json").write_text('{"cuts": [1, 3]}')
    for given in (path, tmp_path):
        camera = Recording(given, paced=False)
        camera.go_on()
        frames = [camera.read() for _ in range(3)]
        assert [round(float(frame.image.mean()) / 40) for frame in frames if frame] == [1, 3, 3]
        assert frames[1] is not None
        assert frames[1].taken_at == pytest.approx(1 / 12)
        camera.go_on()
        assert levels(camera, 1) in ([19], [20])
        camera.go_on(0)
        assert levels(camera, 1) in ([3], [4])


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ('{"fps": 0}', "fps is 0"),
        ('{"fps": 1e9}', "fps is"),
        ('{"fps": "x"}', "fps"),
        ('{"cuts": [3, 2]}', "cuts must rise"),
        ('{"cuts": [0]}', "cuts must rise"),
        ('{"cuts": [9]}', "cuts must rise"),
        ('{"cuts": [1,\n}', ":2: no JSON"),
    ],
)
def test_a_broken_film_file_is_one_clear_line(tmp_path: Path, about: str, words: str) -> None:
    film(tmp_path, 3)
    (tmp_path / "film.json").write_text(about)
    with pytest.raises(CameraError, match=words) as caught:
        Recording(tmp_path)
    assert "\n" not in str(caught.value)


def test_what_names_no_camera(tmp_path: Path) -> None:
    for spec in ("", "usb", "usb:", "recording:", "web:3", "csi:", "csi:-1", "csi:٣", "csi:" + "9" * 5000):
        with pytest.raises(CameraError, match="names no camera") as caught:
            open_camera(spec)
        assert len(str(caught.value)) < 200
    with pytest.raises(CameraError, match=r"usb:x: not plugged in \(there are: "):
        open_camera("usb:x")
    with pytest.raises(CameraError, match="does not exist"):
        open_camera(f"recording:{tmp_path / 'none'}")
    with pytest.raises(CameraError, match="neither"):
        open_camera(f"recording:{tmp_path}")


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("kind", ["recording", "virtual"])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda folder: pipe(folder / "pipe"), "neither a folder nor a file (allowed: a folder of numbered pictures"),
        (lambda folder: Path("/dev/zero"), "neither a folder nor a file (allowed: a folder of numbered pictures"),
        (lambda folder: folder / ("a" * 300), "cannot be read: File name too long"),
        (lambda folder: folder / "a\0b", "cannot be read: no file can be called so"),
        (lambda folder: pipe(film(folder / "film") / "film.json").parent, "film.json cannot be read: is no file"),
        (lambda folder: pipe(film(folder / "film", 0) / "000001.jpg").parent, "000001.jpg is no file"),
        (lambda folder: pipe(film(folder / "film", 0) / "film.mp4").parent, "film.mp4 is neither a folder nor a file"),
    ],
    ids=["pipe", "device", "long", "NUL", "film.json", "picture", "video"],
)
def test_what_can_be_no_recording_is_said_in_one_line_and_not_waited_for(
    tmp_path: Path, kind: str, make: Callable[[Path], Path], why: str
) -> None:
    with pytest.raises(CameraError) as caught:
        open_camera(f"{kind}:{make(tmp_path)}", paced=False).read()
    assert why in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_camera_of_any_number_is_looked_for() -> None:
    with pytest.raises(CameraError, match="not plugged in"):
        open_camera("usb:" + "9" * 400)


def test_a_damaged_frame_is_a_lost_camera(tmp_path: Path) -> None:
    film(tmp_path, 2)
    (tmp_path / "000002.png").write_bytes(b"gone")
    camera = open_camera(f"recording:{tmp_path}", paced=False)
    camera.read()
    with pytest.raises(CameraError, match=r"000002\.png"):
        camera.read()


def test_a_camera_that_is_not_there() -> None:
    with pytest.raises(CameraError, match=r"usb:97: not plugged in"):
        open_camera("usb:97")
