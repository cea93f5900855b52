"""`tallytray bench`: what reading is measured by."""

import pytest

from device import bench_reading
from device.figures import median_times


def test_what_is_measured_in_turn_is_measured_as_often() -> None:
    done: list[str] = []
    times = median_times(3, {"one": lambda: done.append("one"), "two": lambda: done.append("two")})
    assert done == ["one", "two"] * 4, "one round to warm up, and never one work several times in a row"
    assert set(times) == {"one", "two"}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_reading_is_measured_in_decodes_of_one_picture() -> None:
    figures = {figure.name: figure for figure in bench_reading.measured(1)}
    assert {name: figure.most for name, figure in figures.items()} == {
        "decoding the picture": None,
        "reading, uncalibrated": 12,
        "reading, calibrated": 4,
        "reading on cloth": 1.5,
        "one look at a still tray": 0.2,
        "most memory of the vision process": 120,
    }
    assert all(figure.value > 0 for figure in figures.values())
    assert figures["most memory of the vision process"].value < 200
    assert figures["reading, calibrated"].value < figures["reading, uncalibrated"].value
