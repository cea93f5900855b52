"""Orders to the virtual camera."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import CameraError
from vision.cameras.virtual import Virtual


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("light = 0", "light is 0: allowed are numbers above 0"),
        ("light = -1", "light is -1: allowed are numbers above 0"),
        ("light = nan", "light is nan: allowed are numbers above 0"),
        ("light = inf", "light is inf: allowed are numbers above 0"),
        ('fault = "plugged"', "plugged.*allowed are none, unplugged, frozen, black, .* leak, wrong-size"),
    ],
)
def test_wrong_orders_are_refused_in_one_line_that_says_what_is_allowed(tmp_path: Path, order: str, why: str) -> None:
    path = tmp_path / "camera.toml"
    path.write_text(f'film = "nowhere"\n{order}\n')
    with pytest.raises(CameraError, match=why) as caught:
        Virtual(path)
    assert "\n" not in str(caught.value)


def test_wrong_orders_while_it_runs_are_told_of_once_and_those_before_hold(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, film = tmp_path / "camera.toml", tmp_path / "film"
    film.mkdir()
    cv2.imwrite(str(film / "000001.png"), np.full((48, 64, 3), 90, np.uint8))

    def order(text: str, second: int) -> None:
        path.write_text(f'film = "{film}"\n{text}\n')
        os.utime(path, (second, second))

    order("light = 2", 1)
    camera = Virtual(path, paced=False)
    order('fault = "pluged"', 2)
    camera.go_on(0)
    assert camera.read() is not None
    assert not caplog.messages, "it may have been half written"
    for _ in range(3):
        camera.go_on(0)
        assert camera.read() is not None
    order("light = 0", 3)
    for _ in range(3):
        camera.go_on(0)
        assert camera.read() is not None
    path.unlink()
    for _ in range(3):
        camera.go_on(0)
        assert camera.read() is not None
    wrong, dark, gone = caplog.messages
    assert "camera.toml" in wrong
    assert "pluged" in wrong
    assert "allowed are none, unplugged" in wrong
    assert "light is 0: allowed are numbers above 0; what was ordered before holds" in dark
    assert "No such file" in gone
    order('fault = "unplugged"', 4)
    with pytest.raises(CameraError, match="not plugged in"):
        camera.read()
