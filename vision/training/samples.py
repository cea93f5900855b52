"""From scenes to what the nets learn from: the proposer's target maps and the verifier's crops.

A batch is a pure function of the scenes, the seed and the step, so that a training resumed goes the same way."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.net import CHANNELS, CROP, SIZE_UNIT, STRIDE, Proposal, ProposingNet, crop_face
from vision.training.noise import Rng, chance
from vision.training.scenes import SIDE
from vision.training.store import Scenes
from vision.training.truth import State

Floats = NDArray[np.float32]
WINDOW = 192  # px of the pictures the proposer learns from: a third of the work of whole ones
CELLS = WINDOW // STRIDE
HEATS = 3  # face, unreadable, side
CUT_OFF = 0.3  # of the face's side: a centre closer to the edge belongs to a face cut off
BARELY_IN = 0.42  # up to here nobody could say


@dataclass(frozen=True, eq=False)
class Targets:
    """Of one picture: `heat` (3, C, C), where its background counts `weight` (3, C, C), `value` (C, C) 0–5 or -1
    where it isn't asked, `shape` (3, C, C) offsets and size, asked where `shaped` (C, C) is 1."""

    heat: Floats
    weight: Floats
    value: NDArray[np.int64]
    shape: Floats
    shaped: Floats


def _edge_judged(faces: Floats, side: int) -> Floats:
    """The faces with those too near the edge of a picture of `side` pixels no longer told as readable."""
    margin = np.minimum(faces[:, :2].min(1), (side - 1 - faces[:, :2]).min(1)) / faces[:, 2]
    readable = faces[:, 4] == State.READABLE
    faces[readable & (margin < BARELY_IN), 4] = State.UNCERTAIN
    faces[(faces[:, 4] != State.UNREADABLE) & (margin < CUT_OFF), 4] = State.UNREADABLE
    return faces


def _windowed(
    rng: Rng, image: NDArray[np.uint8], faces: Floats, sides: Floats
) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """WINDOW × WINDOW pixels of the picture, mostly with a face in view: faces are what there is to learn."""
    x, y = rng.integers(0, SIDE - WINDOW + 1, 2)
    if len(faces) and not chance(rng, 0.15):
        middle = faces[int(rng.integers(len(faces))), :2] + rng.uniform(-0.3, 0.3, 2) * WINDOW
        x, y = np.clip(middle - WINDOW / 2, 0, SIDE - WINDOW).astype(int)
    faces, sides = faces.copy(), sides.copy()
    for rows in (faces, sides):
        rows[:, :2] -= (x, y)
    return image[y : y + WINDOW, x : x + WINDOW], _edge_judged(faces, WINDOW), sides


def _zoomed(
    rng: Rng, image: NDArray[np.uint8], faces: Floats, sides: Floats
) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """A part of the picture enlarged, perhaps more across than down."""
    zoom = np.exp(rng.uniform(0, 0.4)) * np.exp(rng.permutation([rng.uniform(0, 0.25), 0.0]))
    middle = rng.uniform(0.25, 0.75, 2) * SIDE
    shift = middle - middle * zoom
    matrix = np.array([[zoom[0], 0, shift[0]], [0, zoom[1], shift[1]]])
    image = np.asarray(cv2.warpAffine(image, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR), np.uint8)
    faces, sides = faces.copy(), sides.copy()
    for rows in (faces, sides):
        rows[:, :2] = rows[:, :2] * zoom + shift
        rows[:, 2] *= np.sqrt(zoom[0] * zoom[1])
    return image, _edge_judged(faces, SIDE), sides


def varied(rng: Rng, scenes: Scenes, index: int) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """A picture of the store, mirrored, turned, zoomed or recoloured, with its faces and side faces."""
    image, faces, sides = scenes.images[index], scenes.faces[index].copy(), scenes.sides[index].copy()
    last = SIDE - 1
    if chance(rng, 0.5):
        image = image[:, ::-1]
        for rows in (faces, sides):
            rows[:, 0] = last - rows[:, 0]
    for _ in range(0 if scenes.upright[index] else int(rng.integers(4))):
        image = np.rot90(image)
        for rows in (faces, sides):
            rows[:, 0], rows[:, 1] = rows[:, 1].copy(), last - rows[:, 0]
    if chance(rng, 0.2):
        image = image[..., ::-1]
    if chance(rng, 0.07):
        image = 255 - image
    image = np.ascontiguousarray(image)
    if chance(rng, 0.4):
        image, faces, sides = _zoomed(rng, image, faces, sides)
    return image, faces, sides


def _add_heat(heat: Floats, gx: float, gy: float, size: float) -> None:
    spread = max(0.7, size / STRIDE / 6)
    reach = int(4 * spread + 2)
    x0, x1 = max(0, int(gx) - reach), min(CELLS, int(gx) + reach + 1)
    y0, y1 = max(0, int(gy) - reach), min(CELLS, int(gy) + reach + 1)
    if x0 >= x1 or y0 >= y1:
        return
    y, x = np.mgrid[y0:y1, x0:x1]
    bump = np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / (2 * spread**2)).astype(np.float32)
    column, row = round(gx), round(gy)
    if x0 <= column < x1 and y0 <= row < y1:
        bump[row - y0, column - x0] = 1
    heat[y0:y1, x0:x1] = np.maximum(heat[y0:y1, x0:x1], bump)


def targets(faces: Floats, sides: Floats) -> Targets:
    """What the proposer's map of a window should be."""
    heat, weight = np.zeros((HEATS, CELLS, CELLS), np.float32), np.ones((HEATS, CELLS, CELLS), np.float32)
    value = np.full((CELLS, CELLS), -1, np.int64)
    shape, shaped = np.zeros((3, CELLS, CELLS), np.float32), np.zeros((CELLS, CELLS), np.float32)
    rows, columns = np.mgrid[:CELLS, :CELLS]
    for x, y, size in sides:
        _add_heat(heat[2], (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5, size)
    for x, y, size, number, state in faces[:, :5]:
        gx, gy = (x + 0.5) / STRIDE - 0.5, (y + 0.5) / STRIDE - 0.5
        away = np.hypot(columns - gx, rows - gy)
        if state == State.UNCERTAIN:
            weight[:2, away < 0.4 * size / STRIDE] = 0
            continue
        _add_heat(heat[0 if state == State.READABLE else 1], gx, gy, size)
        near = (np.abs(columns - round(gx)) <= 1) & (np.abs(rows - round(gy)) <= 1)
        shape[0][near], shape[1][near] = (gx - columns)[near], (gy - rows)[near]
        shape[2][near] = np.log2(size / SIZE_UNIT)
        shaped[near] = 1
        if state == State.READABLE:
            value[near | (away < 0.13 * size / STRIDE)] = int(number) - 1
    return Targets(heat, weight, value, shape, shaped)


def proposer_batch(scenes: Scenes, seed: int, step: int, size: int) -> tuple[NDArray[np.uint8], list[Targets]]:
    """(size, WINDOW, WINDOW, 3) pictures and their targets."""
    rng = np.random.default_rng([seed, step, 1])
    drawn = [_windowed(rng, *varied(rng, scenes, int(i))) for i in rng.integers(len(scenes), size=size)]
    return np.stack([image for image, _, _ in drawn]), [targets(faces, sides) for _, faces, sides in drawn]


NOT_ASLANT = (np.nan, np.nan)
UNASKED = -1
"""Class of a crop whose class the verifier is not asked."""


@dataclass(frozen=True, eq=False)
class Spots:
    """Places worth a crop, by kind: rows (picture, x, y, size, class, and of a top face `aslant`, else NaN)."""

    faces: Floats
    unreadable: Floats
    sides: Floats
    mistakes: Floats
    """Proposals of the proposer that are no top face."""
    found: Floats
    """Proposals of the proposer that are right, where and as large as it sees them."""
    leaning: Floats
    """Faces of dice that lean a little: asked is only how aslant they are seen."""


def _mined(index: int, proposals: list[Proposal], faces: Floats) -> tuple[list[list[float]], list[list[float]]]:
    wrong, right = [], []
    for p in proposals:
        away = np.hypot(faces[:, 0] - p.x, faces[:, 1] - p.y) / faces[:, 2]
        ratio = p.size / faces[:, 2]
        hit = np.flatnonzero((away < 0.25) & (ratio > 0.75) & (ratio < 1.33))
        if len(hit):
            face = faces[hit[0]]
            if face[4] == State.READABLE:
                right.append([index, p.x, p.y, p.size, *face[[3, 5, 6]].tolist()])
        elif ((away > 0.6) | (ratio < 0.5) | (ratio > 2)).all():
            wrong.append([index, p.x, p.y, p.size, 0, *NOT_ASLANT])
    return wrong, right


def find_spots(scenes: Scenes, start: int, miner: ProposingNet | None) -> Spots:
    """All places in the pictures from `start` on."""
    kinds: dict[str, list[list[float]]] = {k: [] for k in Spots.__dataclass_fields__}
    for index in range(start, len(scenes)):
        faces, sides = scenes.faces[index], scenes.sides[index]
        for x, y, size, value, state, *aslant in faces.tolist():
            inside = -0.2 * size < min(x, y) and max(x, y) < SIDE - 1 + 0.2 * size
            if state == State.READABLE:
                kinds["faces"].append([index, x, y, size, value, *aslant])
            elif state == State.UNREADABLE and inside:
                kinds["unreadable"].append([index, x, y, size, 7, *aslant])
            elif state == State.LEANING and inside:
                kinds["leaning"].append([index, x, y, size, UNASKED, *aslant])
        kinds["sides"].extend([index, x, y, size, 0, *NOT_ASLANT] for x, y, size in sides.tolist())
        if miner is not None:
            wrong, right = _mined(index, miner.propose(scenes.images[index], 1.0), faces)
            kinds["mistakes"].extend(wrong)
            kinds["found"].extend(right)
    return Spots(**{kind: np.array(rows, np.float32).reshape(-1, 7) for kind, rows in kinds.items()})


def joined(one: Spots, other: Spots) -> Spots:
    return Spots(*(np.concatenate([getattr(one, k), getattr(other, k)]) for k in Spots.__dataclass_fields__))


def _miss(rng: Rng, scenes: Scenes, index: int) -> tuple[float, float, float] | None:
    """A place that is no face: beside one, of the wrong size, or anywhere."""
    faces = scenes.faces[index]
    kind = rng.random()
    if len(faces) and kind < 0.75:
        x, y, size = faces[int(rng.integers(len(faces))), :3].tolist()
        if kind < 0.5:
            angle, away = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 1.1) * size
            x, y, size = x + np.cos(angle) * away, y + np.sin(angle) * away, size * np.exp(rng.normal(0, 0.15))
        else:
            x, y = x + rng.normal(0, 0.1) * size, y + rng.normal(0, 0.1) * size
            return x, y, size * float(rng.choice([0.4, 0.5, 2.1, 2.8]))
    else:
        x, y = rng.uniform(0, SIDE, 2)
        size = np.exp(rng.uniform(np.log(12), np.log(90)))
    if not (0 <= x < SIDE and 0 <= y < SIDE):
        return None
    if len(faces) and (np.hypot(faces[:, 0] - x, faces[:, 1] - y) < 0.42 * faces[:, 2]).any():
        return None
    return float(x), float(y), float(size)


SHARES = (
    ("faces", 0.32), ("found", 0.18), ("unreadable", 0.09), ("leaning", 0.1), ("sides", 0.09), ("mistakes", 0.12),
    ("miss", 0.1),
)  # fmt: skip
"""Of a verifier batch; without a miner its shares go to the faces."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Of crops: `classes` (N,) 0–7 or UNASKED, `aslant` (N, 2) what is seen of the unit vector on a top face, NaN of
    other places."""

    classes: NDArray[np.int64]
    aslant: Floats


def verifier_batch(scenes: Scenes, spots: Spots, seed: int, step: int, size: int) -> tuple[NDArray[np.uint8], Asked]:
    """(size, CROP, CROP, 3) crops and what the verifier should say of them."""
    rng = np.random.default_rng([seed, step, 2])
    crops, classes = np.zeros((size, CROP, CROP, 3), np.uint8), np.zeros(size, np.int64)
    slopes = np.zeros((size, 2), np.float32)
    kinds = rng.choice(len(SHARES), size=size, p=[share for _, share in SHARES])
    for n, kind in enumerate(kinds):
        name = SHARES[kind][0]
        if name == "miss":
            index = int(rng.integers(len(scenes)))
            miss = _miss(rng, scenes, index)
            row = [index, *miss, 0, *NOT_ASLANT] if miss is not None else None
        else:
            rows = getattr(spots, name)
            row = rows[int(rng.integers(len(rows)))].tolist() if len(rows) else None
        if row is None:
            row = spots.faces[int(rng.integers(len(spots.faces)))].tolist()
        index, (x, y, face, label), aslant = int(row[0]), row[1:5], row[5:]
        if name in ("faces", "unreadable", "sides", "leaning"):
            x, y = x + rng.normal(0, 0.055) * face, y + rng.normal(0, 0.055) * face
            face *= float(np.exp(rng.normal(0, 0.08)))
        upright = scenes.upright[index]
        angle = rng.normal(0, 10) if upright else rng.uniform(0, 360)
        mirrored = chance(rng, 0.5)
        crops[n] = crop_face(scenes.images[index], (x, y), face, angle, mirrored)
        classes[n], slopes[n] = int(label), turned_aslant(aslant, angle, mirrored)
    return crops, Asked(classes, slopes)


def turned_aslant(aslant: Sequence[float], angle: float, mirrored: bool) -> tuple[float, float]:
    """The same in a crop turned by `angle` degrees anticlockwise and perhaps mirrored, as `crop_face` does it."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    across = float(c * aslant[0] + s * aslant[1])
    return -across if mirrored else across, float(c * aslant[1] - s * aslant[0])


assert len(CHANNELS) == HEATS + 9
