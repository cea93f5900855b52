"""One die drawn into a picture by ray marching: a rounded cube, its pips, its material, its light.

All hit pixels of a die are handled at once as flat arrays; lengths are die sides."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Camera, Doubles, Pose
from vision.training.lights import Lighting
from vision.training.looks import Look
from vision.training.noise import Floats, Rng, log_uniform

STEPS = 7  # of the march; it starts at the box around the die, so few are needed
FACES = ((2, 1, 1), (2, -1, 6), (0, 1, 2), (0, -1, 5), (1, 1, 3), (1, -1, 4))
"""(axis, sign, value) of the six faces; a mirrored die has 3 and 4 exchanged."""


@dataclass(frozen=True, eq=False)
class Hit:
    """The pixels of one die: where they are in the picture, and what the rays met."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    cover: Floats
    """Share of the pixel that the die covers, 0–1."""
    point: Floats
    """(N, 3) in the die's own axes."""
    normal: Floats
    ray: Floats
    """(N, 3) unit direction of sight in the die's own axes."""
    pixel: float
    """One pixel in die sides at the die's distance."""


def face_value(look: Look, axis: int, sign: int) -> int:
    value = next(v for a, s, v in FACES if (a, s) == (axis, sign))
    return {3: 4, 4: 3}.get(value, value) if look.mirrored else value


def face_axes(axis: int) -> tuple[int, int]:
    """The die's axes that are u and v of a face."""
    return (axis + 1) % 3, (axis + 2) % 3


def face_points(axis: int, sign: int, spots: Doubles) -> Doubles:
    """(N, 2) places (u, v) on a face as (N, 3) points in the die's own axes."""
    i, j = face_axes(axis)
    points = np.zeros((len(spots), 3))
    points[:, axis] = 0.5 * sign
    points[:, i], points[:, j] = spots[:, 0], spots[:, 1]
    return points


def march(camera: Camera, pose: Pose, look: Look, side: int) -> Hit | None:
    """What the camera's rays meet of a die in a picture of `side` × `side` pixels."""
    box = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    outline = camera.project(box @ pose.turn.T + pose.place)
    x0, y0 = np.maximum(np.floor(outline.min(0)).astype(int) - 1, 0)
    x1, y1 = np.minimum(np.ceil(outline.max(0)).astype(int) + 2, side)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    rows, columns = (g.ravel() for g in np.mgrid[y0:y1, x0:x1])
    turn = pose.turn.astype(np.float32)
    rays = camera.rays(columns.astype(np.float32), rows.astype(np.float32)) @ turn
    eye = ((camera.place - pose.place) @ pose.turn).astype(np.float32)
    pixel = float(np.linalg.norm(eye)) / camera.focal
    rays = np.where(np.abs(rays) < 1e-6, np.float32(1e-6), rays)
    near_side, far_side = (-np.sign(rays) * np.float32(0.5 + pixel) - eye) / rays, \
        (np.sign(rays) * np.float32(0.5 + pixel) - eye) / rays  # fmt: skip
    enter, leave = near_side.max(-1), far_side.min(-1)
    inside = enter < leave
    rows, columns, rays, at = rows[inside], columns[inside], rays[inside], enter[inside]
    leave = leave[inside]
    if not len(rows):
        return None
    half = np.float32(0.5 - look.corner)
    nearest = np.full(at.shape, 9, np.float32)
    place = at.copy()
    for _ in range(STEPS):
        out = np.abs(eye + rays * at[:, None]) - half
        distance = np.sqrt((np.maximum(out, 0) ** 2).sum(-1)) + np.minimum(out.max(-1), 0) - np.float32(look.corner)
        if look.ball < 0.87:
            distance = np.maximum(distance, np.sqrt(((eye + rays * at[:, None]) ** 2).sum(-1)) - np.float32(look.ball))
        closer = distance < nearest
        nearest[closer] = distance[closer]
        place[closer] = at[closer]
        at = np.minimum(at + np.maximum(distance, 0), leave + np.float32(0.1))
    cover = np.clip(1.15 - nearest / np.float32(pixel), 0, 1).astype(np.float32)
    seen = cover > 0.02
    rows, columns, rays, place, cover = rows[seen], columns[seen], rays[seen], place[seen], cover[seen]
    if not len(rows):
        return None
    point = eye + rays * place[:, None]
    normal = np.maximum(np.abs(point) - half, 0) * np.sign(point)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + np.float32(1e-6)
    if look.ball < 0.87:
        radius = np.linalg.norm(point, axis=-1, keepdims=True)
        share = np.clip((radius - np.float32(look.ball - 0.015)) / np.float32(0.015), 0, 1)
        normal = normal * (1 - share) + point / radius * share
    return Hit(rows, columns, cover, point, normal.astype(np.float32), rays, pixel)


def solid_noise(rng: Rng, point: Floats, pitch: float) -> Floats:
    """(N,) values of about 0–1 that wind through the body as marbling does."""
    directions = rng.normal(0, 1, (5, 3)).astype(np.float32) * np.float32(pitch)
    phases = rng.uniform(0, 6.3, 5).astype(np.float32)
    bent = point + np.float32(0.25 / pitch * 3) * np.sin(point @ directions[:3].T + phases[:3])
    waves = np.sin(bent @ directions.T + phases).sum(-1)
    return np.asarray(0.5 + 0.28 * waves, np.float32)


def _body_colour(rng: Rng, hit: Hit, look: Look, behind: Floats) -> Floats:
    body = np.repeat(look.body[None], len(hit.rows), 0)
    if look.marbling:
        veins = solid_noise(rng, hit.point, look.marble_pitch)
        if look.speckled:
            veins = np.where(rng.random(len(veins), dtype=np.float32) < 0.2, veins * 2, np.float32(0))
        share = np.clip((veins - np.float32(0.5)) * 3 + np.float32(0.5), 0, 1)[:, None] * np.float32(look.marbling)
        body = body * (1 - share) + look.second * share
    if look.translucent:
        through: Floats = (
            np.clip(behind, np.float32(0), np.float32(1.2))
            * np.float32(1.25)
            * (look.body * np.float32(0.8) + np.float32(0.2))
        )
        body = body * np.float32(1 - look.translucent) + through * np.float32(look.translucent)
    return body


def _draw_face(rng: Rng, hit: Hit, look: Look, face: tuple[int, int], colour: Floats, normal: Floats) -> None:
    """Pips, disc and dents of one face, into `colour` and `normal` in place."""
    axis, sign = face
    longest = np.abs(hit.point).argmax(-1)
    of_face = np.flatnonzero((longest == axis) & (np.sign(hit.point[:, axis]) == sign))
    if not len(of_face):
        return
    value = face_value(look, axis, sign)
    i, j = face_axes(axis)
    u, v = hit.point[of_face, i], hit.point[of_face, j]
    slope = float(np.abs(hit.ray[of_face, axis]).mean()) + 0.12
    soft = np.float32(max(hit.pixel / np.sqrt(slope) * 0.7, 0.004))
    if look.disc:
        share = np.clip(0.5 + (np.float32(look.disc) - np.hypot(u, v)) / (2 * soft), 0, 1)[:, None]
        colour[of_face] = colour[of_face] * (1 - share) + look.disc_colour * share
    ink = look.special if value in look.special_faces else look.pip
    if look.worn:
        gone = solid_noise(rng, hit.point[of_face], 9) < np.float32(look.worn)
    for x, y, radius in look.faces[value - 1]:
        du, dv = u - np.float32(x), v - np.float32(y)
        if look.pip_kind == "square":
            away = np.maximum(np.abs(du), np.abs(dv)) * np.float32(1.1)
        else:
            away = np.sqrt(du * du + dv * dv)
        share = np.clip(0.5 + (np.float32(radius) - away) / (2 * soft), 0, 1)
        if look.worn:
            share = share * np.where(gone, np.float32(0.35), np.float32(1))
        painted = np.repeat(ink[None], len(of_face), 0)
        if look.pip_kind == "ringed":
            core = np.clip(0.5 + (np.float32(radius * look.hollow) - away) / (2 * soft), 0, 1)[:, None]
            if look.dot:
                core -= np.clip(0.5 + (np.float32(radius * look.dot) - away) / (2 * soft), 0, 1)[:, None]
            painted = painted * (1 - core) + look.pip_core * core
        elif look.pip_kind == "inlaid":
            gap = np.clip(0.5 + (away - np.float32(radius * 0.8)) / (2 * soft), 0, 1)[:, None]
            painted = painted * (1 - gap) + look.pip_core * gap
        colour[of_face] = colour[of_face] * (1 - share[:, None]) + painted * share[:, None]
        if look.dent:
            bowl = share * np.float32(look.dent * 0.9 / radius)
            normal[of_face, i] -= du * bowl
            normal[of_face, j] -= dv * bowl


def _draw_glyph(rng: Rng, hit: Hit, look: Look, colour: Floats) -> None:
    """A letter, number or logo on every face instead of pips."""
    card = np.zeros((64, 64), np.uint8)
    letter = str(rng.choice(list("ABEGKQRSWX0123456789&%?*")))
    cv2.putText(card, letter, (int(rng.integers(2, 16)), int(rng.integers(46, 60))), int(rng.integers(0, 6)),
                rng.uniform(1.2, 2.4), 255, int(rng.integers(2, 6)), cv2.LINE_AA)  # fmt: skip
    longest = np.abs(hit.point).argmax(-1)
    flat = np.arange(len(longest))
    u, v = hit.point[flat, (longest + 1) % 3], hit.point[flat, (longest + 2) % 3]
    x, y = ((np.stack([u, v]) * 1.2 + 0.5).clip(0, 0.999) * 64).astype(int)
    share = card[y, x].astype(np.float32)[:, None] / np.float32(255)
    colour[:] = colour * (1 - share) + look.pip * share


def _rim(rng: Rng, hit: Hit, look: Look) -> Floats:
    """(N,) how strongly the bevel around each face glints: all along it a little, in one stretch much."""
    axis = np.abs(hit.point).argmax(-1)
    rows = np.arange(len(axis))
    u, v = hit.point[rows, (axis + 1) % 3], hit.point[rows, (axis + 2) % 3]
    if look.ball < 0.87:
        away = np.hypot(u, v) - np.float32(np.sqrt(max(look.ball**2 - 0.25, 0.0)))
    else:
        away = np.maximum(np.abs(u), np.abs(v)) - np.float32(0.5 - look.corner)
    width = np.float32(max(look.rim_width, 0.7 * hit.pixel))
    line = np.exp(-((away / width) ** 2)) * np.float32(min(1.0, look.rim_width / hit.pixel))
    along = np.arctan2(v, u) - np.float32(rng.uniform(0, 2 * np.pi))
    stretch = np.float32(rng.uniform(0, 0.5)) + np.maximum(np.cos(along), 0) ** np.float32(log_uniform(rng, 0.5, 12))
    return np.asarray(line * stretch * np.float32(look.rim), np.float32)


def _neighbour_shade(point: Floats, towards: Floats, others: tuple[Pose, ...]) -> Floats:
    """(N,) share of a lamp's light that passes the other dice on its way to the points (N, 3) of the world."""
    lit = np.ones(len(point), np.float32)
    for other in others:
        turn = other.turn.astype(np.float32)
        start = (point - other.place.astype(np.float32)) @ turn
        ray = towards @ turn
        ray = np.where(np.abs(ray) < 1e-5, np.float32(1e-5), ray)
        reach = np.float32(0.46)
        enter = ((-np.sign(ray) * reach - start) / ray).max(-1)
        leave = ((np.sign(ray) * reach - start) / ray).min(-1)
        depth = leave - np.maximum(enter, 0)
        lit *= 1 - np.clip(depth / np.float32(0.12), 0, 1) * (leave > 0)
    return lit


def draw_die(
    rng: Rng, image: Floats, camera: Camera, look: Look, pose: Pose,
    lighting: Lighting, others: tuple[Pose, ...], bounce: Floats,
) -> Hit | None:  # fmt: skip
    """Draw a die into the linear picture (H, W, 3). `others` may throw shadows on it, `bounce` (3,) is the light
    that comes up from the ground. Returns its pixels."""
    hit = march(camera, pose, look, image.shape[0])
    if hit is None:
        return None
    turn = pose.turn.T.astype(np.float32)
    before = image[hit.rows, hit.columns]
    colour = _body_colour(rng, hit, look, before)
    normal = hit.normal.copy()
    if look.marks == "pips":
        for axis, sign, _ in FACES:
            _draw_face(rng, hit, look, (axis, sign), colour, normal)
    elif look.marks == "glyphs":
        _draw_glyph(rng, hit, look, colour)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True) + np.float32(1e-6)
    up = normal @ turn
    sight = hit.ray @ turn
    world = hit.point @ turn + pose.place.astype(np.float32)
    mirrored = sight - 2 * (sight * up).sum(-1, keepdims=True) * up
    facing = np.clip(-(sight * up).sum(-1), 0, 1)
    fresnel = np.float32(look.gloss) * (np.float32(0.35) + np.float32(0.65) * (1 - facing) ** 3)
    low = np.clip(np.float32(0.72) + np.float32(0.4) * world[:, 2:], 0.5, 1.1)
    light = lighting.ambient * (np.float32(0.62) + np.float32(0.38) * up[:, 2:]) * low
    light = light + bounce * (np.float32(0.5) - np.float32(0.5) * up[:, 2:]) * np.float32(0.6)
    shine = np.zeros((len(world), 3), np.float32)
    for lamp in lighting.lamps:
        lit = _neighbour_shade(world, lamp.towards, others)
        if lamp.screen is not None:
            lit = lit * lamp.screen.lit(world[:, :2] - lamp.towards[:2] * (world[:, 2:] / lamp.towards[2]))
        light = light + (np.maximum(up @ lamp.towards, 0) * lit)[:, None] * lamp.light
        lobe = np.maximum(mirrored @ lamp.towards, 0) ** np.float32(look.shininess)
        shine += (lobe * lit * np.float32(look.gloss * 1.4))[:, None] * lamp.light
    for window in lighting.mirrored:
        lobe = np.exp((mirrored @ window.towards - 1) * np.float32(window.narrow)) * np.float32(window.light)
        shine += (lobe * fresnel * np.float32(1.6))[:, None]
    if look.rim:
        shine += (_rim(rng, hit, look) * facing)[:, None] * light
    cover = hit.cover[:, None]
    image[hit.rows, hit.columns] = before * (1 - cover) + (colour * light + shine) * cover
    return hit
