"""A recording as a camera: a folder of numbered pictures, or one video file, with an optional `film.json`.

Only `fps` and `cuts` are read from `film.json`. What was thrown stands in the same file and is never looked at: a
recording gives out pictures only, like any other camera.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import msgspec
import numpy as np

from vision.cameras import CameraError
from vision.cameras.finding import no_recording
from vision.frame import Frame, Image
from vision.json_file import as_kind, load_json
from vision.photo import PhotoError, load_photo

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
VIDEOS = (".avi", ".mkv", ".mov", ".mp4", ".m4v", ".webm")
DEFAULT_FPS = 15.0
FASTEST_FPS = 240.0
WAITING_SECONDS = 0.005
"""Sleep per repeated frame at the end of a clip when unpaced: nothing spins while the game thinks."""


class _Film(msgspec.Struct):
    """The part of `film.json` that a camera may know. Other keys are passed over unread."""

    fps: float = DEFAULT_FPS
    cuts: list[int] = []


class _Pictures(Protocol):
    def __len__(self) -> int: ...

    def picture(self, index: int) -> Image: ...


@dataclass(frozen=True)
class _Folder:
    """Numbered pictures, in the order of their numbers."""

    paths: tuple[Path, ...]

    def __len__(self) -> int:
        return len(self.paths)

    def picture(self, index: int) -> Image:
        try:
            return load_photo(self.paths[index])
        except PhotoError as error:
            raise CameraError(f"recording: {error}") from error


class _Video:
    """One video file. Frames are asked for in order nearly always; a jump back opens it again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next = 0
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(f"recording: {path} is no video that can be read")
        self.fps = float(self._capture.get(cv2.CAP_PROP_FPS)) or DEFAULT_FPS
        self._count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        if self._count < 1:
            raise CameraError(f"recording: {path} holds no pictures")

    def __len__(self) -> int:
        return self._count

    def picture(self, index: int) -> Image:
        if index < self._next:
            self._capture.release()
            self._capture = cv2.VideoCapture(str(self._path))
            self._next = 0
        while self._next < index and self._capture.grab():
            self._next += 1
        good, image = self._capture.read()
        if not good:
            raise CameraError(f"recording: {self._path} ends at frame {index}, it promised {self._count}")
        self._next += 1
        return np.asarray(image, np.uint8)


class Recording:
    """Plays `path`: a folder of numbered pictures or a folder holding one video file, or the video file itself.

    Paced, `read` waits so that frames come at the recording's own rate; unpaced they come as fast as asked, and
    `taken_at` still counts in the recording's time. With cuts, its first frame is repeated until the first `go_on`, and
    the last one of each clip until the next; without, `read` returns None after the last frame. Raises CameraError when
    nothing can be played."""

    live = False
    lives_once = False
    size: tuple[int, int] | None = None

    def __init__(self, path: Path, *, paced: bool = True) -> None:
        self.name = f"recording:{path}"
        self._paced = paced
        try:
            self._pictures = _open(path)
            film = _film(path if path.is_dir() else path.parent, self._pictures)
        except OSError as error:
            raise CameraError(f"recording: {path} cannot be read: {error.strerror}") from error
        self._fps = film.fps
        self._clips = _clips(film.cuts, len(self._pictures))
        self._waits = bool(film.cuts)
        self._clip = -1 if self._waits else 0
        self._at = self._clips[0].start
        self._number = 0
        self._last: Image | None = None
        self._due: float | None = None

    def read(self) -> Frame | None:
        clip = self._clips[self._clip] if self._clip >= 0 else self._clips[0][:1]
        if self._at in clip:
            self._last = self._pictures.picture(self._at)
            self._at += 1
            repeated = False
        elif self._waits:
            repeated = True
        else:
            return None
        self._pace(repeated=repeated)
        assert self._last is not None  # every clip has a frame, and it came first
        frame = Frame(self._number, self._number / self._fps, self._last)
        self._number += 1
        return frame

    def first_size(self) -> tuple[int, int]:
        """Width and height of the first picture, in pixels."""
        height, width = self._pictures.picture(0).shape[:2]
        return width, height

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """Play the next clip, or `clip` (0-based); with `at_rest` only its last frame. Beyond the last clip the
        recording keeps showing its last frame."""
        if clip is None:
            clip = self._clip + 1
        elif clip < 0:
            raise CameraError(f"{self.name}: no clip {clip}, it has 0 to {len(self._clips) - 1}")
        if clip < len(self._clips):
            self._clip = clip
            self._at = self._clips[clip][-1 if at_rest else 0]

    def lock(self) -> None:
        """A recording's light is as it was."""

    def close(self) -> None:
        self._last = None

    def _pace(self, *, repeated: bool) -> None:
        if not self._paced:
            if repeated:
                time.sleep(WAITING_SECONDS)
            return
        now = time.monotonic()
        if self._due is None or now > self._due + 1.0:
            self._due = now  # the reader took its time: do not hurry to catch up
        time.sleep(max(0.0, self._due - now))
        self._due += 1 / self._fps


def _open(path: Path) -> _Pictures:
    _check(path)
    if path.is_file():
        return _Video(path)
    inside = sorted(path.iterdir())
    numbered = [(number, file) for file in inside for number in _numbers(file)]
    if numbered:
        return _Folder(tuple(file for _, file in sorted(numbered)))
    videos = [file for file in inside if file.suffix.lower() in VIDEOS]
    if len(videos) == 1:
        _check(videos[0])
        return _Video(videos[0])
    what = "several video files" if videos else "neither numbered pictures nor a video file"
    raise CameraError(f"recording: {path} holds {what}")


def _check(path: Path) -> None:
    if (why := no_recording(path)) is not None:
        raise CameraError(f"recording: {path} {why}")


def _numbers(file: Path) -> Iterator[int]:
    """The last number in a picture's name, if it has one."""
    if file.suffix.lower() in PICTURES and (found := re.search(r"(\d+)\D*$", file.stem)):
        yield int(found[1])


def _film(folder: Path, pictures: _Pictures) -> _Film:
    default = pictures.fps if isinstance(pictures, _Video) else DEFAULT_FPS
    path = folder / "film.json"
    if not path.exists():
        return _Film(fps=default)
    known = load_json(path, _wrong)
    film = as_kind(known, _Film, path, _wrong)
    if not 0 < film.fps <= FASTEST_FPS:
        raise CameraError(f"recording: {path}: fps is {film.fps}, allowed are more than 0 to {FASTEST_FPS:.0f}")
    if isinstance(known, dict) and "fps" not in known:
        film.fps = default
    return film


def _wrong(line: str) -> CameraError:
    return CameraError(f"recording: {line}")


def _clips(cuts: list[int], count: int) -> tuple[range, ...]:
    """The frames of each clip, 0-based; `cuts` are the first frames, 1-based."""
    if not cuts:
        return (range(count),)
    if sorted(set(cuts)) != cuts or cuts[0] < 1 or cuts[-1] > count:
        raise CameraError(f"recording: cuts must rise from 1 to at most {count}, found {cuts}")
    ends = [*(cut - 1 for cut in cuts[1:]), count]
    return tuple(range(cut - 1, end) for cut, end in zip(cuts, ends, strict=True))
