"""What a scene's picture shows, die by die: told by the geometry, and checked on the finished picture.

A face counts as readable only if each of its pips can really be seen there: a pip lost in glare, darkness or blur
makes the face unreadable, so that the nets are never taught to guess."""

from dataclasses import dataclass
from enum import IntEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Camera, Doubles, Pose
from vision.training.layout import Lying
from vision.training.looks import Look
from vision.training.render import FACES, face_points, face_value

SMALLEST = 9.5  # px of face: below it no pip has a pixel of its own
CORE = 0.36  # of the side: the middle of a face that must be in view
SEEN_WHOLE = 0.86  # share of the core in view from which a face counts as seen
SEEN_HARDLY = 0.6  # share below which it is surely hidden or cut off
LEANS_PLAINLY = np.radians(28)  # from which a face by itself shows that another one is nearly as much on top
PIP_LOST = 5.0  # levels of contrast below which a pip is not there
PIP_WEAK = 9.0  # levels below which nobody could say


class State(IntEnum):
    READABLE = 0
    UNCERTAIN = 1
    """Between readable and not: left out of training and figures."""
    UNREADABLE = 2
    LEANING = 3
    """Its value can be read, but it is none on top: what stands on it tells that."""


@dataclass(frozen=True)
class Face:
    """A top face in the picture: pixels, value 1–6 (0 where there are no pips), corners in order, and `aslant`, what is
    seen of the unit vector that stands on it: x to the right, y down, (0, 0) for a face seen straight on."""

    x: float
    y: float
    size: float
    value: int
    state: State
    corners: tuple[tuple[float, float], ...]
    aslant: tuple[float, float]


@dataclass(frozen=True)
class SideFace:
    """Another face of a die, in view but not on top."""

    x: float
    y: float
    size: float


@dataclass(frozen=True, eq=False)
class Seen:
    """What stays the same in every photograph of a scene: a face and where its ink and bare body should be."""

    face: Face
    ink: Doubles
    """(pips, 8, 2) pixels that are painted."""
    bare: Doubles
    """(pips, 8, 2) pixels around the pip that are not."""


def _square(reach: float) -> Doubles:
    return np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]])


def _place(camera: Camera, pose: Pose, axis: int, sign: int, spots: Doubles) -> Doubles:
    return camera.project(face_points(axis, sign, spots) @ pose.turn.T + pose.place)


def _share_seen(owner: NDArray[np.int16], points: Doubles, number: int) -> float:
    side = owner.shape[0]
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < side) & (y < side)
    return float((owner[y[inside], x[inside]] == number).sum() / len(points))


def _grid(reach: float) -> Doubles:
    line = np.linspace(-reach, reach, 7)
    return np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)


def up_face(pose: Pose) -> tuple[int, int]:
    """(axis, sign) of the face that looks up."""
    up = pose.turn[2]
    axis = int(np.abs(up).argmax())
    return axis, int(np.sign(up[axis]))


def aslant(camera: Camera, pose: Pose, axis: int, sign: int) -> tuple[float, float]:
    """What a camera sees of the unit vector that stands on a face, across and down, square to the ray it sees it by."""
    towards = pose.turn[:, axis] * sign
    ray = pose.place + 0.5 * towards - camera.place
    ray /= np.linalg.norm(ray)
    x, y, _ = camera.turn @ (towards - (towards @ ray) * ray)
    return float(x), float(y)


def top_face(camera: Camera, die: Lying, look: Look, owner: NDArray[np.int16], number: int) -> Seen:
    """The top face of die `number`; `owner` (H, W) tells which die each pixel shows."""
    axis, sign = up_face(die.pose)
    value = face_value(look, axis, sign)
    corners = _place(camera, die.pose, axis, sign, _square(0.5))
    x, y = _place(camera, die.pose, axis, sign, np.zeros((1, 2)))[0]
    size = float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))
    share = _share_seen(owner, _place(camera, die.pose, axis, sign, _grid(CORE)), number)
    circle = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], -1)
    inner = (1 + look.hollow) / 2 if look.pip_kind == "ringed" else (0.3 if look.pip_kind == "inlaid" else 0.45)
    pips = np.array(look.faces[value - 1])
    spots = pips[:, None, :2]
    ink = _place(camera, die.pose, axis, sign, (spots + circle * pips[:, None, 2:] * inner).reshape(-1, 2))
    bare = _place(camera, die.pose, axis, sign, (spots + circle * pips[:, None, 2:] * 1.5).reshape(-1, 2))
    hidden = any(_share_seen(owner, spot, number) < 0.7 for spot in ink.reshape(-1, 8, 2))
    state = State.READABLE
    if look.marks != "pips" or die.lean > LEANS_PLAINLY or share < SEEN_HARDLY or (hidden and share < SEEN_WHOLE):
        state = State.UNREADABLE
    elif size < SMALLEST or share < SEEN_WHOLE or hidden:
        state = State.UNCERTAIN
    elif die.lean:
        state = State.LEANING
    outline = tuple((float(a), float(b)) for a, b in corners)
    face = Face(
        float(x),
        float(y),
        size,
        value if look.marks == "pips" else 0,
        state,
        outline,
        aslant(camera, die.pose, axis, sign),
    )
    return Seen(face, ink.reshape(-1, 8, 2), bare.reshape(-1, 8, 2))


def side_faces(camera: Camera, die: Lying, owner: NDArray[np.int16], number: int) -> tuple[SideFace, ...]:
    """The faces of a die that are in view besides its top."""
    top = up_face(die.pose)
    found = []
    for axis, sign, _ in FACES:
        if (axis, sign) == top:
            continue
        normal = die.pose.turn[:, axis] * sign
        sight = camera.place - (die.pose.place + 0.5 * normal)
        if normal @ sight / np.linalg.norm(sight) < 0.2:
            continue
        x, y = _place(camera, die.pose, axis, sign, np.zeros((1, 2)))[0]
        if _share_seen(owner, _place(camera, die.pose, axis, sign, _grid(0.3)), number) < 0.5:
            continue
        area = cv2.contourArea(_place(camera, die.pose, axis, sign, _square(0.5)).astype(np.float32))
        found.append(SideFace(float(x), float(y), float(np.sqrt(area))))
    return tuple(found)


def _levels(image: NDArray[np.float32], points: Doubles) -> NDArray[np.float32]:
    x, y = points.reshape(-1, 1, 2).astype(np.float32).transpose(2, 0, 1)
    found = cv2.remap(
        image, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(found, np.float32).reshape(*points.shape[:2], 3)


def pip_contrasts(image: NDArray[np.uint8], seen: Seen) -> NDArray[np.float32]:
    """(pips,) grey levels between each pip and the body around it, in the channel that shows it best; a pip whose
    surround is as uneven as itself counts for less."""
    picture = image.astype(np.float32)
    ink, bare = _levels(picture, seen.ink), _levels(picture, seen.bare)
    gap = np.abs(np.median(ink, 1) - np.median(bare, 1))
    return np.asarray(gap.max(-1), np.float32)


def judged(image: NDArray[np.uint8], seen: Seen) -> Face:
    """The face as this photograph shows it: no longer readable where a pip is lost."""
    face = seen.face
    if face.state != State.READABLE:
        return face
    weakest = float(pip_contrasts(image, seen).min())
    state = State.UNREADABLE if weakest < PIP_LOST else State.UNCERTAIN if weakest < PIP_WEAK else State.READABLE
    return Face(face.x, face.y, face.size, face.value, state, face.corners, face.aslant)
