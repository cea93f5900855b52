"""Orders to the virtual camera."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import CameraError, virtual
from vision.cameras.recording import Recording
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


def plain_film(folder: Path, level: int, size: tuple[int, int] = (64, 48)) -> Path:
    folder.mkdir()
    for number in (1, 2, 3):
        cv2.imwrite(str(folder / f"{number:06d}.png"), np.full((size[1], size[0], 3), level + number, np.uint8))
    (folder / "film.json").write_text('{"fps": 10, "cuts": [1]}')
    return folder


def test_another_film_is_played_from_its_beginning_by_the_camera_that_runs(tmp_path: Path) -> None:
    path = tmp_path / "camera.toml"
    one, other = plain_film(tmp_path / "one", 50), plain_film(tmp_path / "other", 150, (80, 60))

    def order(film: Path, second: int, more: str = "") -> None:
        path.write_text(f'film = "{film}"\n{more}\n')
        os.utime(path, (second, second))

    order(one, 1)
    camera = Virtual(path, paced=False)
    camera.go_on()
    frames = [camera.read() for _ in range(3)]
    order(other, 2)
    frames += [camera.read() for _ in range(2)]
    assert camera.size == (80, 60)
    camera.go_on()
    frames += [camera.read() for _ in range(3)]
    order(other, 3, "light = 1.0")
    frames.append(camera.read())
    seen = [frame for frame in frames if frame is not None]
    assert len(seen) == 9
    levels = [round(float(frame.image.mean())) for frame in seen]
    assert levels[:3] == [51, 52, 53]
    assert [round(level) for level in levels[3:5]] == pytest.approx([151, 151], abs=1), "it waits for its first throw"
    assert levels[6:8] == [152, 153]
    assert levels[8] == pytest.approx(153, abs=1), "the same film goes on where it was"
    assert [frame.number for frame in seen] == list(range(9))
    times = [frame.taken_at for frame in seen]
    assert times == sorted(times)


def test_a_film_that_cannot_be_opened_is_told_of_once_and_the_one_before_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "camera.toml"
    one, other = plain_film(tmp_path / "one", 50), plain_film(tmp_path / "other", 150)
    path.write_text(f'film = "{one}"\n')
    camera = Virtual(path, paced=False)
    camera.go_on()
    tried: list[Path] = []

    class Opened(Recording):
        def __init__(self, film: Path, *, paced: bool = True) -> None:
            tried.append(film)
            super().__init__(film, paced=paced)

    monkeypatch.setattr(virtual, "Recording", Opened)
    (tmp_path / "video.mp4").write_bytes(b"no video")
    for count, wrong in enumerate(("nowhere", "video.mp4", "one/000001.png", "a\\u0000b"), 1):
        path.write_text(f'film = "{wrong if "u0000" in wrong else tmp_path / wrong}"\nlight = 2\n')
        for _ in range(5):
            frame = camera.read()
            assert frame is not None
            assert 50 <= frame.image.mean() <= 54, "as it was, and as bright"
        assert len(caplog.messages) == count, caplog.messages
        assert "what was ordered before holds" in caplog.messages[-1]
        assert "\n" not in caplog.messages[-1]
        assert len(tried) == 2 * count, "not again at every picture"
    path.write_text(f'film = "{other}"\n')
    frame = camera.read()
    assert frame is not None
    assert frame.image.mean() == 151
    assert len(caplog.messages) == 4


def test_orders_that_are_no_file_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "camera.toml")
    with pytest.raises(CameraError, match=r"camera\.toml cannot be read: is no file"):
        Virtual(tmp_path / "camera.toml")
