"""The reader on drawn dice: every stage by itself, and the whole."""

import itertools

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, tray

from vision.agree import weigh
from vision.choice import prune
from vision.explain import explain
from vision.lattice import find_faces
from vision.left_over import more_pips
from vision.pips import find_pips
from vision.places import Place
from vision.read import decide, look, read, rest
from vision.reading import enlarged
from vision.seen import Seen


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


def test_pips_are_measured() -> None:
    pips = find_pips(tray([Drawn(5, 300.3, 200.6, side=90)]))
    near = np.linalg.norm(pips.centre - (300.3, 200.6), axis=1) < 60
    dark = pips.pick(near & pips.dark)
    assert len(dark) == 5
    assert np.allclose(dark.radius, 0.085 * 90, rtol=0.12)
    assert dark.aspect.min() > 0.85
    assert np.linalg.norm(dark.centre - (300.3, 200.6), axis=1).min() < 0.6


def test_light_pips_on_a_dark_die_are_pips_too() -> None:
    die = Drawn(6, 300, 200, body=(60, 30, 25), pip=(235, 235, 235))
    assert read(tray([die]), 1).values == (6,)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("side", [28.0, 45.0, 90.0, 180.0])
def test_every_face_at_every_size(value: int, side: float) -> None:
    reading = read(tray([Drawn(value, 400, 225, side=side, angle=33)], noise=1.5), 1)
    assert reading.values == (value,)
    die = reading.dice[0]
    assert np.hypot(die.centre[0] - 400, die.centre[1] - 225) < 0.06 * side
    assert die.size == pytest.approx(side, rel=0.2)
    assert 0 <= die.angle < 90


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_the_angle_is_clockwise_from_the_x_axis(value: int) -> None:
    die = read(tray([Drawn(value, 400, 225, side=90, angle=25)]), 1).dice[0]
    assert min(abs(die.angle - 25), 90 - abs(die.angle - 25)) < 4


def test_narrow_sixes_stay_sixes() -> None:
    image = tray([Drawn(6, 400, 225, side=80)])
    squeezed = cv2.resize(image, (800, 300))
    assert read(squeezed, 1).values == (6,)


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_shadow_whose_edge_lies_across_a_die_leaves_it_one_face(value: int) -> None:
    image = tray([Drawn(value, 400, 225, side=120, angle=0, pip=(20, 20, 22))])
    shade = np.array([0.30, 0.42, 0.52])  # what lights a shadow comes from the carpet, and is warmer
    image[240:] = image[240:] * shade
    pips = find_pips(image)
    faces = find_faces(pips)
    here = np.linalg.norm(faces.centre - (400, 225), axis=1) < 6
    assert value in faces.value[here]


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("angle", [0, 30])
@pytest.mark.parametrize(("share", "where"), [(0.3, 0.0), (0.45, 0.13)])
@pytest.mark.parametrize("light", [False, True])
def test_the_edge_of_a_shadow_across_a_face_makes_no_other_value_of_it(
    value: int, angle: int, share: float, where: float, light: bool
) -> None:
    colours = {"body": (40, 40, 170), "pip": (235, 235, 235)} if light else {}
    dice = [Drawn(value, 400, 225, side=90, angle=angle, **colours), Drawn(5, 180, 120, side=90, **colours)]  # type: ignore[arg-type]
    image = tray(dice, blur=1.0)
    turn = np.deg2rad(angle)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    dark = (x > 300) & ((y - 225) * np.cos(turn) - (x - 400) * np.sin(turn) > where * 90)
    image[dark] = image[dark] * share
    reading = read(image, 2)
    assert reading.values == tuple(sorted((value, 5))) or not reading.sure


def test_pips_beside_those_that_were_read_are_noticed() -> None:
    four = Drawn(4, 400, 225, side=80, angle=0)
    image = cv2.circle(tray([four]), (421, 246), 14, four.body, -1)
    pips = find_pips(image)
    for value in (2, 3):
        by_net, none = np.eye(6)[value - 1], np.zeros(6)
        place = Place((400.0, 225.0), 80.0, none, none, (-1,) * 6, by_net, 0.9, 0.0, 0.0, True, (0, 0))
        here = Seen(weigh([place])[0], -1, np.array(place.centre), np.eye(2) * 40, 80.0)
        assert more_pips(pips, here) == (value == 2)


def test_a_whole_throw_is_sure_told_and_untold() -> None:
    places = [(100, 90), (300, 120), (520, 90), (200, 300), (420, 320), (650, 250)]
    dice = [Drawn(value, x, y, angle=13 * value) for value, (x, y) in zip(range(1, 7), places, strict=True)]
    image = tray(dice)
    for told in (6, None):
        reading = read(image, told)
        assert reading.values == (1, 2, 3, 4, 5, 6)
        assert reading.sure
        assert reading.troubles == ()


@pytest.mark.parametrize("value", range(1, 7))
def test_touching_dice_of_one_colour(value: int) -> None:
    dice = [Drawn(value, 300, 200, angle=0), Drawn(1, 362, 205, angle=0), Drawn(4, 300, 263, angle=0)]
    assert read(tray(dice), 3).values == tuple(sorted((value, 1, 4)))


def test_a_wrong_count_is_never_sure() -> None:
    dice = [Drawn(3, 200, 200), Drawn(5, 500, 200)]
    for told in (1, 3, 5):
        reading = read(tray(dice), told)
        assert not reading.sure
        assert set(reading.troubles) & {"count", "unexplained"}


def test_a_face_hidden_by_glare_is_left_over_not_forgotten() -> None:
    image = tray([Drawn(3, 200, 200), Drawn(5, 500, 200)])
    cv2.circle(image, (500, 200), 24, (225, 235, 240), -1)  # the body's own colour over all its pips
    assert not read(image, None).sure


def test_a_die_cut_by_the_edge_of_the_picture_is_not_sure() -> None:
    reading = read(tray([Drawn(5, 200, 200), Drawn(4, 400, 21, angle=0)]), 2)
    assert not reading.sure
    assert "cut-off" in reading.troubles


def test_a_whole_die_at_the_edge_of_the_picture_is_sure_though_its_square_sticks_out() -> None:
    others = [Drawn(5, 300, 200), Drawn(2, 420, 120)]
    assert read(tray([Drawn(4, 38, 200, angle=45), *others]), 3).sure  # half a diagonal is 42 px, rounded 37
    assert "cut-off" in read(tray([Drawn(4, 30, 200, angle=45), *others]), 3).troubles


@pytest.mark.parametrize("told", [3, None])
@pytest.mark.parametrize("x", [785.0, 800.0])
def test_a_die_that_the_border_cuts_through_is_named(x: float, told: int | None) -> None:
    reading = read(tray([Drawn(5, 150, 120), Drawn(3, 330, 300, angle=50), Drawn(4, x, 200, angle=40)]), told)
    assert [die.value for die in reading.dice if die.trouble is None] == [5, 3]
    assert "cut-off" in reading.troubles


def test_pips_like_the_dices_own_in_no_die_leave_no_untold_reading_sure() -> None:
    image = tray([Drawn(4, 200, 200), Drawn(5, 300, 200), Drawn(2, 420, 120)])
    cv2.rectangle(image, (540, 120), (760, 320), (60, 190, 215), -1)  # a body that no reader takes for a die
    for x, y in ((600, 200), (626, 226)):
        cv2.circle(image, (x, y), 5, (25, 25, 30), -1, cv2.LINE_AA)
    image = cv2.GaussianBlur(image, (0, 0), 0.7)
    untold = read(image, None)
    assert untold.values == (2, 4, 5)
    assert untold.troubles == ("unexplained",)
    assert read(image, 3).sure


def test_a_leaning_die_is_seen_but_not_read() -> None:
    image = tray([Drawn(4, 150, 150), Drawn(5, 350, 150), Drawn(5, 550, 150), Drawn(6, 150, 330)])
    part = image[90:210, 490:610].copy()
    image[90:210, 490:610] = tray([], size=(120, 120))
    narrow = cv2.resize(part, (84, 120))  # a face leaning by 45 degrees
    image[90:210, 508:592] = narrow
    reading = read(image, 4)
    assert "cocked" in reading.troubles
    assert reading.values == (4, 5, 6)
    assert [die.value for die in reading.dice if die.trouble == "cocked"] == [None]


@pytest.mark.parametrize("level", [0, 127, 255])
@pytest.mark.parametrize("size", [(1, 1), (5, 900), (24, 24), (300, 400), (1080, 1920)])
def test_empty_pictures_of_any_size(level: int, size: tuple[int, int]) -> None:
    reading = read(np.full((*size, 3), level, np.uint8), 5)
    assert reading.dice == ()
    assert not reading.sure
    assert "no-dice" in reading.troubles


def test_noise_and_cloth_are_bounded_work() -> None:
    rng = np.random.default_rng(7)
    noise = rng.integers(0, 256, (720, 1280, 3), np.uint8)
    coarse = cv2.resize(rng.integers(0, 256, (240, 420, 3), np.uint8), (1280, 720), interpolation=cv2.INTER_NEAREST)
    for image in (noise, cv2.GaussianBlur(noise, (0, 0), 2), coarse):
        evidence = look(image)
        assert len(evidence.pips) <= 200
        assert len(evidence.choice.faces) <= 260
        assert len(evidence.places) <= 52
        for told in (5, None):
            assert not decide(evidence, told).reading.sure


def test_faces_looked_at_are_bounded_on_a_grid_of_dots() -> None:
    image = np.full((540, 960, 3), 230, np.uint8)
    for x, y in itertools.product(range(12, 960, 20), range(12, 540, 20)):
        cv2.circle(image, (x, y), 5, (30, 30, 30), -1, cv2.LINE_AA)
    pips = find_pips(image)
    assert len(prune(pips, find_faces(pips))) <= 260
    assert not read(image, 5).sure


def test_the_explained_picture_shows_the_verdict() -> None:
    image = tray([Drawn(3, 200, 200), Drawn(5, 500, 200)])
    drawn = explain(decide(look(image), 2))
    assert drawn.shape[0] > image.shape[0]
    assert (drawn[: image.shape[0]] != image).any()


def test_a_reading_of_a_reduced_picture_is_told_in_the_photos_pixels() -> None:
    reading = read(tray([Drawn(3, 200, 150)]), 1)
    die, large = reading.dice[0], enlarged(reading, 4).dice[0]
    assert large.centre[0] == pytest.approx((die.centre[0] + 0.5) * 4 - 0.5)
    assert large.size == pytest.approx(die.size * 4)


def test_after_a_rest_a_picture_is_read_as_before() -> None:
    image = tray([Drawn(6, 300, 200), Drawn(3, 150, 300, angle=20)])
    before = read(image, 2)
    rest()
    assert read(image, 2) == before
