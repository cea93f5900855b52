"""Random numbers shaped for pictures: smooth noise, colours, choices."""

from collections.abc import Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rng = np.random.Generator
T = TypeVar("T")
GREY_WEIGHTS = np.array([0.114, 0.587, 0.299], np.float32)  # blue, green, red


def smooth_noise(rng: Rng, height: int, width: int, cells: float) -> Floats:
    """(height, width) values in about 0–1 that change over `width / cells` pixels."""
    columns = max(2, round(cells) + 1)
    rows = max(2, round(cells * height / width) + 1)
    grid = rng.random((rows, columns), dtype=np.float32)
    return cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)  # type: ignore[return-value]


def layered_noise(rng: Rng, height: int, width: int, cells: float, layers: int = 3) -> Floats:
    """Smooth noise with finer layers of half the strength each; mean about 0.5."""
    total = np.zeros((height, width), np.float32)
    weight = 0.0
    for layer in range(layers):
        share = 0.5**layer
        total += share * smooth_noise(rng, height, width, min(cells * 2**layer, width / 2))
        weight += share
    return total / np.float32(weight)


def colour(rng: Rng, saturation: float = 1.0) -> Floats:
    """(3,) blue-green-red in 0–1, any hue, from near black to near white."""
    hue, vivid, value = rng.integers(0, 180), 255 * rng.beta(1.1, 1.3) * saturation, rng.uniform(10, 250)
    pixel = cv2.cvtColor(np.array([[[hue, vivid, value]]], np.uint8), cv2.COLOR_HSV2BGR)
    return np.asarray(pixel[0, 0], np.float32) / np.float32(255)


def floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def grey(value: float) -> Floats:
    return np.full(3, value, np.float32)


def pick(rng: Rng, choices: Sequence[T]) -> T:
    return choices[int(rng.integers(len(choices)))]


def weighted(rng: Rng, choices: Sequence[tuple[float, T]]) -> T:
    """One of the choices, each with the weight before it."""
    weights = np.array([weight for weight, _ in choices])
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))][1]


def log_uniform(rng: Rng, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def chance(rng: Rng, share: float) -> bool:
    return bool(rng.random() < share)
