"""A fixed camera is known by its empty tray: the rim found, the dice found, and never a die lost by it."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_dice import Drawn, Image, tray

from vision.calibrating import Ask, Calibrating, Progress, Snag
from vision.calibration import Calibration, CalibrationError, calibration_file, load, save
from vision.frame import Frame
from vision.lying import Ground
from vision.read import read, read_tray
from vision.recheck import Verdict, recheck, renewed
from vision.tray import MARK_MM, MARKS, find_tray, marks_dictionary
from vision.watch import Watch, read_throw

DICE = (
    Drawn(3, 180, 120, angle=10),
    Drawn(5, 320, 140, angle=70),
    Drawn(1, 500, 220),
    Drawn(6, 640, 310, angle=40),
    Drawn(2, 230, 330),
)
WOOD = (45, 85, 135)
CORNERS = np.array([[80, 40], [725, 46], [730, 415], [76, 408]], np.int32)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    cv2.setNumThreads(1)


@cache
def noise(number: int) -> np.ndarray:
    return np.random.default_rng(number).normal(0, 2, (450, 800, 3)).round().astype(np.int16)


def shot(image: Image, number: int) -> Image:
    """`image` as a camera gives it, every time a little different."""
    return np.clip(image + noise(number % 5)[: image.shape[0], : image.shape[1]], 0, 255).astype(np.uint8)


@cache
def bare(seed: int = 0) -> Image:
    return tray((), seed=seed)


def walled(image: Image, corners: np.ndarray = CORNERS, wall: int = 26) -> Image:
    """`image` with a wooden wall along `corners` and a pale table outside."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [corners], (255,))
    rim = cv2.dilate(inside, np.ones((2 * wall + 1, 2 * wall + 1), np.uint8))
    framed = image.copy()
    framed[inside == 0] = WOOD
    framed[rim == 0] = (170, 180, 185)
    noise = np.random.default_rng(5).normal(0, 3, image.shape)
    return np.where((inside > 0)[..., None], framed, np.clip(framed + noise, 0, 255)).astype(np.uint8)


def ringed(image: Image, centre: tuple[int, int] = (400, 225), radius: int = 190) -> Image:
    yy, xx = np.mgrid[: image.shape[0], : image.shape[1]]
    far = np.hypot(xx - centre[0], yy - centre[1])
    framed = image.copy()
    framed[far > radius] = WOOD
    framed[far > radius + 24] = (170, 180, 185)
    return framed


@pytest.fixture(scope="module")
def ground() -> Ground:
    empty = walled(bare())
    return Ground(Calibration("usb:0", empty, find_tray(empty), 60.0, 0.7))


def far_from(outline: np.ndarray, corners: np.ndarray) -> float:
    """The largest distance of any of `corners` from the nearest corner of `outline`."""
    return float(np.linalg.norm(outline[:, None] - corners[None], axis=2).min(axis=0).max())


# Where the tray is


@pytest.mark.parametrize("turn", [-7.0, 0.0, 5.0])
def test_a_rectangle_is_found_however_the_camera_stands(turn: float) -> None:
    turned = cv2.transform(CORNERS[None].astype(np.float64), cv2.getRotationMatrix2D((400, 225), turn, 0.9))[0]
    found = find_tray(walled(bare(), np.rint(turned).astype(np.int32)))
    assert found.shape == "rectangle"
    # The foot of the wall or its top: never more than the wall away.
    assert far_from(found.outline, turned) < 45


@pytest.mark.parametrize("centre", [(400, 225), (370, 240), (400, 160)])
def test_a_round_rim_is_found_even_where_the_picture_cuts_it(centre: tuple[int, int]) -> None:
    found = find_tray(ringed(bare(), centre))
    assert found.shape == "round"
    reach = np.linalg.norm(found.outline - np.array(centre), axis=1)
    assert reach.min() > 180
    assert reach.max() < 222


def test_without_a_rim_the_whole_picture_is_the_tray() -> None:
    joints = bare().copy()
    for x in range(60, 800, 170):
        cv2.line(joints, (x, 0), (x + 40, 449), (60, 70, 60), 9)
    for y in range(40, 450, 150):
        cv2.line(joints, (0, y), (799, y + 20), (60, 70, 60), 9)
    for image in (bare(), joints, np.zeros((480, 640, 3), np.uint8), np.full((30, 30, 3), 200, np.uint8)):
        found = find_tray(image)
        assert found.shape == "picture"
        assert cv2.contourArea(found.outline.astype(np.float32)) >= (image.shape[0] - 1) * (image.shape[1] - 1)


def marked(image: Image, places: tuple[tuple[int, int], ...], side: int = 60) -> Image:
    image = image.copy()
    for number, (x, y) in zip(MARKS, places, strict=False):
        mark = cv2.aruco.generateImageMarker(marks_dictionary(), number, side)
        image[y - 10 : y + side + 10, x - 10 : x + side + 10] = 235
        image[y : y + side, x : x + side] = np.maximum(mark, 20)[..., None]
    return image


FOUR = ((110, 60), (640, 66), (636, 340), (104, 334))


def test_four_marks_tell_the_tray_and_its_scale() -> None:
    found = find_tray(marked(bare(), FOUR))
    assert found.shape == "marks"
    assert found.mm == pytest.approx(MARK_MM / 60, rel=0.04)
    outer = np.array([[110, 60], [699, 66], [695, 399], [104, 393]])
    assert far_from(found.outline, outer) < 3
    assert find_tray(marked(bare(), FOUR[:3])).shape == "picture", "three marks are no tray"


# Calibrating


def play(work: Calibrating, *parts: tuple[Image, int]) -> list[Progress]:
    """Each picture shown for so many frames, with the noise of a camera."""
    told: list[Progress] = []
    for image, count in parts:
        for _ in range(count):
            told.append(work.look(Frame(len(told), len(told) / 15, shot(image, len(told)))))
    return told


def test_a_person_empties_throws_and_is_done() -> None:
    empty = walled(bare())
    hand = empty.copy()
    cv2.rectangle(hand, (100, 0), (420, 300), (120, 140, 190), -1)
    told = play(Calibrating("usb:0", 5), (empty, 10), (hand, 1), (empty, 2), (walled(tray(DICE)), 12))
    asked = [one.ask for one in told]
    assert asked[0] is Ask.EMPTY
    assert Ask.THROW in asked
    assert Snag.MOVING in [one.snag for one in told]
    assert told[-1].ask is Ask.NOTHING
    result = told[-1].result
    assert result is not None
    assert result.die == pytest.approx(60, rel=0.08)
    assert result.tray.shape == "rectangle"
    assert 0.05 < result.noise < 1.5
    assert np.abs(result.empty.astype(int) - empty).mean() < 1.2, "the mean of several is nearer than one"
    assert told[-1].advice == ()
    assert work_stays_done(told)


def work_stays_done(told: list[Progress]) -> bool:
    done = [one.result is not None for one in told]
    return done == sorted(done)


def test_dice_left_in_the_tray_are_noticed_and_one_may_insist() -> None:
    work = Calibrating("usb:0")
    full = walled(tray(DICE))
    assert play(work, (full, 10))[-1].snag is Snag.NOT_EMPTY
    work.insist()
    assert play(work, (full, 10))[-1].ask is Ask.THROW


def test_marks_are_used_and_taken_away() -> None:
    work = Calibrating("usb:0", 5)
    told = play(work, (marked(bare(), FOUR), 10), (bare(), 10), (tray(DICE), 10))
    assert Ask.MARKS_AWAY in [one.ask for one in told]
    result = told[-1].result
    assert result is not None
    assert result.tray.shape == "marks"
    assert not cv2.aruco.ArucoDetector(marks_dictionary()).detectMarkers(result.empty)[0]


def test_what_could_be_better_is_said() -> None:
    small = tuple(replace(die, side=38.0) for die in DICE)
    told = play(Calibrating("usb:0", 5), (bare(), 10), (tray(small), 12))
    assert told[-1].advice == (Snag.SMALL, Snag.NO_RIM)
    burnt = play(
        Calibrating("usb:0"),
        (walled(tray((), ground=(255, 255, 255))), 10),
        (walled(tray([replace(die, body=(60, 60, 190)) for die in DICE], ground=(255, 255, 255))), 12),
    )
    assert Snag.BRIGHT in burnt[-1].advice


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (900, 3), (30, 30)])
def test_frames_of_any_size_calibrate_nothing_and_break_nothing(size: tuple[int, int]) -> None:
    work = Calibrating("usb:0")
    for number in range(30):
        work.look(Frame(number, number / 15, np.full((size[1], size[0], 3), 90, np.uint8)))
    assert work.progress.result is None


# Keeping


def test_what_is_kept_comes_back(tmp_path: Path, ground: Ground) -> None:
    kept = calibration_file(tmp_path, "usb:usb-046d_C920 (Ä)/../x")
    assert kept.parent == tmp_path
    save(ground.calibration, kept)
    back = load(kept)
    assert (back.empty == ground.calibration.empty).all()
    assert back.tray.shape == "rectangle"
    assert np.abs(back.tray.outline - ground.calibration.tray.outline).max() < 0.1
    assert (back.camera, back.die, back.noise) == ("usb:0", 60.0, 0.7)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".png"]


def test_only_the_tray_of_a_picture_is_kept(tmp_path: Path) -> None:
    """Whoever sits around it is nobody's business."""
    corners = np.array([[300, 120], [640, 124], [636, 330], [304, 326]], np.int32)
    empty = walled(bare(), corners)
    found = Calibration("usb:0", empty, find_tray(empty), 30.0, 0.7)
    save(found, tmp_path / "usb-0.json")
    back = load(tmp_path / "usb-0.json")
    inside = np.zeros(empty.shape[:2], bool)
    inside[120 - 60 : 330 + 60, 300 - 60 : 640 + 60] = True
    assert not back.empty[~inside].any()
    assert (back.around_tray(back.empty) == found.around_tray(empty)).all()
    again = Ground(back)
    assert recheck(again, walled(bare(9), corners)).verdict is Verdict.TRUE
    moved = np.roll(walled(bare(9), corners), (0, 14), (0, 1))
    assert recheck(again, moved).verdict is Verdict.MOVED


def test_of_a_tray_without_a_rim_nothing_is_kept(tmp_path: Path, ground: Ground) -> None:
    """The whole picture is the tray there, with whoever sits round it."""
    kept = tmp_path / "usb-0.json"
    found = replace(ground.calibration, empty=bare(), tray=find_tray(bare()))
    assert found.tray.shape == "picture"
    assert not save(found, kept)
    assert save(ground.calibration, kept)
    assert not save(found, kept)
    assert list(tmp_path.iterdir()) == [], "what was known before is no longer true"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda json, png: json.unlink(),
        lambda json, png: png.unlink(),
        lambda json, png: json.write_text("{"),
        lambda json, png: json.write_text("[" * 100_000),
        lambda json, png: json.write_bytes(b"\xff\xfe\x00"),
        lambda json, png: json.write_text(json.read_text().replace('"die": 60.0', '"die": -3')),
        lambda json, png: json.write_text(json.read_text().replace('"die"', '"dye"')),
        lambda json, png: json.write_text(json.read_text().replace('"rectangle"', '"star"')),
        lambda json, png: json.write_text(json.read_text().replace('"width": 800', '"width": 801')),
        lambda json, png: json.write_text(json.read_text().replace('"die": 60.0', '"die": 6e9')),
        lambda json, png: png.write_bytes(png.read_bytes()[:1000]),
        lambda json, png: png.write_bytes(b""),
    ],
)
def test_what_is_damaged_is_refused_in_one_line(tmp_path: Path, ground: Ground, spoil) -> None:  # type: ignore[no-untyped-def]
    kept = tmp_path / "usb-0.json"
    save(ground.calibration, kept)
    spoil(kept, kept.with_suffix(".png"))
    with pytest.raises(CalibrationError) as refused:
        load(kept)
    assert "\n" not in str(refused.value)
    assert "usb-0" in str(refused.value)


# Where something lies


def light(image: Image, times: float, warm: float = 1.0) -> Image:
    return np.clip(image * np.array([times / warm, times, times * warm]), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", range(5))
def test_no_die_is_lost_whatever_the_light(ground: Ground, seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = [(x, y) for x in range(140, 700, 90) for y in range(100, 390, 85)]
    bodies = [(225, 235, 240), (40, 40, 200), (60, 80, 50), (25, 25, 30), (70, 95, 45)]  # the last: the ground's own
    dice = [
        Drawn(
            int(rng.integers(1, 7)),
            *grid[k],
            side=float(rng.uniform(42, 64)),
            angle=float(rng.uniform(0, 90)),
            body=bodies[int(rng.integers(5))],
            pip=(235, 235, 235) if rng.random() < 0.5 else (120, 20, 20),
        )
        for k in rng.choice(len(grid), int(rng.integers(1, 7)), replace=False)
    ]
    image = light(walled(tray(dice, seed=seed)), float(rng.uniform(0.75, 1.15)), float(rng.uniform(0.95, 1.05)))
    lying = ground.lying(image)
    assert lying is not None
    for die in dice:
        reach = 0.3 * die.side
        assert any(
            x0 <= die.x - reach and die.x + reach <= x1 and y0 <= die.y - reach and die.y + reach <= y1
            for x0, y0, x1, y1 in lying.boxes
        ), die


def test_an_empty_tray_holds_nothing_under_any_light(ground: Ground) -> None:
    for seed, (times, warm) in enumerate([(1.0, 1.0), (0.7, 1.0), (1.2, 1.03), (0.9, 0.96)]):
        lying = ground.lying(light(walled(bare(20 + seed % 2)), times, warm))
        assert lying is not None
        assert not len(lying.boxes), (times, warm)


def test_where_the_camera_bends_the_bright_levels_the_rim_is_still_nothing() -> None:
    pale = walled(bare()).astype(np.float64)
    pale[(pale[..., 2] > 120)] += (70, 60, 60)  # a bright wall on a dark table
    ground = Ground(Calibration("usb:0", np.clip(pale, 0, 255).astype(np.uint8), find_tray(walled(bare())), 60.0, 0.7))
    with_dice = np.where((walled(bare()) == walled(tray(DICE[:2])))[..., :1], pale, walled(tray(DICE[:2])))
    bent = np.clip(with_dice * (0.68 + 0.12 * with_dice / 255), 0, 255).astype(np.uint8)
    lying = ground.lying(bent)
    assert lying is not None
    assert len(lying.boxes) == 2
    for die, (x0, y0, x1, y1) in zip(DICE[:2], lying.boxes[lying.boxes[:, 0].argsort()].tolist(), strict=True):
        assert x0 < die.x < x1
        assert y0 < die.y < y1
        assert max(x1 - x0, y1 - y0) < 3 * die.side


def test_the_soft_shadow_of_a_person_is_nothing(ground: Ground) -> None:
    image = walled(tray(DICE[:2], seed=3)).astype(np.float64)
    across = np.clip((np.arange(800) - 300) / 300, 0, 1)
    shaded = (image * (1 - 0.25 * across)[None, :, None]).astype(np.uint8)
    lying = ground.lying(shaded)
    assert lying is not None
    area = ((lying.boxes[:, 2] - lying.boxes[:, 0]) * (lying.boxes[:, 3] - lying.boxes[:, 1])).sum()
    assert area < 0.15 * 800 * 450


def test_a_tray_of_every_level_and_few_pixels_of_each_is_compared_too() -> None:
    empty = np.random.default_rng(1).integers(20, 255, (32, 32, 3), np.uint8)
    ground = Ground(Calibration("usb:0", empty, find_tray(empty), 20.0, 0.7))
    lying = ground.lying(np.clip(empty * 0.9, 0, 255).astype(np.uint8))
    assert lying is None or not len(lying.boxes)


def test_in_doubt_the_whole_picture_is_looked_at(ground: Ground) -> None:
    image = walled(tray(DICE))
    assert ground.lying(image[:, :700]) is None, "another size"
    assert ground.lying(np.zeros_like(image)) is None, "dark"
    assert ground.lying(np.roll(image, 40, axis=1)) is None, "elsewhere"
    for other in (image, image[:, :700], np.roll(image, 40, axis=1)):
        assert read_tray(other, ground, 5).reading.values == read(other, 5).values


@pytest.mark.parametrize("seed", range(3))
def test_a_calibrated_reading_is_the_whole_one(ground: Ground, seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    grid = [(x, y) for x in range(140, 700, 90) for y in range(100, 390, 85)]
    dice = [
        Drawn(int(rng.integers(1, 7)), *grid[k], angle=float(rng.uniform(0, 90)))
        for k in rng.choice(len(grid), 5, replace=False)
    ]
    image = light(walled(tray(dice, seed=seed)), float(rng.uniform(0.85, 1.1)))
    told, whole = read_tray(image, ground, 5).reading, read(image, 5)
    assert told.values == whole.values == tuple(sorted(die.value for die in dice))
    assert told.sure == whole.sure
    for die in told.dice:
        nearest = min(
            whole.dice, key=lambda other: abs(other.centre[0] - die.centre[0]) + abs(other.centre[1] - die.centre[1])
        )
        assert nearest.value == die.value
        assert np.hypot(nearest.centre[0] - die.centre[0], nearest.centre[1] - die.centre[1]) < 1.5
    assert read_tray(image, ground).reading.values == whole.values


def test_a_coin_beside_the_dice_leaves_no_untold_reading_sure(ground: Ground) -> None:
    image = walled(tray(DICE[:3]))
    cv2.circle(image, (600, 330), 24, (90, 160, 190), -1, cv2.LINE_AA)
    assert read_tray(image, ground).reading.sure == read(image).sure


def test_fewer_dice_are_read_when_the_others_lie_aside(ground: Ground) -> None:
    reading = read_throw(Frame(0, 0.0, walled(tray(DICE[:3]))), 5, ground)
    assert reading.values == (1, 3, 5)
    assert not read_throw(Frame(0, 0.0, walled(bare())), 5, ground).dice


# Is it still true?


def test_a_recheck_tells_light_from_movement(ground: Ground) -> None:
    empty = walled(bare(9))
    assert recheck(ground, empty).verdict is Verdict.TRUE
    assert recheck(ground, light(empty, 0.88)).verdict is Verdict.LIGHT
    assert recheck(ground, light(empty, 0.6)).verdict is Verdict.LAMP
    for dx, dy, turn in ((8, 0, 0), (0, -12, 0), (3, 3, 2), (60, 20, 0)):
        matrix = cv2.getRotationMatrix2D((400, 225), turn, 1)
        matrix[:, 2] += dx, dy
        moved = cv2.warpAffine(empty, matrix, (800, 450), borderMode=cv2.BORDER_REFLECT)
        assert recheck(ground, np.asarray(moved, np.uint8)).verdict is Verdict.MOVED, (dx, dy, turn)
    assert recheck(ground, walled(tray(DICE))).verdict is Verdict.OTHER
    assert recheck(ground, empty[:, :700]).verdict is Verdict.MOVED
    assert recheck(renewed(ground, light(empty, 0.6)), light(walled(bare(10)), 0.6)).verdict is Verdict.TRUE


def test_the_watch_keeps_its_ground_up_and_gives_it_up_when_the_camera_moved(ground: Ground) -> None:
    watch = Watch(5, ground)
    at = 0

    def rest(image: Image, seconds: float = 0.6) -> None:
        nonlocal at
        for _ in range(round(seconds * 15)):
            watch.look(Frame(at, at / 15, shot(image, at)))
            at += 1

    empty = walled(bare())
    rest(empty)
    assert watch.checked is not None
    assert watch.checked.verdict is Verdict.TRUE
    rest(light(empty, 0.85))
    assert watch.known is not None
    assert watch.known is not ground
    assert watch.known.calibration.die == 60.0
    moved = np.roll(light(empty, 0.85), (9, 14), axis=(0, 1))
    rest(moved)
    assert watch.checked.verdict is Verdict.MOVED
    thrown = np.roll(light(walled(tray(DICE)), 0.85), (9, 14), axis=(0, 1))
    rest(thrown)
    assert watch.look(Frame(at, at / 15, thrown)).reading is not None
    rest(light(empty, 0.85))
    assert watch.checked.verdict is not Verdict.MOVED
