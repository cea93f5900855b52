"""Synthetic scenes: scene `index` of a seed is always the same, whatever was drawn before it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Camera, Doubles, draw_camera
from vision.training.clutter import scatter
from vision.training.grounds import OTHER, TRAINING
from vision.training.layout import Lying, lay_dice
from vision.training.lights import Lighting, draw_lighting, shaded_across
from vision.training.looks import Look, draw_look, like
from vision.training.noise import Floats, Rng, chance, log_uniform, pick, weighted
from vision.training.photo import photograph
from vision.training.props import finger, lamp_spot, marble, tray_wall
from vision.training.render import draw_die
from vision.training.truth import Face, Seen, SideFace, judged, side_faces, top_face

SIDE = 320  # px of a scene's picture, a whole number of the proposer's coarsest cells
USUAL_DIE, SMALL_DIE, RARE_DIE = (16.0, 66.0), (12.0, 28.0), (11.0, 110.0)  # px
PHOTOS_PER_SCENE = 2  # the light is dearer than the camera
TEXTURE = 400  # texels of a ground's side
BOX = np.array([[x, y, z] for x in (-0.46, 0.46) for y in (-0.46, 0.46) for z in (-0.5, 0.46)])


@dataclass(frozen=True, eq=False)
class Shot:
    """One picture (SIDE, SIDE, 3) and all that it shows."""

    image: NDArray[np.uint8]
    faces: tuple[Face, ...]
    sides: tuple[SideFace, ...]
    upright: bool
    """Up in the picture is up in the world, and it matters: not to be turned."""


def _ground_in_view(rng: Rng, camera: Camera, die_px: float, other_styles: bool) -> Floats:
    ground = weighted(rng, OTHER if other_styles else TRAINING)
    texture = np.clip(ground(rng, TEXTURE, die_px), 0, 1.1).astype(np.float32)
    texture = scatter(rng, texture, die_px)
    angle = rng.uniform(0, 2 * np.pi)
    c, s, half = np.cos(angle) / die_px, np.sin(angle) / die_px, TEXTURE / 2
    to_ground = np.array([[c, s, -half * (c + s)], [s, -c, -half * (s - c)], [0, 0, 1]])  # mirrored: y is up there
    matrix = camera.ground_to_pixel() @ to_ground
    return np.asarray(
        cv2.warpPerspective(texture, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101),
        np.float32,
    )


def _coloured_like(rng: Rng, ground: Floats, body: Floats) -> Floats:
    """The ground nearly as bright and of the same colour as the dice that lie on it."""
    shift = body * np.float32(rng.uniform(0.8, 1.1)) - ground.mean((0, 1))
    return np.asarray(np.clip(ground + np.float32(rng.uniform(0.7, 1.0)) * shift, 0, 1.1), np.float32)


def _filled(camera: Camera, points: Doubles) -> NDArray[np.uint8]:
    mask = np.zeros((SIDE, SIDE), np.uint8)
    hull = cv2.convexHull(camera.project(points).clip(-4000, 4000).astype(np.float32))
    cv2.fillConvexPoly(mask, (hull * 8).astype(np.int32), 255, cv2.LINE_AA, 3)
    return mask


def _ground_light(rng: Rng, camera: Camera, dice: tuple[Lying, ...], lighting: Lighting, die_px: float) -> Floats:
    """(SIDE, SIDE, 3) light that reaches the ground: lamps less the shadows of dice and screens."""
    y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
    homography = np.linalg.inv(camera.ground_to_pixel()).astype(np.float32)
    place = np.stack([x, y, np.ones_like(x)], -1) @ homography.T
    place = place[..., :2] / place[..., 2:]
    light = np.ones((SIDE, SIDE, 3), np.float32) * lighting.ambient
    contact = np.zeros((SIDE, SIDE), np.uint8)
    for die in dice:
        flat = BOX * 1.08 @ die.pose.turn.T + die.pose.place
        flat[:, 2] = 0
        contact = np.maximum(contact, _filled(camera, flat))
    light *= (
        1
        - np.float32(rng.uniform(0.1, 0.6))
        * (cv2.GaussianBlur(contact, (0, 0), die_px * 0.12) / np.float32(255))[..., None]
    )
    for lamp in lighting.lamps:
        mask = np.zeros((SIDE, SIDE), np.uint8)
        for die in dice:
            points = BOX @ die.pose.turn.T + die.pose.place
            points = points - lamp.towards * (points[:, 2:] / lamp.towards[2])
            mask = np.maximum(mask, _filled(camera, points))
        shadow = mask.astype(np.float32) / np.float32(255)
        if lamp.soft * die_px > 0.5:
            shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), lamp.soft * die_px), np.float32)
        lit = 1 - shadow
        if lamp.screen is not None:
            lit = lit * lamp.screen.lit(place)
        light += (lit * lamp.towards[2])[..., None] * lamp.light
    return light


def _draw_looks(rng: Rng, count: int, unusual: float) -> list[Look]:
    """The makes of the dice in a scene: mostly a set, sometimes a mix."""
    first = draw_look(rng, unusual)
    if chance(rng, 0.62):
        return [first] * count
    makes = [first] + [
        like(rng, first) if chance(rng, 0.5) else draw_look(rng, unusual) for _ in range(int(rng.integers(1, 6)))
    ]
    return [pick(rng, makes) for _ in range(count)]


def draw_scene(seed: int, index: int, other_styles: bool = False) -> tuple[Shot, ...]:
    """The photographs of one scene. `other_styles` draws grounds and makes that training sees seldom or never."""
    rng = np.random.default_rng([seed, index, int(other_styles)])
    die_px = log_uniform(rng, *weighted(rng, [(0.45, USUAL_DIE), (0.35, SMALL_DIE), (0.2, RARE_DIE)]))
    camera = draw_camera(rng, SIDE, die_px)
    dice = lay_dice(rng, camera, SIDE, die_px)
    looks = _draw_looks(rng, len(dice), 2.5 if other_styles else 1.0)
    lighting = draw_lighting(rng)
    if dice and chance(rng, 0.3):
        shaded = pick(rng, dice).pose
        lighting = shaded_across(rng, lighting, shaded.turn, shaded.place)
    image = _ground_in_view(rng, camera, die_px, other_styles)
    if looks and chance(rng, 0.15):
        image = _coloured_like(rng, image, looks[0].body)
    if chance(rng, 0.22):
        tray_wall(rng, image, die_px)
    bounce = image.mean((0, 1)) * np.mean(
        lighting.ambient + sum(lamp.light * lamp.towards[2] for lamp in lighting.lamps)
    )
    image *= _ground_light(rng, camera, dice, lighting, die_px)
    if chance(rng, 0.1):
        for _ in range(int(rng.integers(1, 4))):
            marble(rng, image, die_px)
    if chance(rng, 0.2):
        lamp_spot(rng, image)
    owner = np.zeros((SIDE, SIDE), np.int16)
    poses = [die.pose for die in dice]
    for number, (die, look) in enumerate(zip(dice, looks, strict=True), 1):
        near = tuple(p for p in poses if p is not die.pose and np.linalg.norm(p.place - die.pose.place) < 3.5)
        hit = draw_die(rng, image, camera, look, die.pose, lighting, near, bounce.astype(np.float32))
        if hit is not None:
            solid = hit.cover > 0.5
            owner[hit.rows[solid], hit.columns[solid]] = number
    if chance(rng, 0.07):
        before = image.copy()
        finger(rng, image, die_px)
        owner[np.abs(image - before).max(-1) > 0.06] = -1
    tops = [top_face(camera, die, look, owner, n) for n, (die, look) in enumerate(zip(dice, looks, strict=True), 1)]
    sides = [s for n, die in enumerate(dice, 1) for s in side_faces(camera, die, owner, n)]
    return tuple(_shot(rng, image, tops, tuple(sides), camera, die_px) for _ in range(PHOTOS_PER_SCENE))


def _shot(
    rng: Rng, light: Floats, tops: list[Seen], sides: tuple[SideFace, ...], camera: Camera, die_px: float
) -> Shot:
    photo = photograph(rng, light, die_px)
    return Shot(photo.image, tuple(judged(photo.image, seen) for seen in tops), sides, camera.upright)
