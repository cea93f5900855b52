"""Watching drawn films: every throw found, none invented; and the looks are cheap."""

import time
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, Image, tray

from vision.frame import Frame
from vision.jpeg import Jpeg
from vision.settle import small_grey
from vision.throws import Seen, TrayState
from vision.watch import Watch

FPS = 15
FIRST = (
    Drawn(3, 100, 100, angle=10),
    Drawn(5, 300, 120, angle=70),
    Drawn(1, 500, 200),
    Drawn(6, 650, 300, angle=40),
    Drawn(2, 200, 330),
)
HELD = FIRST[:2]
SECOND = (Drawn(4, 400, 350), Drawn(4, 600, 100, angle=50), Drawn(2, 130, 250))


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


class Film:
    """Frames as a camera would give them."""

    def __init__(self) -> None:
        self.frames: list[Image] = []

    def still(self, dice: tuple[Drawn, ...], count: int = 12, **how: object) -> None:
        self.frames += [tray(dice, seed=len(self.frames) + k, **how) for k in range(count)]  # type: ignore[arg-type]

    def rolling(self, lying: tuple[Drawn, ...], thrown: tuple[Drawn, ...], count: int = 8) -> None:
        for k in range(count):
            left = 1 - (k + 1) / count
            flying = tuple(
                replace(die, x=die.x + 90 * left, y=die.y + 500 * left, angle=die.angle + 200 * left) for die in thrown
            )
            self.frames.append(tray((*lying, *flying), seed=len(self.frames), blur=2.5))

    def hand(self, dice: tuple[Drawn, ...], count: int = 6) -> None:
        for k in range(count):
            frame = tray(dice, seed=len(self.frames))
            cv2.rectangle(frame, (60 * k, 0), (60 * k + 260, 320), (120, 140, 190), -1)
            self.frames.append(frame)

    def play(self, watch: Watch) -> list[Seen]:
        return [watch.look(Frame(number, number / FPS, image)) for number, image in enumerate(self.frames)]


def throws(seen: list[Seen]) -> list[tuple[tuple[int, ...], int]]:
    """(values, dice that stayed) of every throw."""
    return [
        (one.throw.reading.values, sum(index is not None for index in one.throw.stayed)) for one in seen if one.throw
    ]


@pytest.mark.slow
def test_two_throws_with_held_dice() -> None:
    film = Film()
    film.still(())
    film.rolling((), FIRST)
    film.still(FIRST)
    film.still(HELD)
    film.rolling(HELD, SECOND)
    film.still(HELD + SECOND)
    film.still(())
    seen = film.play(Watch(5))
    assert throws(seen) == [((1, 2, 3, 5, 6), 0), ((2, 3, 4, 4, 5), 2)]
    second = [one.throw for one in seen if one.throw][1]
    assert second is not None
    assert second.number == 2
    assert [
        die.value for die, origin in zip(second.reading.dice, second.stayed, strict=True) if origin is not None
    ] in (
        [3, 5],
        [5, 3],
    )
    states = [one.state for one in seen]
    assert states[0] is TrayState.EMPTY
    assert states[-1] is TrayState.EMPTY
    assert TrayState.MOVING in states or TrayState.HAND in states


def test_only_the_thrown_dice_in_view() -> None:
    film = Film()
    film.still(())
    film.rolling((), SECOND)
    film.still(SECOND, 16)
    assert throws(film.play(Watch(5))) == [((2, 4, 4), 0)]


def test_a_hand_a_lamp_and_a_nudge_are_no_throws() -> None:
    film = Film()
    film.still(())
    film.rolling((), FIRST)
    film.still(FIRST)
    film.hand(FIRST)
    film.still(FIRST)
    film.still(FIRST, ground=(110, 140, 80))
    nudged = tuple(replace(die, x=die.x + 8, y=die.y + 6, angle=die.angle + 3) for die in FIRST)
    film.still(nudged)
    assert throws(film.play(Watch(5))) == [((1, 2, 3, 5, 6), 0)]


def test_dice_lying_there_at_the_start_are_no_throw() -> None:
    film = Film()
    film.still(FIRST)
    seen = film.play(Watch(5))
    assert throws(seen) == []
    assert seen[-1].state is TrayState.SETTLED
    assert seen[-1].reading is not None
    assert seen[-1].reading.values == (1, 2, 3, 5, 6)


def test_frames_that_do_not_agree_are_never_sure() -> None:
    film = Film()
    film.still(())
    film.rolling((), FIRST)
    other = (replace(FIRST[0], value=2), *FIRST[1:])
    # The change is too small to be movement, so only the second reading can notice it.
    quiet = {"noise": 1.0}
    for k in range(12):
        film.still(FIRST if k % 2 else other, 1, **quiet)
    seen = film.play(Watch(5))
    assert all(not one.throw.reading.sure for one in seen if one.throw)


def test_a_told_count_changes_what_is_sure() -> None:
    film = Film()
    film.still(())
    film.rolling((), SECOND)
    film.still(SECOND, 16)
    watch = Watch(2)
    seen = film.play(watch)
    assert all(one.throw is None or not one.throw.reading.sure for one in seen)
    watch.expect(3)
    after = [watch.look(Frame(100 + k, 100 + k / FPS, film.frames[-1])) for k in range(6)]
    assert after[-1].reading is not None
    assert after[-1].reading.sure


def test_a_still_tray_is_read_once() -> None:
    film = Film()
    film.still(FIRST, 4)
    watch = Watch(5)
    film.play(watch)
    frame = film.frames[-1]
    began = time.process_time()
    for k in range(40):
        watch.look(Frame(50 + k, 50 + k / FPS, frame))
    looks = (time.process_time() - began) / 40
    began = time.process_time()
    for _ in range(40):
        cv2.imdecode(np.frombuffer(bytes(cv2.imencode(".jpg", frame)[1]), np.uint8), cv2.IMREAD_COLOR)
    assert looks < (time.process_time() - began) / 40


def test_frames_of_another_size_start_afresh() -> None:
    watch = Watch(5)
    for number, size in enumerate([(800, 450), (640, 480), (1, 1), (2, 900)]):
        seen = watch.look(Frame(number, number / FPS, np.zeros((size[1], size[0], 3), np.uint8)))
        assert seen.throw is None


@pytest.mark.parametrize("size", [(1280, 720), (1279, 719), (800, 450), (640, 360), (1536, 864), (321, 199)])
def test_a_packed_picture_is_glanced_at_as_a_whole_one_is(size: tuple[int, int]) -> None:
    image = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), np.uint8), (9, 9), 0)
    packed = Jpeg(cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, 95))[1].tobytes(), "a camera's")
    assert packed.size == size
    whole, part = small_grey(Frame(0, 0.0, np.asarray(image, np.uint8))), small_grey(Frame(1, 0.0, packed))
    assert whole.shape == part.shape
    assert float(np.abs(whole.astype(int) - part).mean()) < 3


def test_dice_that_came_while_frames_had_another_size_are_a_throw() -> None:
    watch = Watch(5)
    film = Film()
    film.still((), 12)
    for number, image in enumerate(film.frames):
        watch.look(Frame(number, number / FPS, image))
    small = np.zeros((90, 160, 3), np.uint8)
    watch.look(Frame(20, 20 / FPS, small))
    seen = [watch.look(Frame(21 + k, (21 + k) / FPS, tray(FIRST, seed=k))) for k in range(16)]
    assert throws(seen) == [((1, 2, 3, 5, 6), 0)]


@pytest.mark.parametrize("size", [(1280, 720), (1279, 719), (800, 450), (799, 3), (960, 720), (4056, 3040), (200, 150)])
def test_the_glance_is_the_mean_of_what_it_shrinks(size: tuple[int, int]) -> None:
    grey = small_grey(Frame(0, 0.0, np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), np.uint8)))
    assert 160 <= max(grey.shape) <= 330
    assert grey.shape[1] / grey.shape[0] == pytest.approx(size[0] / size[1], rel=0.05) or min(grey.shape) == 1
    assert abs(float(grey.mean()) - 127) < 8
    flat = small_grey(Frame(0, 0.0, np.full((size[1], size[0], 3), 90, np.uint8)))
    assert (flat == 90).all()
