"""Level dice look different in every corner of a picture; leaning ones look different from all of them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.level import out_of_level, out_of_slope

WIDE, HIGH, FOCAL = 1280, 720, 1100.0
PLACES = np.array([[150.0, 120.0], [1100.0, 150.0], [640.0, 360.0], [220.0, 600.0], [1000.0, 560.0]])
ALLOWED = np.full(5, 0.085)


def seen(normals: NDArray[np.float64], tilt: float) -> NDArray[np.float64]:
    """(N, 2) `Faces.tilt` of faces with those normals (N, 3) at PLACES under a camera tilted by `tilt` radians."""
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    found = []
    for (x, y), normal in zip(PLACES, normals, strict=True):
        ray = np.array([(x - WIDE / 2) / FOCAL, (y - HIGH / 2) / FOCAL, 1.0])
        ray /= np.linalg.norm(ray)
        local = turn @ normal
        across = np.cross(ray, local)
        across = across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-9 else np.array([1.0, 0, 0])
        aspect = -np.log(abs(float(ray @ local)))
        angle = 2 * np.arctan2(across[1], across[0])
        found.append([aspect * np.cos(angle), aspect * np.sin(angle)])
    return np.array(found)


LEVEL = np.tile([0.0, 0.0, -1.0], (5, 1))


@pytest.mark.parametrize("degrees", [0, 8, 15, 25, 35])
def test_level_dice_are_level_wherever_they_lie(degrees: int) -> None:
    off = out_of_level(PLACES, seen(LEVEL, np.radians(degrees)), ALLOWED * (1 + 4 * np.radians(degrees) ** 2), WIDE)
    assert off.max() < 1


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("lean", [32, 45])
def test_a_leaning_die_is_told_from_four_level_ones(number: int, lean: int) -> None:
    normals = LEVEL.copy()
    normals[number] = [np.sin(np.radians(lean)) * 0.6, np.sin(np.radians(lean)) * 0.8, -np.cos(np.radians(lean))]
    off = out_of_level(PLACES, seen(normals, np.radians(6)), ALLOWED, WIDE)
    assert off[number] > 1.3
    assert np.delete(off, number).max() < 1


def test_one_die_alone_has_nothing_to_be_compared_with() -> None:
    assert out_of_level(PLACES[:1], np.array([[0.9, 0.0]]), ALLOWED[:1], WIDE).tolist() == [0.0]
    assert len(out_of_level(PLACES[:0], np.zeros((0, 2)), ALLOWED[:0], WIDE)) == 0


def aslant(normals: NDArray[np.float64], tilt: float) -> NDArray[np.float64]:
    """(N, 2) `NetFace.aslant` of the same faces: what of the normal lies square to the ray."""
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rays = np.concatenate([(PLACES - (WIDE / 2, HIGH / 2)) / FOCAL, np.ones((5, 1))], axis=1)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    local = normals @ turn.T
    return (local - (local * rays).sum(axis=1, keepdims=True) * rays)[:, :2]


@pytest.mark.parametrize("degrees", [-35, -20, 0, 8, 20, 35])
def test_level_dice_have_no_slope_wherever_they_lie(degrees: int) -> None:
    assert out_of_slope(PLACES, aslant(LEVEL, np.radians(degrees)), WIDE).max() < 0.16


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("lean", [20, 32, 45])
@pytest.mark.parametrize("degrees", [-25, 0, 25])
def test_the_slope_of_a_leaning_die_is_told(number: int, lean: int, degrees: int) -> None:
    normals = LEVEL.copy()
    normals[number] = [np.sin(np.radians(lean)), 0, -np.cos(np.radians(lean))]
    off = out_of_slope(PLACES, aslant(normals, np.radians(degrees)), WIDE)
    assert 0.55 < off[number] / np.tan(np.radians(lean)) < 1.5
    assert np.delete(off, number).max() < 0.2


def test_one_die_alone_has_no_slope() -> None:
    assert out_of_slope(PLACES[:1], np.array([[0.9, 0.0]]), WIDE).tolist() == [0.0]
    assert len(out_of_slope(PLACES[:0], np.zeros((0, 2)), WIDE)) == 0
    assert np.isfinite(out_of_slope(PLACES[:2], np.array([[3.0, 0.0], [0.0, 0.0]]), WIDE)).all()
