"""Labelled folders: photographs and films together with what they truly show."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from vision.json_file import as_kind, load_json
from vision.reading import Trouble

LABELS = "labels.json"
FILM = "film.json"
MOST_LETTERS = 200
"""A longer file name than file systems take."""

Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
Box = tuple[float, float, float, float]


class LabelError(Exception):
    """A label file cannot be used. Its text is one line: the file, the place in it, what was found."""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """What one photograph shows.

    `values` are the readable top faces; `faces` the same in the order of `boxes`, None for a die that cannot be read;
    `boxes` x0, y0, x1, y1 in px of the photo as shown; `unreadable` dice beyond `values`; `troubles` that a reading
    must name. Other keys of the file are passed over."""

    values: tuple[Face, ...]
    tier: str = "tray"
    faces: tuple[Face | None, ...] | None = None
    boxes: tuple[Box, ...] | None = None
    unreadable: Annotated[int, msgspec.Meta(ge=0)] = 0
    troubles: tuple[Trouble, ...] = ()

    @property
    def dice(self) -> int:
        """How many dice are in the picture, read or not."""
        return len(self.values) + self.unreadable


@dataclass(frozen=True)
class LabelledPhoto:
    """`folder_name` is the set it belongs to."""

    path: Path
    folder_name: str
    label: Label


class ThrowTruth(msgspec.Struct, frozen=True, kw_only=True, rename={"begins": "from"}):
    """One throw of a film: frame numbers (1-based) from where dice move to where they lie, the values, and for each
    value the index into the previous values of a die that stayed."""

    begins: int
    settled: int
    values: tuple[Face, ...]
    stayed: tuple[int | None, ...] = ()


class Film(msgspec.Struct, frozen=True, kw_only=True):
    """The truth of a film. Only tests and `evaluate` may read it; the recording camera does not."""

    fps: float
    dice: int
    throws: tuple[ThrowTruth, ...] = ()
    cuts: tuple[int, ...] = ()


def labelled_folders(folder: Path) -> list[Path]:
    """`folder` and the folders in it that hold a `labels.json`, in order. Raises LabelError when there is none."""
    try:
        next(folder.iterdir(), None)  # `rglob` passes over what may not be read
    except FileNotFoundError:
        raise LabelError(f"{folder} does not exist") from None
    except NotADirectoryError:
        raise LabelError(f"{folder} is a file, not a labelled folder") from None
    except OSError as error:
        raise LabelError(f"{folder} cannot be read: {error.strerror}") from error
    found = sorted(path.parent for path in folder.rglob(LABELS))
    if not found:
        raise LabelError(f"{folder} holds no {LABELS}, nor does a folder in it")
    return found


def load_labels(folder: Path) -> list[LabelledPhoto]:
    """The photographs of a labelled folder, by name. Raises LabelError with file and place."""
    path = folder / LABELS
    known = load_json(path, LabelError)
    if not isinstance(known, dict):
        raise LabelError(f"{path}: an object of photographs is expected, found {_kind(known)}")
    photos = []
    for name, entry in sorted(known.items()):
        place = f"{path}: {json.dumps(name)[:100]}"
        label = as_kind(entry, Label, place, LabelError)
        _check(label, place)
        if Path(name).name != name or not name.isprintable() or len(name) > MOST_LETTERS:
            raise LabelError(f"{place}: a photograph of the folder itself is expected")
        photos.append(LabelledPhoto(folder / name, folder.name, label))
    return photos


def load_film(folder: Path) -> Film:
    """The truth of the film in `folder`. Raises LabelError with file and place."""
    path = folder / FILM
    return as_kind(load_json(path, LabelError), Film, path, LabelError)


def _check(label: Label, place: str) -> None:
    if not label.tier.isprintable() or not 0 < len(label.tier) <= MOST_LETTERS:
        raise LabelError(f"{place}: tier: a word that can be read is expected")
    if label.faces is not None and label.boxes is not None and len(label.faces) != len(label.boxes):
        raise LabelError(f"{place}: {len(label.faces)} faces but {len(label.boxes)} boxes")
    if label.boxes is not None and label.faces is None:
        raise LabelError(f"{place}: boxes without faces say nothing")
    if label.faces is not None:
        read = sorted(face for face in label.faces if face is not None)
        if read != sorted(label.values):
            raise LabelError(f"{place}: faces show {read}, values say {sorted(label.values)}")


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "text", int: "a number", float: "a number", bool: "true or false"}
    return kinds.get(type(value), "nothing")
