"""The camera above the ground, and how a die lies. The unit of length is the side of a die; the ground is z = 0."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.training.noise import Rng, chance, log_uniform

Doubles = NDArray[np.float64]
HORIZON = np.radians(80.0)  # steepest ray of a picture: beyond it the ground runs out
WIDEST = np.radians(38.0)  # half the diagonal view: a wide webcam


@dataclass(frozen=True, eq=False)
class Camera:
    """`turn` has the picture's x, y and depth axes as rows (3, 3), `focal` and `middle` are pixels."""

    place: Doubles
    turn: Doubles
    focal: float
    middle: tuple[float, float]
    aspect: float
    """Pixels are this much wider than high (square root of the ratio), as in stretched pictures."""
    tilt: float
    upright: bool
    """Whether up in the world is up in the picture, as of a camera that looks at the tray from the side."""

    def project(self, points: Doubles) -> Doubles:
        """(N, 3) points of the world as (N, 2) pixels."""
        seen = (points - self.place) @ self.turn.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * np.array(self.scale) + np.array(self.middle))

    @property
    def scale(self) -> tuple[float, float]:
        """Pixels per unit of slope, across and down."""
        return self.focal * self.aspect, self.focal / self.aspect

    def rays(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N, 3) unit directions in the world through the pixels (x, y)."""
        local = np.stack(
            [(x - self.middle[0]) / self.scale[0], (y - self.middle[1]) / self.scale[1], np.ones_like(x)], -1
        )
        local /= np.linalg.norm(local, axis=-1, keepdims=True)
        return np.asarray(local @ self.turn, np.float32)

    def ground_to_pixel(self) -> Doubles:
        """(3, 3) homography from (x, y, 1) on the ground to homogeneous pixels."""
        lens = np.array([[self.scale[0], 0, self.middle[0]], [0, self.scale[1], self.middle[1]], [0, 0, 1]])
        moved = np.column_stack([self.turn[:, 0], self.turn[:, 1], -self.turn @ self.place])
        return np.asarray(lens @ moved)


@dataclass(frozen=True, eq=False)
class Pose:
    """How a die lies: `turn` (3, 3) from the die's own axes to the world's, `place` (3,) of its centre."""

    turn: Doubles
    place: Doubles


def turned(axis: int, angle: float) -> Doubles:
    """(3, 3) rotation about an axis, radians."""
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    return matrix


def draw_camera(rng: Rng, side: int, die_px: float) -> Camera:
    """A camera for a square picture of `side` pixels in which a die near the middle is about `die_px` wide."""
    tilt = np.radians(
        rng.uniform(0, 20) if chance(rng, 0.55) else (rng.uniform(20, 45) if chance(rng, 0.55) else rng.uniform(45, 65))
    )
    corner = side * 0.72
    nearest = corner / (die_px * np.tan(min(HORIZON - tilt, WIDEST)))
    distance = max(nearest, log_uniform(rng, 6, 45))
    upright = bool(tilt > np.radians(24) and chance(rng, 0.85))
    roll = rng.normal(0, np.radians(7)) if upright else rng.uniform(0, 2 * np.pi)
    back = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.cross(-back, right)
    turn = np.stack(
        [
            np.cos(roll) * right + np.sin(roll) * down,
            -np.sin(roll) * right + np.cos(roll) * down,
            -back,
        ]
    )
    middle = (side / 2 + rng.uniform(-0.1, 0.1) * side, side / 2 + rng.uniform(-0.1, 0.1) * side)
    aspect = float(np.exp(rng.uniform(-0.18, 0.18))) if chance(rng, 0.18) else 1.0
    return Camera(back * distance, turn, die_px * distance, middle, aspect, float(tilt), upright)
