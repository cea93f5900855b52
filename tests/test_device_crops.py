"""Crops of single dice: cut from the full picture, handed over without waiting, never of another reading."""

import numpy as np
import pytest

from device.crops import BYTES, MOST, SIDE, Crops
from vision.crop import crop
from vision.reading import Die


def die(x: float, y: float, size: float) -> Die:
    return Die(3, (x, y), size, 0.0, 0.99)


def scene(wide: int = 640, high: int = 360) -> np.ndarray:
    return np.full((high, wide, 3), (30, 90, 40), np.uint8)


@pytest.fixture
def crops() -> Crops:
    return Crops(memoryview(bytearray(BYTES)))


@pytest.mark.parametrize("size", [14.0, 40.0, 61.2, 240.0])
def test_a_die_stands_in_the_middle_of_its_crop_at_one_size(size: float) -> None:
    image = scene(1280, 720)
    x, y, half = 700, 300, size / 2
    image[round(y - half) : round(y + half), round(x - half) : round(x + half)] = (200, 210, 220)
    cut = crop(image, die(x - 0.5, y - 0.5, size), SIDE)
    assert cut.shape == (SIDE, SIDE, 3)
    bright = cut[:, :, 0] > 150
    rows, columns = np.nonzero(bright)
    assert rows.mean() == pytest.approx(SIDE / 2 - 0.5, abs=2)
    assert columns.mean() == pytest.approx(SIDE / 2 - 0.5, abs=2)
    assert bright.sum() ** 0.5 == pytest.approx(SIDE / 1.9, rel=0.08)
    assert tuple(cut[SIDE // 2, SIDE // 2]) == (220, 210, 200), "red-green-blue"


@pytest.mark.parametrize("place", [(0, 0), (639, 359), (-30, 100), (900, 900)])
@pytest.mark.parametrize("size", [0.0, 3.0, 60.0, 2000.0])
def test_a_die_at_the_edge_or_past_it_still_has_a_crop(place: tuple[int, int], size: float) -> None:
    assert crop(scene(), die(*place, size), SIDE).shape == (SIDE, SIDE, 3)


def test_a_reading_gets_its_own_crops_and_no_other(crops: Crops) -> None:
    assert crops.read(0) == ()
    one = crops.write([b"\1" * (SIDE * SIDE * 3), b"\2" * (SIDE * SIDE * 3)])
    first = crops.read(one)
    assert len(first) == 2
    two = crops.write([b"\3" * (SIDE * SIDE * 3)] * (MOST + 3))
    assert len(crops.read(two)) == MOST
    assert crops.read(one) == (), "they were written over"
    assert [{*one.pixels} for one in first] == [{1}, {2}], "what was handed out stays as it was"
    numbers = [one.number for one in (*first, *crops.read(two))]
    assert len(set(numbers)) == 2 + MOST
    assert max(numbers) < 0


def test_a_writer_that_died_half_way_leaves_nothing_to_be_read(crops: Crops) -> None:
    number = crops.write([b"\1" * (SIDE * SIDE * 3)])
    crops._header[0] += 1
    assert crops.read(number) == crops.read(number + 1) == crops.read(number + 2) == ()
    again = crops.write([b"\1" * (SIDE * SIDE * 3)])
    assert again % 2 == 0
    assert len(crops.read(again)) == 1
