"""Scenes on disk: shards of pictures with their truth, drawn once and read by every training."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.scenes import Shot, draw_scene

SHARD = 100  # scenes a shard


@dataclass(frozen=True, eq=False)
class Scenes:
    """Pictures (N, S, S, 3), for each its faces (n, 7: x, y, size, value, state, `aslant`), its side faces (m,
    3: x, y, size) and whether it must stay upright."""

    images: list[NDArray[np.uint8]]
    faces: list[NDArray[np.float32]]
    sides: list[NDArray[np.float32]]
    upright: list[bool]

    def __len__(self) -> int:
        return len(self.images)


def shard_path(folder: Path, seed: int, shard: int) -> Path:
    return folder / f"scenes-{seed}-{shard:05d}.npz"


def _rows(shots: list[Shot], kind: str) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    if kind == "faces":
        rows = [[f.x, f.y, f.size, f.value, f.state, *f.aslant] for shot in shots for f in shot.faces]
        counts = [len(shot.faces) for shot in shots]
    else:
        rows = [[s.x, s.y, s.size] for shot in shots for s in shot.sides]
        counts = [len(shot.sides) for shot in shots]
    width = 7 if kind == "faces" else 3
    return np.array(rows, np.float32).reshape(-1, width), np.array(counts, np.int32)


def write_shard(folder: Path, seed: int, shard: int, other_styles: bool) -> int:
    """Draw and keep one shard; returns the number of pictures."""
    cv2.setNumThreads(1)
    shots = [s for i in range(shard * SHARD, (shard + 1) * SHARD) for s in draw_scene(seed, i, other_styles)]
    faces, face_counts = _rows(shots, "faces")
    sides, side_counts = _rows(shots, "sides")
    path = shard_path(folder, seed, shard)
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(
            file, images=np.stack([s.image for s in shots]), faces=faces, face_counts=face_counts,
            sides=sides, side_counts=side_counts, upright=np.array([s.upright for s in shots]),
        )  # fmt: skip
    part.replace(path)
    return len(shots)


def write_scenes(folder: Path, seed: int, scenes: int, other_styles: bool) -> Iterator[str]:
    """Draw what is still missing of `scenes` scenes; says a line a shard."""
    folder.mkdir(parents=True, exist_ok=True)
    started, drawn = time.monotonic(), 0
    shards = -(-scenes // SHARD)
    for shard in range(shards):
        if shard_path(folder, seed, shard).exists():
            continue
        drawn += write_shard(folder, seed, shard, other_styles)
        yield f"shard {shard + 1} of {shards}: {drawn / (time.monotonic() - started):.1f} pictures a second"


def read_shard(path: Path, scenes: Scenes) -> None:
    """Append a shard's pictures."""
    with np.load(path) as kept:
        images = kept["images"]
        faces = np.split(kept["faces"], np.cumsum(kept["face_counts"])[:-1])
        sides = np.split(kept["sides"], np.cumsum(kept["side_counts"])[:-1])
        upright = kept["upright"]
    scenes.images.extend(images)
    scenes.faces.extend(faces)
    scenes.sides.extend(sides)
    scenes.upright.extend(bool(u) for u in upright)


def read_scenes(folder: Path, at_most: int | None = None, skip: set[str] | None = None) -> Scenes:
    """All pictures kept in a folder, shard after shard; names in `skip` are left out and read ones are added."""
    scenes = Scenes([], [], [], [])
    for path in sorted(folder.glob("scenes-*.npz")):
        if at_most is not None and len(scenes) >= at_most:
            break
        if skip is not None:
            if path.name in skip:
                continue
            skip.add(path.name)
        read_shard(path, scenes)
    return scenes


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
