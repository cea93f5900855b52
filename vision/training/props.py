"""Things that stand out of the ground and are drawn straight into the picture: hands, marbles, the tray's wall."""

import cv2
import numpy as np

from vision.training.noise import Floats, Rng, chance, colour, floats, log_uniform, smooth_noise


def tray_wall(rng: Rng, image: Floats, die: float) -> None:
    """A straight or round wall with a shadow at its foot, beyond an edge of the picture's middle."""
    side = image.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    normal = np.cos(angle), np.sin(angle)
    far = rng.uniform(0.15, 0.5) * side
    if chance(rng, 0.6):
        beyond = (x - side / 2) * normal[0] + (y - side / 2) * normal[1] - far
    else:
        radius = rng.uniform(0.6, 2.5) * side
        cx, cy = side / 2 - normal[0] * (radius - far), side / 2 - normal[1] * (radius - far)
        beyond = np.hypot(x - cx, y - cy) - radius
    beyond = beyond.astype(np.float32)
    image *= (
        1
        - np.float32(rng.uniform(0, 0.6))
        * np.exp(-np.abs(beyond) / np.float32(die * rng.uniform(0.05, 0.6)))[..., None]
    )
    edge = np.float32(rng.uniform(0.6, 2))
    grain = smooth_noise(rng, side, side, 40)[..., None]
    tone = colour(rng)
    wall = np.clip(beyond / edge, 0, 1)[..., None]
    rise = np.clip(beyond / np.float32(die * rng.uniform(0.4, 2)), 0, 1)[..., None]
    shaded = (
        tone * (np.float32(rng.uniform(0.3, 1.1)) + np.float32(rng.uniform(-0.4, 0.4)) * rise) * (0.85 + 0.3 * grain)
    )
    image[:] = image * (1 - wall) + shaded * wall


def finger(rng: Rng, image: Floats, die: float) -> None:
    """A finger from outside the picture, with a nail now and then; several make a hand."""
    side = image.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32)
    tone = floats(rng.uniform(0.2, 0.6), rng.uniform(0.3, 0.72), rng.uniform(0.45, 0.95))
    turn = rng.uniform(0, 2 * np.pi)
    tip = rng.uniform(0.1, 0.9, 2) * side
    width = die * rng.uniform(0.35, 0.75)
    for k in range(int(rng.integers(1, 5))):
        angle = turn + rng.normal(0, 0.12)
        sideways = np.array([-np.sin(angle), np.cos(angle)]) * k * width * 2.1
        px, py = tip + sideways + rng.normal(0, width * 0.6, 2)
        along = (x - px) * np.cos(angle) + (y - py) * np.sin(angle)
        across = -(x - px) * np.sin(angle) + (y - py) * np.cos(angle)
        away = np.hypot(np.minimum(along, 0), across) / np.float32(width)
        cover = np.clip((1 - away) * np.float32(width), 0, 1)[..., None]
        shade = np.clip(away * np.float32(width * 1.25) / np.float32(width) - 1, -1, 0)
        image *= 1 - np.float32(0.5) * np.exp(-np.maximum(away - 1, 0) * 4)[..., None] * (1 - cover)
        lit = tone * (np.sqrt(np.clip(1 - np.minimum(away, 1) ** 2, 0.02, 1)) * 0.75 + 0.3)[..., None]
        lit = lit * (
            1 + 0.1 * np.sin(along / np.float32(width) * 6)[..., None] * (np.abs(shade) > 0.5)[..., None] * 0.5
        )
        if chance(rng, 0.4):
            nail = np.hypot((along - width * 0.6) / (width * 0.65), across / (width * 0.55))
            share = np.clip((1 - nail) * 6, 0, 1)[..., None]
            lit = lit * (1 - share) + np.clip(tone * np.float32(1.25), 0, 1) * share
        image[:] = image * (1 - cover) + lit * cover


def marble(rng: Rng, image: Floats, die: float) -> None:
    """A ball, bead or pawn's head with a highlight."""
    side = image.shape[0]
    cx, cy, radius = rng.uniform(0, side), rng.uniform(0, side), die * rng.uniform(0.2, 0.6)
    x0, x1 = int(max(0, cx - 2 * radius)), int(min(side, cx + 2 * radius + 1))
    y0, y1 = int(max(0, cy - 2 * radius)), int(min(side, cy + 2 * radius + 1))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    y, x = np.mgrid[y0:y1, x0:x1].astype(np.float32)
    u, v = (x - cx) / radius, (y - cy) / radius
    away = np.hypot(u, v)
    lamp = rng.normal(0, 0.5, 2)
    part = image[y0:y1, x0:x1]
    part *= 1 - np.float32(0.5) * np.exp(-(np.hypot(u + lamp[0] * 0.5, v + lamp[1] * 0.5) ** 2) * 1.2)[..., None]
    height = np.sqrt(np.clip(1 - away**2, 0, 1))
    lit = colour(rng) * np.clip(0.35 + 0.6 * height + 0.3 * (u * lamp[0] + v * lamp[1]), 0.05, 1.3)[..., None]
    glint = np.exp(-((u - lamp[0] * 0.6) ** 2 + (v - lamp[1] * 0.6) ** 2) * np.float32(log_uniform(rng, 8, 80)))
    lit = lit + np.float32(rng.uniform(0, 1)) * glint[..., None]
    cover = np.clip((1 - away) * radius + 0.5, 0, 1)[..., None]
    image[y0:y1, x0:x1] = part * (1 - cover) + lit * cover


def lamp_spot(rng: Rng, image: Floats) -> None:
    """A lamp or window mirrored by a glossy ground, or a patch of sun."""
    side = image.shape[0]
    mask = np.zeros((side, side), np.float32)
    if chance(rng, 0.5):
        centre = (int(rng.integers(side)), int(rng.integers(side)))
        axes = (int(side * rng.uniform(0.01, 0.2)) + 1, int(side * rng.uniform(0.01, 0.2)) + 1)
        cv2.ellipse(mask, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
    else:
        cv2.fillConvexPoly(mask, cv2.convexHull(rng.uniform(-0.2 * side, 1.2 * side, (5, 2)).astype(np.int32)), 1.0)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, side * 0.08)), np.float32)[..., None]
    image += (
        mask * np.float32(rng.uniform(0.1, 0.9))
        if chance(rng, 0.5)
        else image * mask * np.float32(rng.uniform(-0.6, 1.0))
    )
