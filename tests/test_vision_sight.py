"""Pictures that cannot be believed."""

import numpy as np
import pytest

from vision.frame import Frame, Image
from vision.sight import Sight

FPS = 10


def noisy(level: float, seed: int, size: tuple[int, int] = (320, 180)) -> Image:
    noise = np.random.default_rng(seed).normal(level, 3.0, (size[1], size[0], 3))
    return np.asarray(np.clip(noise, 0, 255), np.uint8)


class Eye:
    """Feeds a Sight as a camera would."""

    def __init__(self) -> None:
        self.sight = Sight()
        self.number = 0

    def see(self, image: Image, waited: float = 0.03, period: float = 1 / FPS) -> tuple[str | None, bool]:
        frame = Frame(self.number, self.number * period, image)
        self.number += 1
        return self.sight.judge(frame, waited), self.sight.doubtful

    def see_all(self, level: float, count: int, **how: float) -> list[tuple[str | None, bool]]:
        return [self.see(noisy(level, self.number), **how) for _ in range(count)]


def test_a_lit_tray_is_believed_from_the_second_frame_on() -> None:
    seen = Eye().see_all(110, 20)
    assert seen == [(None, True)] + [(None, False)] * 19


@pytest.mark.parametrize(("level", "name"), [(2, "camera-dark"), (254, "camera-burnt")])
def test_dark_and_burnt_pictures_are_named_after_a_second_and_never_read(level: float, name: str) -> None:
    eye = Eye()
    eye.see_all(110, 5)
    seen = eye.see_all(level, 20)
    assert all(doubtful for _, doubtful in seen)
    assert [fault for fault, _ in seen[:9]] == [None] * 9, "the first frames of a camera look like that"
    assert [fault for fault, _ in seen[11:]] == [name] * 9
    assert eye.see_all(110, 2) == [(None, False)] * 2


@pytest.mark.parametrize("level", [30, 60, 200, 235])
def test_a_dim_and_a_bright_tray_are_believed(level: float) -> None:
    assert {fault for fault, _ in Eye().see_all(level, 30)} == {None}


def test_the_same_picture_again_and_again_is_a_frozen_camera() -> None:
    eye = Eye()
    eye.see_all(110, 5)
    picture = noisy(110, 1)
    seen = [eye.see(picture.copy()) for _ in range(30)]
    assert seen[0] == (None, False)
    assert all(doubtful for _, doubtful in seen[1:])
    assert [fault for fault, _ in seen[:14]] == [None] * 14
    assert [fault for fault, _ in seen[17:]] == ["camera-frozen"] * 13


def test_one_picture_twice_is_nothing() -> None:
    eye = Eye()
    for number in range(20):
        picture = noisy(110, number)
        assert eye.see(picture)[0] is None
        assert eye.see(picture)[0] is None


def test_a_frame_of_another_size_is_not_read() -> None:
    eye = Eye()
    eye.see_all(110, 5)
    seen = [eye.see(noisy(110, number, (160, 90))) for number in range(20)]
    assert all(doubtful for _, doubtful in seen)
    assert seen[-1][0] == "camera-size"


def test_a_slow_camera_is_named_and_read() -> None:
    eye = Eye()
    assert eye.see_all(110, 4, waited=0.8, period=0.8)[-1] == ("camera-slow", False)
    assert eye.see_all(110, 3)[-1] == (None, False)


def drifts(levels: list[float]) -> int | None:
    """After how many frames the light counts as drifted."""
    sight = Sight()
    for number, level in enumerate(levels):
        if sight.drifted(Frame(number, number / FPS, noisy(level, number, (96, 54)))):
            return number
    return None


def test_light_that_drifts_is_noticed_and_a_passing_shadow_is_not() -> None:
    assert drifts([110.0] * 100) is None
    assert drifts([110.0] * 10 + [70.0] * 15 + [110.0] * 60) is None
    evening = drifts([110 - 0.2 * number for number in range(300)])
    assert evening is not None
    assert 82 < evening < 130
    lamp = drifts([110.0] * 10 + [140.0] * 60)
    assert lamp is not None
    assert 28 < lamp < 34


def test_locked_anew_the_new_light_is_right() -> None:
    sight = Sight()
    assert not sight.drifted(Frame(0, 0.0, noisy(110, 0)))
    sight.locked()
    assert not any(sight.drifted(Frame(number, number / FPS, noisy(60, number))) for number in range(1, 60))
