"""What is known of one fixed camera: its empty tray, where the tray is, how large a die is.

Kept as a JSON file with the empty picture beside it, one pair per camera. `calibrating.py` makes one, `lying.py` uses
it.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np

from vision import tuning
from vision.frame import Image
from vision.json_file import read_file, sentence
from vision.photo import PhotoError, load_photo
from vision.tray import Shape, Tray


class CalibrationError(Exception):
    """A kept calibration cannot be used. Its text is one line: the file, the place in it, what was found."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """`camera` as in `Camera.name`; `empty` (H, W, 3) the mean of some pictures of the empty tray; `die` the side of a
    die's top face in px of it; `noise` levels by which two such pictures differ when made small."""

    camera: str
    empty: Image
    tray: Tray
    die: float
    noise: float

    def around_tray(self, image: Image) -> Image:
        """The part of `image` in which the tray lies, rim and all: a view, not a copy."""
        height, width = image.shape[:2]
        x0, y0 = np.floor(self.tray.outline.min(axis=0) - self.die).astype(int)
        x1, y1 = np.ceil(self.tray.outline.max(axis=0) + self.die).astype(int)
        return image[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    camera: str
    width: Annotated[int, msgspec.Meta(ge=tuning.SMALLEST_SIDE)]
    height: Annotated[int, msgspec.Meta(ge=tuning.SMALLEST_SIDE)]
    shape: Shape
    outline: Annotated[tuple[tuple[float, float], ...], msgspec.Meta(min_length=3, max_length=1000)]
    mm: Annotated[float, msgspec.Meta(gt=0)] | None = None
    die: Annotated[float, msgspec.Meta(gt=0)]
    noise: Annotated[float, msgspec.Meta(ge=0, le=255)]


def calibration_file(folder: Path, camera: str) -> Path:
    """Where the calibration of `camera` is kept in `folder`: a name without anything a file system minds."""
    return folder / (re.sub(r"[^A-Za-z0-9._-]+", "-", camera).strip("-.")[-80:] + ".json")


def save(calibration: Calibration, path: Path) -> bool:
    """Write `path` and the picture beside it, each whole or not at all. Of the picture only what is around the tray is
    kept: whoever sits there is nobody's business. Where the whole picture counts as the tray nothing is kept, what
    was known before is forgotten, and the answer is False. Raises OSError."""
    if calibration.tray.shape == "picture":
        forget(path)
        return False
    height, width = calibration.empty.shape[:2]
    picture = np.zeros_like(calibration.empty)
    calibration.around_tray(picture)[:] = calibration.around_tray(calibration.empty)
    kept = _Kept(
        camera=calibration.camera,
        width=width,
        height=height,
        shape=calibration.tray.shape,
        outline=tuple((round(float(x), 1), round(float(y), 1)) for x, y in calibration.tray.outline),
        mm=calibration.tray.mm,
        die=round(calibration.die, 2),
        noise=round(calibration.noise, 3),
    )
    good, packed = cv2.imencode(".png", picture, (cv2.IMWRITE_PNG_COMPRESSION, 4))
    assert good
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path.with_suffix(".png"), packed.tobytes())
    _write(path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    return True


def forget(path: Path) -> None:
    """Delete `path` and the picture beside it, if they are there. Raises OSError."""
    for one in (path.with_suffix(".png"), path):
        one.unlink(missing_ok=True)


def load(path: Path) -> Calibration:
    """The calibration in `path`. Raises CalibrationError with file and place."""
    try:
        kept = msgspec.json.decode(read_file(path), type=_Kept)
        empty = load_photo(path.with_suffix(".png"))
    except FileNotFoundError:
        raise CalibrationError(f"{path} does not exist") from None
    except OSError as error:
        raise CalibrationError(f"{path} cannot be read: {error.strerror}") from error
    except PhotoError as error:
        raise CalibrationError(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CalibrationError(f"{path}: {sentence(error)}") from error
    if empty.shape[:2] != (kept.height, kept.width):
        size = f"{empty.shape[1]}x{empty.shape[0]}"
        raise CalibrationError(f"{path.with_suffix('.png')} is {size}, {path} says {kept.width}x{kept.height}")
    outline = np.array(kept.outline, np.float64)
    if not np.isfinite(outline).all() or cv2.contourArea(outline.astype(np.float32)) < kept.die**2:
        raise CalibrationError(f"{path}: the outline holds no die")
    return Calibration(kept.camera, empty, Tray(kept.shape, outline, kept.mm), kept.die, kept.noise)


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
