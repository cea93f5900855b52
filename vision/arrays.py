"""Names for the arrays that the reader passes around, and 2 × 2 matrices written out: many at once, libraries take
longer to be called than to count."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
Grey = NDArray[np.uint8]
"""(H, W) uint8."""


def det2(matrix: Floats) -> Floats:
    """(...,): the determinants of (..., 2, 2)."""
    return np.asarray(matrix[..., 0, 0] * matrix[..., 1, 1] - matrix[..., 0, 1] * matrix[..., 1, 0])


def inv2(matrix: Floats) -> Floats:
    """(..., 2, 2): the inverses of (..., 2, 2), which must have one."""
    turned = np.empty(matrix.shape)
    turned[..., 0, 0], turned[..., 1, 1] = matrix[..., 1, 1], matrix[..., 0, 0]
    turned[..., 0, 1], turned[..., 1, 0] = -matrix[..., 0, 1], -matrix[..., 1, 0]
    return turned / det2(matrix)[..., None, None]


def median(values: ArrayLike) -> float:
    """Of all `values`, at least one. numpy's own does the same, and brings its masked arrays along: a megabyte, and a
    later first reading."""
    flat = np.ravel(values)
    middle = [(len(flat) - 1) // 2, len(flat) // 2]
    return float(np.partition(flat, middle)[middle].mean())


def middle_of(values: NDArray[np.floating]) -> NDArray[np.floating]:
    """(N,): the median of each row of (N, K), K even."""
    ordered = np.sort(values, axis=1)
    half = values.shape[1] // 2
    return np.asarray((ordered[:, half - 1] + ordered[:, half]) / 2)
