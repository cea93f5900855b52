"""How dice lie in the tray: apart, touching, in rows, stacked, leaning, cut off by the picture's edge."""

from dataclasses import dataclass

import numpy as np

from vision.training.camera import Camera, Doubles, Pose, turned
from vision.training.noise import Rng, chance

TOPS = (
    np.eye(3), turned(0, np.pi), turned(0, np.pi / 2),
    turned(0, -np.pi / 2), turned(1, np.pi / 2), turned(1, -np.pi / 2),
)  # fmt: skip
"""Turns that bring each of the six faces up."""


@dataclass(frozen=True, eq=False)
class Lying:
    """One die: its pose, by how much it leans (radians), whether it stands on others."""

    pose: Pose
    lean: float
    raised: bool


def _apart(place: Doubles, yaw: float, other: Doubles, other_yaw: float) -> bool:
    """Whether the footprints of two flat dice don't overlap (separating axes)."""
    gap = place - other
    if gap @ gap > 2.05:
        return True
    for axis in (yaw, yaw + np.pi / 2, other_yaw, other_yaw + np.pi / 2):
        reach = sum(0.5 * (abs(np.cos(a - axis)) + abs(np.sin(a - axis))) for a in (yaw, other_yaw))
        if abs(gap @ np.array([np.cos(axis), np.sin(axis)])) >= reach:
            return True
    return False


def lay_dice(rng: Rng, camera: Camera, side: int, die_px: float) -> tuple[Lying, ...]:
    """The dice of one scene, the farthest from the camera first."""
    most = min(12, max(1, int((side / die_px) ** 2 * 0.35)))
    count = 0 if chance(rng, 0.07) else int(rng.integers(1, most + 1))
    reach = side / die_px / 2 * 0.97
    crowded, rowed = chance(rng, 0.5), chance(rng, 0.5)
    spots: list[tuple[Doubles, float]] = []
    for _ in range(count * 6):
        if len(spots) >= count:
            break
        yaw = rng.uniform(0, 2 * np.pi)
        place = rng.uniform(-reach, reach, 2) * np.array([1, 1 / np.cos(camera.tilt)])
        if spots and crowded and chance(rng, 0.75):
            base, base_yaw = spots[int(rng.integers(len(spots)))]
            if rowed:
                yaw = base_yaw + (rng.normal(0, 0.04) if chance(rng, 0.8) else rng.uniform(0, 6.3))
            angle = base_yaw + np.pi / 2 * rng.integers(4) if chance(rng, 0.5) else rng.uniform(0, 6.3)
            slide = rng.uniform(-0.5, 0.5) if chance(rng, 0.3) else rng.normal(0, 0.05)
            place = base + np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(
                1.0, 1.12 if chance(rng, 0.6) else 1.5
            )
            place = place + np.array([-np.sin(angle), np.cos(angle)]) * slide
        if all(_apart(place, yaw, other, other_yaw) for other, other_yaw in spots):
            spots.append((place, yaw))
    dice = []
    for place, yaw in spots:
        turn, height, lean = turned(2, yaw), 0.5, 0.0
        if chance(rng, 0.08):
            lean = rng.uniform(np.radians(12), np.radians(45))
            turn = turn @ turned(int(rng.integers(2)), lean * (1 if chance(rng, 0.5) else -1))
            height = 0.5 * (np.cos(lean) + np.sin(lean))
        turn = turn @ TOPS[int(rng.integers(6))]
        dice.append(Lying(Pose(turn, np.array([*place, height])), lean, False))
        if chance(rng, 0.02):
            upper = turned(2, rng.uniform(0, 6.3)) @ TOPS[int(rng.integers(6))]
            shift = rng.normal(0, 0.12, 2)
            dice.append(Lying(Pose(upper, np.array([*(place + shift), height + 1.0])), 0.0, True))
    return tuple(sorted(dice, key=lambda d: -float(np.linalg.norm(d.pose.place - camera.place))))
