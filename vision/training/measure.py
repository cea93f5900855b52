"""How well readers read labelled photographs, several readers in the same run."""

import importlib.util
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.net import MODELS, NetReader, choose

Answer = tuple[list[int], bool]
"""Sorted values and whether the reader is sure of them."""
Read = Callable[[NDArray[np.uint8], tuple[int | None, ...]], list[Answer]]
"""(picture, counts told) → an answer for each count; None is not told."""

LEAST_VALUE = 0.9  # probability of each value from which a reading counts as sure here; the real decision is elsewhere
LEAST_GAP = 0.5  # belief between the last face taken and the best one left out


@dataclass(frozen=True, eq=False)
class Labelled:
    folder: str
    name: str
    image: NDArray[np.uint8]
    values: list[int]
    tier: str


@dataclass
class Tally:
    pictures: int = 0
    exact: int = 0
    dice: int = 0
    dice_right: int = 0
    sure_right: int = 0
    sure_wrong: int = 0

    def add(self, wanted: list[int], got: list[int], sure: bool) -> None:
        right = got == wanted
        self.pictures += 1
        self.exact += right
        self.dice += len(wanted)
        self.dice_right += sum((Counter(wanted) & Counter(got)).values())
        self.sure_right += sure and right
        self.sure_wrong += sure and not right

    def line(self) -> str:
        share = 100 / max(1, self.pictures)
        return (
            f"{self.pictures:4d} pictures  exact {self.exact * share:5.1f} %"
            f"  dice {100 * self.dice_right / max(1, self.dice):5.1f} %"
            f"  sure and right {self.sure_right * share:5.1f} %  sure and wrong {self.sure_wrong}"
        )


def labelled(folders: Sequence[Path]) -> Iterator[Labelled]:
    for folder in folders:
        if not (folder / "labels.json").exists():
            continue
        for name, label in sorted(json.loads((folder / "labels.json").read_text()).items()):
            image = cv2.imread(str(folder / name))
            if image is not None:
                yield Labelled(folder.name, name, np.asarray(image, np.uint8), label["values"], label["tier"])


def own_reader(models: Path) -> Read:
    reader = NetReader(models / "proposer.onnx", models / "verifier.onnx")

    def read(image: NDArray[np.uint8], counts: tuple[int | None, ...]) -> list[Answer]:
        faces = reader.faces(image)
        answers = []
        for count in counts:
            taken = choose(faces, count)
            left = [f.belief for f in faces if f not in taken]
            sure = bool(taken) and (count is None or len(taken) == count) and all(
                f.agree and max(f.values) > LEAST_VALUE and f.unreadable < 0.5 for f in taken
            ) and min(f.belief for f in taken) - max(left, default=0.0) > LEAST_GAP  # fmt: skip
            answers.append((sorted(f.value for f in taken), sure))
        return answers

    return read


def other_reader(script: Path, models: Path) -> Read:
    """A reader with `Reader(det, ver).candidates(image)` and `decide(found, verified, count)`, from its script."""
    spec = importlib.util.spec_from_file_location(f"beside_{script.stem}", script)
    if spec is None or spec.loader is None:
        raise SystemExit(f"not a Python script: {script}")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    reader = module.Reader(str((models / "det.onnx").resolve()), str((models / "ver.onnx").resolve()))

    def read(image: NDArray[np.uint8], counts: tuple[int | None, ...]) -> list[Answer]:
        found, verified, _ = reader.candidates(image)
        return [module.decide(found, verified, count)[:2] for count in counts]

    return read


@dataclass
class Figures:
    told: dict[str, Tally] = field(default_factory=dict)
    not_told: dict[str, Tally] = field(default_factory=dict)
    seconds: float = 0.0
    misses: list[str] = field(default_factory=list)


def measure(
    folders: Sequence[Path], models: Sequence[Path], beside: Sequence[Sequence[Path]], by_set: bool, misses: bool
) -> None:
    cv2.setNumThreads(1)
    readers = {str(m): own_reader(m) for m in (models or ([] if beside else [MODELS]))}
    readers |= {f"{models} by {script.name}": other_reader(script, models) for script, models in beside}
    figures = {name: Figures() for name in readers}
    for picture in labelled(folders):
        for name, read in readers.items():
            _one(picture, read, figures[name], by_set)
    for name, found in figures.items():
        pictures = max(1, found.not_told["all"].pictures) if found.not_told else 1
        print(f"\n{name}: {1000 * found.seconds / pictures:.0f} ms of processor time a picture")
        for title, tallies in (("count told", found.told), ("count not told", found.not_told)):
            for key in sorted(tallies):
                print(f"  {title:15s} {key:42s} {tallies[key].line()}")
        if misses:
            print("\n".join(found.misses))


def _one(picture: Labelled, read: Read, figures: Figures, by_set: bool) -> None:
    started = time.process_time()
    told, not_told = read(picture.image, (len(picture.values), None))
    figures.seconds += time.process_time() - started
    keys = ["all", picture.tier] + ([picture.folder] if by_set else [])
    for key in keys:
        figures.not_told.setdefault(key, Tally()).add(picture.values, *not_told)
        if picture.values:
            figures.told.setdefault(key, Tally()).add(picture.values, *told)
    if picture.values and told[0] != picture.values:
        figures.misses.append(
            f"    {picture.folder}/{picture.name}: {picture.values} read {told[0]}{' SURE' if told[1] else ''}"
        )
