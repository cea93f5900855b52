"""Where the tray is in a picture: by four printed marks in its corners, by its rim, or else the whole picture."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Floats
from vision.frame import Image
from vision.rim import find_rim

Shape = Literal["rectangle", "round", "marks", "picture"]

MARKS = (0, 1, 2, 3)
"""Numbers of the four printed marks in the dictionary, in no order of place."""
MARK_MM = 40.0
"""Side of a mark's black square on the printed page, mm."""


@dataclass(frozen=True, eq=False)
class Tray:
    """`outline` (K, 2) x, y in px of the picture, in order round the tray, partly beyond the picture where the tray is;
    `shape` how it was found, `picture` when no rim was; `mm` millimetres per px where marks told it."""

    shape: Shape
    outline: Floats
    mm: float | None = None


def find_tray(image: Image) -> Tray:
    """The tray in `image` (H, W, 3), best an empty one. Raises nothing for any such array."""
    marked = find_marks(image)
    if marked is not None:
        return marked
    outline = find_rim(image)
    if outline is not None:
        return Tray("rectangle" if len(outline) == 4 else "round", outline)
    height, width = image.shape[:2]
    return Tray("picture", np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], np.float64))


def marks_dictionary() -> cv2.aruco.Dictionary:
    """The marks' patterns: 4 × 4 cells, so that they are read from afar."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def find_marks(image: Image) -> Tray | None:
    """The tray that the four printed marks in its corners span, or None unless all four are seen."""
    if min(image.shape[:2]) < tuning.SMALLEST_SIDE:
        return None
    corners, numbers, _ = cv2.aruco.ArucoDetector(marks_dictionary()).detectMarkers(image)
    squares = zip(np.ravel(numbers), corners, strict=True) if len(corners) else ()
    seen = {int(number): np.asarray(square, np.float64).reshape(4, 2) for number, square in squares}
    if not all(number in seen for number in MARKS):
        return None
    four = [seen[number] for number in MARKS]
    middle = np.mean([mark.mean(axis=0) for mark in four], axis=0)
    # Of each mark the corner that lies farthest out.
    outline = np.array([mark[int(np.linalg.norm(mark - middle, axis=1).argmax())] for mark in four])
    outline = outline[np.argsort(np.arctan2(outline[:, 1] - middle[1], outline[:, 0] - middle[0]))]
    if not cv2.isContourConvex(outline.astype(np.float32)):
        return None
    side = float(np.mean([np.linalg.norm(mark - np.roll(mark, 1, axis=0), axis=1).mean() for mark in four]))
    return Tray("marks", outline, MARK_MM / side)
