"""The second reader's synthetic scenes: the same every time, and true."""

import cv2
import numpy as np
import pytest

from vision.net import CHANNELS, CROP, CROP_SIDES, STRIDE, crop_face
from vision.training.camera import Camera, Pose, turned
from vision.training.layout import TOPS, Lying
from vision.training.lights import Lamp, Lighting
from vision.training.looks import draw_look
from vision.training.noise import grey
from vision.training.render import FACES, draw_die, face_value
from vision.training.samples import proposer_batch, targets, turned_aslant, varied
from vision.training.scenes import SIDE, draw_scene
from vision.training.store import Scenes, read_scenes, write_scenes
from vision.training.truth import State, aslant, judged, side_faces, top_face, up_face

WARPED = 120


def level_camera(tilt: float, die_px: float = 80.0, distance: float = 14.0) -> Camera:
    back = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    turn = np.stack([right, np.cross(-back, right), -back])
    return Camera(back * distance, turn, die_px * distance, (SIDE / 2, SIDE / 2), 1.0, tilt, False)


def daylight() -> Lighting:
    lamp = Lamp(np.array([0.2, 0.3, 0.93], np.float32), grey(0.5), 0.05, None)
    return Lighting(grey(0.45), (lamp,), ())


def plain_look(seed: int):  # type: ignore[no-untyped-def]
    """A make with black pips on white and a layout of its own."""
    from dataclasses import replace

    look = draw_look(np.random.default_rng(seed))
    return replace(
        look, body=grey(0.9), pip=grey(0.03), marks="pips", marbling=0.0, translucent=0.0, pip_kind="painted",
        special_faces=(), worn=0.0, disc=0.0, gloss=0.0, dent=0.0, corner=0.08, ball=1.0,
    )  # fmt: skip


def drawn(look, pose: Pose, camera: Camera):  # type: ignore[no-untyped-def]
    image = np.full((SIDE, SIDE, 3), 0.3, np.float32)
    hit = draw_die(np.random.default_rng(0), image, camera, look, pose, daylight(), (), grey(0.1))
    assert hit is not None
    owner = np.zeros((SIDE, SIDE), np.int16)
    solid = hit.cover > 0.5
    owner[hit.rows[solid], hit.columns[solid]] = 1
    return np.clip(image * 255, 0, 255).astype(np.uint8), owner


def count_pips(image, corners) -> int:  # type: ignore[no-untyped-def]
    """The dark spots on a face, once it is looked at squarely."""
    square = np.array([[0, 0], [WARPED, 0], [WARPED, WARPED], [0, WARPED]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(corners, np.float32), square)
    face = cv2.warpPerspective(image, matrix, (WARPED, WARPED))[8:-8, 8:-8]
    dark = (cv2.cvtColor(face, cv2.COLOR_BGR2GRAY) < 110).astype(np.uint8)
    parts, _, stats, _ = cv2.connectedComponentsWithStats(dark)
    return sum(int(stats[i, cv2.CC_STAT_AREA]) > 12 for i in range(1, parts))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tilt", [0.0, 0.45])
def test_the_pips_drawn_are_the_value_told(seed: int, tilt: float) -> None:
    look = plain_look(seed)
    camera = level_camera(tilt)
    told = []
    for top in TOPS:
        pose = Pose(turned(2, 0.3 + seed) @ top, np.array([0.0, 0.0, 0.5]))
        image, owner = drawn(look, pose, camera)
        seen = top_face(camera, Lying(pose, 0.0, False), look, owner, 1)
        assert seen.face.state == State.READABLE
        assert count_pips(image, seen.face.corners) == seen.face.value
        assert judged(image, seen).state == State.READABLE
        told.append(seen.face.value)
    assert sorted(told) == [1, 2, 3, 4, 5, 6]


def test_a_mirrored_die_has_three_and_four_exchanged_and_opposite_faces_make_seven() -> None:
    from dataclasses import replace

    for mirrored in (False, True):
        look = replace(plain_look(1), mirrored=mirrored)
        values = {(axis, sign): face_value(look, axis, sign) for axis, sign, _ in FACES}
        assert all(values[axis, 1] + values[axis, -1] == 7 for axis in range(3))
        assert values[1, 1] == (4 if mirrored else 3)


def test_a_face_whose_pip_is_gone_is_told_unreadable() -> None:
    look = plain_look(2)
    camera = level_camera(0.0)
    pose = Pose(TOPS[1], np.array([0.0, 0.0, 0.5]))
    image, owner = drawn(look, pose, camera)
    seen = top_face(camera, Lying(pose, 0.0, False), look, owner, 1)
    x, y = np.mean(seen.ink[0], axis=0)
    glare = cv2.circle(image.copy(), (round(float(x)), round(float(y))), 16, (228, 228, 228), -1)
    assert judged(image, seen).state == State.READABLE
    assert judged(glare, seen).state == State.UNREADABLE


def test_hidden_cut_off_and_cocked_faces_are_not_readable() -> None:
    look = plain_look(3)
    camera = level_camera(0.0)
    middle = Pose(np.eye(3), np.array([0.0, 0.0, 0.5]))
    _, owner = drawn(look, middle, camera)
    hidden = owner.copy()
    hidden[:, : SIDE // 2] = 2
    assert top_face(camera, Lying(middle, 0.0, False), look, hidden, 1).face.state == State.UNREADABLE
    assert top_face(camera, Lying(middle, 0.6, False), look, owner, 1).face.state == State.UNREADABLE
    assert top_face(camera, Lying(middle, 0.3, False), look, owner, 1).face.state == State.LEANING
    edge = Pose(np.eye(3), np.array([-SIDE / 2 / 80.0, 0.0, 0.5]))
    _, owner = drawn(look, edge, camera)
    assert top_face(camera, Lying(edge, 0.0, False), look, owner, 1).face.state == State.UNREADABLE


@pytest.mark.parametrize("tilt", [0.0, 0.4, 0.9])
def test_how_aslant_a_top_face_is_seen_is_told(tilt: float) -> None:
    camera = level_camera(tilt)
    x, y = aslant(camera, Pose(np.eye(3), np.array([0.0, 0.0, 0.5])), 2, 1)
    assert (x, y) == pytest.approx((0.0, -np.sin(tilt)), abs=0.04), "seen from below in the picture, it points up"
    leaning = Pose(turned(1, 0.5), np.array([0.0, 0.0, 0.5]))
    assert abs(aslant(level_camera(0.0), leaning, 2, 1)[0]) == pytest.approx(np.sin(0.5), abs=0.03)


@pytest.mark.parametrize("angle", [0, 30, 90, 200])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_crop_turns_how_aslant_its_face_is_seen(angle: float, mirrored: bool) -> None:
    """As it turns a spot beside the face's middle."""
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.circle(image, (112, 95), 2, (255, 255, 255), -1)
    crop = crop_face(image, (100.0, 100.0), 28.0, angle, mirrored)
    y, x = (float(np.mean(where)) for where in np.nonzero(crop[..., 0] > 128))
    middle = crop.shape[0] / 2 - 0.5
    assert (x - middle, y - middle) == pytest.approx(turned_aslant((12.0, -5.0), angle, mirrored), abs=0.8)


def test_side_faces_are_told_where_the_camera_sees_them() -> None:
    look = plain_look(4)
    pose = Pose(np.eye(3), np.array([0.0, 0.0, 0.5]))
    camera = level_camera(0.9)
    _, owner = drawn(look, pose, camera)
    sides = side_faces(camera, Lying(pose, 0.0, False), owner, 1)
    assert len(sides) == 1  # the camera stands straight before one of them
    top = top_face(camera, Lying(pose, 0.0, False), look, owner, 1).face
    assert sides[0].y > top.y + 0.4 * top.size
    assert up_face(pose) == (2, 1)


def test_a_scene_is_the_same_every_time_and_unlike_the_next() -> None:
    first, again, following = draw_scene(5, 3), draw_scene(5, 3), draw_scene(5, 4)
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, again, strict=True))
    assert [a.faces for a in first] == [b.faces for b in again]
    assert not np.array_equal(first[0].image, following[0].image)
    assert not np.array_equal(first[0].image, draw_scene(6, 3)[0].image)


def test_scenes_hold_every_value_and_every_state() -> None:
    faces = [f for i in range(12) for shot in draw_scene(11, i) for f in shot.faces]
    readable = {f.value for f in faces if f.state == State.READABLE}
    assert readable == {1, 2, 3, 4, 5, 6}
    assert {f.state for f in faces} >= {State.READABLE, State.UNREADABLE}


def test_shards_come_back_from_disk_as_drawn(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("vision.training.store.SHARD", 2)
    assert len(list(write_scenes(tmp_path, 5, 4, False))) == 2
    assert list(write_scenes(tmp_path, 5, 4, False)) == []  # nothing is drawn twice
    kept = read_scenes(tmp_path)
    shots = [shot for i in range(4) for shot in draw_scene(5, i)]
    assert len(kept) == len(shots)
    for n, shot in enumerate(shots):
        assert np.array_equal(kept.images[n], shot.image)
        assert [round(float(v)) for v in kept.faces[n][:, 3]] == [f.value for f in shot.faces]
        assert len(kept.sides[n]) == len(shot.sides)
        assert kept.upright[n] == shot.upright


def marked(upright: bool) -> Scenes:
    """A picture with two coloured crosses where its faces are said to be."""
    image = np.full((SIDE, SIDE, 3), 40, np.uint8)
    faces = np.array([[90, 130, 30, 2, State.READABLE], [210, 190, 40, 6, State.READABLE]], np.float32)
    for x, y, *_ in faces:
        image[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3] = 255
    return Scenes([image], [faces], [np.array([[90, 160, 20]], np.float32)], [upright])


def test_faces_stay_on_their_pixels_however_a_picture_is_varied() -> None:
    scenes = marked(upright=False)
    checked = 0
    for seed in range(60):
        image, faces, _ = varied(np.random.default_rng(seed), scenes, 0)
        for x, y, *_ in faces:
            if 4 < x < SIDE - 5 and 4 < y < SIDE - 5:
                middle = image[round(float(y)), round(float(x))].astype(int)
                assert abs(middle - image[0, 0].astype(int)).max() > 120
                checked += 1
    assert checked > 80


def test_an_upright_picture_is_never_turned() -> None:
    scenes = marked(upright=True)
    for seed in range(40):
        _, faces, sides = varied(np.random.default_rng(seed), scenes, 0)
        assert sides[0, 1] > faces[0, 1]  # the side face stays below the top


def test_targets_peak_at_the_faces() -> None:
    faces = np.array(
        [
            [101.5, 61.5, 32, 4, State.READABLE],
            [141.5, 141.5, 64, 2, State.UNREADABLE],
            [61.5, 171.5, 30, 1, State.UNCERTAIN],
        ],
        np.float32,
    )
    wanted = targets(faces, np.array([[101.5, 90, 20]], np.float32))
    assert wanted.heat[0, 15, 25] == 1
    assert wanted.heat[1, 35, 35] == 1
    assert wanted.heat[0, 35, 35] == 0
    assert wanted.value[15, 25] == 3
    assert wanted.value[35, 35] == -1
    assert wanted.weight[0, 42, 15] == 0
    assert wanted.shape[2, 15, 25] == pytest.approx(0.0)
    assert len(CHANNELS) == 12
    assert STRIDE == 4


def test_a_batch_depends_on_seed_and_step_alone() -> None:
    scenes = marked(upright=False)
    images, _ = proposer_batch(scenes, 1, 7, 3)
    again, _ = proposer_batch(scenes, 1, 7, 3)
    other, _ = proposer_batch(scenes, 1, 8, 3)
    assert np.array_equal(images, again)
    assert not np.array_equal(images, other)


@pytest.mark.parametrize("size", [12.0, 40.0, 150.0])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_crop_shows_the_face_in_its_middle(size: float, mirrored: bool) -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    cv2.rectangle(
        image, (200 - int(size / 2), 200 - int(size / 2)), (200 + int(size / 2), 200 + int(size / 2)), (0, 255, 0), -1
    )
    cv2.rectangle(image, (200, 200 - int(size / 2)), (200 + int(size / 2), 200), (0, 0, 255), -1)  # right, above
    crop = crop_face(image, (200.0, 200.0), size, mirrored=mirrored)
    assert crop.shape == (CROP, CROP, 3)
    green = crop[..., 1] > 127
    red = crop[..., 2] > 127
    covered = float((green | red).mean())
    assert covered == pytest.approx(1 / CROP_SIDES**2, rel=0.25)
    rows, columns = np.nonzero(red)
    assert rows.mean() < CROP / 2
    assert (columns.mean() < CROP / 2) == mirrored
