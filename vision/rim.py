"""The rim of a tray: four lines or one ellipse round the middle of the picture.

Rays from the middle meet a rim where the colours on both sides differ over a broad band, which those of the grain of
wood, the weave of cloth and the joints of tiles do not. Most rays must agree on one outline.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Flags, Floats, Indices
from vision.frame import Image

_ANGLES = np.arange(tuning.RIM_RAYS) * (2 * np.pi / tuning.RIM_RAYS)
_RAY = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass(frozen=True, eq=False)
class _Steps:
    """Broad steps of colour: `off` (N, 2) px from the middle of the picture, `ray` (N,) which ray each lies on; `half`
    (2,) half the width and height of the picture; `line` (RIM_RAYS, K, 3) the CIE Lab colours along the rays."""

    off: Floats
    ray: Indices
    half: Floats
    line: Floats

    def rays(self, close: Flags) -> int:
        """How many rays hold a step of those that are `close` (N,)."""
        return len(np.unique(self.ray[close]))

    def support(self, reach: Floats, close: Flags) -> float:
        """Share of the rays that meet an outline `reach` (RIM_RAYS,) px from the middle inside the picture and have
        one of the `close` steps. 0 when most of the outline is out of view, or when most of it is but a line: the
        joint between two tiles has the same colour on both sides."""
        in_view = (np.abs(_RAY * reach[:, None]) < self.half - 2).all(axis=1)
        if in_view.mean() < tuning.RIM_IN_VIEW:
            return 0.0
        shows = np.zeros(tuning.RIM_RAYS, bool)
        shows[self.ray[close]] = True
        near, far = tuning.RIM_BEYOND
        at = np.rint(reach[in_view]).astype(int)[:, None] + np.arange(near, far)
        rows = np.nonzero(in_view)[0][:, None]
        beyond = self.line[rows, np.minimum(at, self.line.shape[1] - 1)].mean(axis=1)
        within = self.line[rows, np.maximum(at - near - far, 0)].mean(axis=1)
        if np.median(np.linalg.norm(beyond - within, axis=1)) < tuning.RIM_LEVELS:
            return 0.0
        return float((shows & in_view).sum() / in_view.sum())


def find_rim(image: Image) -> Floats | None:
    """The outline of the rim of a tray in `image` (H, W, 3): (4, 2) corners x, y in px, or (RIM_RAYS, 2) points of an
    ellipse; None when there is none round the middle of the picture."""
    longest = max(image.shape[:2])
    if min(image.shape[:2]) < tuning.SMALLEST_SIDE:
        return None
    scale = tuning.RIM_SIDE / longest
    size = (max(2, round(image.shape[1] * scale)), max(2, round(image.shape[0] * scale)))
    steps = _steps(np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8))
    support, outline = max(_rectangle(steps), _ellipse(steps), key=lambda found: found[0])
    if support < tuning.RIM_SUPPORT:
        return None
    return np.asarray((outline + steps.half + 0.5) / scale - 0.5)


def _steps(small: Image) -> _Steps:
    height, width = small.shape[:2]
    colours = cv2.cvtColor(cv2.GaussianBlur(cv2.medianBlur(small, 5), (0, 0), 1.2), cv2.COLOR_BGR2LAB)
    half = np.array([(width - 1) / 2, (height - 1) / 2])
    count = int(np.hypot(width, height) / 2)
    band = tuning.RIM_BAND
    if count < 3 * band:
        return _Steps(np.zeros((0, 2)), np.zeros(0, np.intp), half, np.zeros((tuning.RIM_RAYS, 1, 3)))
    off = _RAY[:, None] * np.arange(count)[None, :, None]
    inside: Flags = np.asarray((np.abs(off) <= half).all(axis=2))
    x, y = np.moveaxis((off + half).astype(np.float32), 2, 0)
    line = cv2.remap(colours, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    total = np.concatenate([np.zeros((tuning.RIM_RAYS, 1, 3)), line.cumsum(axis=1)], axis=1)
    at = np.arange(band, count - band)
    step = np.zeros(line.shape[:2])
    step[:, at] = np.linalg.norm(total[:, at + band] - 2 * total[:, at] + total[:, at - band], axis=2) / band
    step[:, :-band] *= inside[:, band:]  # the border of the picture is no rim
    peak = np.logical_and(step >= cv2.dilate(step, np.ones((1, band), np.uint8)), step > tuning.RIM_LEVELS)
    ray, along = np.nonzero(peak & (np.arange(count) >= int(tuning.RIM_NEAREST * min(height, width))))
    return _Steps(off[ray, along].astype(np.float64), ray, half, line)


def _rectangle(steps: _Steps) -> tuple[float, Floats]:
    """(support, corners (4, 2) px from the middle)."""
    best = 0.0, np.zeros((0, 2))
    normal, reach, rays = _lines(steps)
    for turn in np.deg2rad(np.arange(-45, 45, 3.0)):
        sides = [_outermost(normal, reach, rays, turn + quarter * np.pi / 2) for quarter in range(4)]
        if -1 in sides:
            continue
        across, reach_of = _fitted(
            steps, np.stack([np.cos(normal[sides]), np.sin(normal[sides])], axis=1), reach[sides]
        )
        pairs = np.stack([across, np.roll(across, -1, axis=0)], axis=1)
        if np.abs(np.linalg.det(pairs)).min() < 0.5:
            continue  # two sides that hardly meet
        ends = np.stack([reach_of, np.roll(reach_of, -1)], axis=1)
        corners = np.linalg.solve(pairs, ends[..., None])[..., 0]
        met, close = _met_sides(steps, across, reach_of)
        support = steps.support(met, close)
        if support > best[0] and cv2.isContourConvex(corners.astype(np.float32)):
            best = support, corners
    return best


def _met_sides(steps: _Steps, across: Floats, reach: Floats) -> tuple[Floats, Flags]:
    """(RIM_RAYS,) how far along each ray the first of four sides lies, and (N,) the steps near that side. `across`
    (4, 2) are the sides' normals, `reach` (4,) their distances from the middle."""
    facing = _RAY @ across.T
    met = np.where(facing > 1e-3, reach / np.maximum(facing, 1e-3), np.inf)
    side = met.argmin(axis=1)[steps.ray]
    return met.min(axis=1), np.abs((steps.off * across[side]).sum(axis=1) - reach[side]) < tuning.RIM_NEAR


def _fitted(steps: _Steps, across: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """The sides once more, each laid through the middle of the steps near it."""
    across, reach = across.copy(), reach.copy()
    facing = (steps.off @ across.T) - reach
    ahead = _RAY[steps.ray] @ across.T > np.cos(np.deg2rad(60))
    for side in range(4):
        near = steps.off[(np.abs(facing[:, side]) < 1.5 * tuning.RIM_NEAR) & ahead[:, side]]
        if len(near) < 4:
            continue
        _, _, ways = np.linalg.svd(near - near.mean(axis=0), full_matrices=False)
        normal = ways[1] * np.sign(ways[1] @ across[side])
        if normal @ across[side] > np.cos(np.deg2rad(10)):
            across[side], reach[side] = normal, float(np.median(near @ normal))
    return across, reach


def _lines(steps: _Steps) -> tuple[Floats, Floats, Floats]:
    """Lines through two steps on rays that are neither neighbours nor far apart: direction of the normal in radians,
    distance from the middle in px, and the rays that have a step on it."""
    count = len(steps.off)
    if count < 8:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    first, second = np.random.default_rng(1).integers(0, count, (2, tuning.RIM_TRIES))
    between = np.abs(np.angle(np.exp(1j * (_ANGLES[steps.ray[first]] - _ANGLES[steps.ray[second]]))))
    fair = (between > np.deg2rad(8)) & (between < np.deg2rad(50))
    one, other = steps.off[first[fair]], steps.off[second[fair]]
    along = other - one
    across = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    reach = (across * one).sum(axis=1)
    across, reach = across * np.sign(reach)[:, None], np.abs(reach)
    close = np.abs(steps.off @ across.T - reach) < tuning.RIM_NEAR
    rays = np.array([steps.rays(column) for column in close.T], np.float64)
    return np.arctan2(across[:, 1], across[:, 0]), reach, rays


def _outermost(normal: Floats, reach: Floats, rays: Floats, way: float) -> int:
    """The line farthest out of those on the side of `way` (radians) with about the most rays; −1 when none is there.

    A wall has an edge at its foot and more on top: what takes in too much is harmless."""
    near = np.nonzero(np.abs(np.angle(np.exp(1j * (normal - way)))) < np.deg2rad(tuning.RIM_SKEW))[0]
    if not len(near) or rays[near].max() < tuning.RIM_FEWEST:
        return -1
    strong = near[rays[near] > 0.8 * rays[near].max()]
    return int(strong[reach[strong].argmax()])


def _ellipse(steps: _Steps) -> tuple[float, Floats]:
    """(support, outline (RIM_RAYS, 2) px from the middle)."""
    found: list[tuple[float, Floats]] = [(0.0, np.zeros((0, 2)))]
    if len(steps.off) < 8:
        return found[0]
    for three in np.random.default_rng(2).integers(0, len(steps.off), (tuning.RIM_TRIES, 3)):
        near = _near_circle(steps, steps.off[three])
        if near is None or steps.rays(near) < tuning.RIM_IN_VIEW * tuning.RIM_RAYS:
            continue
        middle, axes, turn = cv2.fitEllipseDirect(steps.off[near].astype(np.float32))
        if not 0 < tuning.RIM_ROUND * max(axes) < min(axes) < 4 * steps.half.max():
            continue
        cos, sin = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
        shape = np.array([[cos, -sin], [sin, cos]]) * (np.array(axes) / 2)
        inverse = np.linalg.inv(shape)
        close = np.abs(np.linalg.norm((steps.off - middle) @ inverse.T, axis=1) - 1) < tuning.RIM_CLOSE
        reach = _met(inverse @ np.array(middle), _RAY @ inverse.T)
        if reach is not None:
            found.append((steps.support(reach, close), _RAY * reach[:, None]))
    most = max(support for support, _ in found)
    large = [one for one in found if one[0] >= 0.9 * most]
    return max(large, key=lambda one: float(np.linalg.norm(one[1], axis=1).mean()) if len(one[1]) else 0.0)


def _near_circle(steps: _Steps, three: Floats) -> Flags | None:
    """(N,): the steps near the circle through `three` points; None when these lie on a line or far off the middle."""
    sides = 2 * (three[1:] - three[0])
    if abs(np.linalg.det(sides)) < 1:
        return None
    centre = np.linalg.solve(sides, (three[1:] ** 2).sum(axis=1) - (three[0] ** 2).sum())
    radius = float(np.linalg.norm(three[0] - centre))
    if np.linalg.norm(centre) > 0.6 * radius or radius > 2 * steps.half.max():
        return None
    return np.asarray(np.abs(np.linalg.norm(steps.off - centre, axis=1) - radius) < 0.06 * radius)


def _met(centre: Floats, ways: Floats) -> Floats | None:
    """(RIM_RAYS,): how far along each of `ways` from the origin the unit circle around `centre` lies; None when the
    origin is outside it."""
    inside = 1 - float(centre @ centre)
    if inside <= 0:
        return None
    square, along = (ways**2).sum(axis=1), ways @ centre
    return np.asarray((along + np.sqrt(along**2 + square * inside)) / square)
