"""The picture with what was seen drawn on it: for a person who asks why."""

import cv2
import numpy as np

from vision.frame import Image
from vision.read import Decision

CLEAR = (80, 220, 60)
DOUBTFUL = (0, 170, 255)
LEFT_OVER = (60, 60, 255)
PIP = (255, 200, 0)
INK = (255, 255, 255)
EDGE = (20, 20, 20)


def explain(decision: Decision) -> Image:
    """A copy of the working picture (H, W, 3) with the outline and value of each die, green when clear and orange
    when doubtful, its pips, what is left over ringed in red, and the verdict in words below."""
    evidence, choice, doubt = decision.evidence, decision.choice, decision.doubt
    picture = evidence.work.copy()
    thick = max(1, round(max(picture.shape[:2]) / 480))
    faces = choice.faces
    for one, die in zip(decision.taken.dice, decision.reading.dice, strict=True):
        colour = DOUBTFUL if die.trouble else CLEAR
        row = one.place.rows[one.value - 1]
        centre = (np.array(one.place.centre) + 0.5) * evidence.scale - 0.5
        half = np.eye(2) * (one.place.size * evidence.scale / 2)
        if row >= 0:
            centre, half = faces.centre[row], faces.half[row]
            for pip in faces.pips[row]:
                if pip >= 0:
                    _ring(picture, evidence.pips.centre[pip], float(evidence.pips.radius[pip]), PIP, 1)
        corners = centre + np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ half.T
        cv2.polylines(picture, [np.rint(corners * 8).astype(np.int32)], True, colour, thick, cv2.LINE_AA, 3)
        value = "?" if die.value is None else str(die.value)
        words = value if die.trouble is None else f"{value} {die.trouble}"
        _write(picture, words, corners[:, 0].min(), corners[:, 1].min() - 4, colour)
    for place in (*doubt.left_pips, *doubt.left_bodies):
        _ring(picture, np.array(place), max(choice.side * 0.2, 6.0), LEFT_OVER, thick)
    return _with_verdict(picture, decision)


def _with_verdict(picture: Image, decision: Decision) -> Image:
    reading = decision.reading
    values = " ".join(map(str, reading.values)) or "nothing read"
    verdict = "sure" if reading.sure else "not sure: " + ", ".join(reading.troubles)
    strip = np.full((26, picture.shape[1], 3), EDGE, np.uint8)
    cv2.putText(strip, f"{values}   {verdict}", (6, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK, 1, cv2.LINE_AA)
    return np.vstack([picture, strip])


def _ring(picture: Image, centre: np.ndarray, radius: float, colour: tuple[int, int, int], thick: int) -> None:
    x, y = np.rint(centre * 8).astype(int).tolist()
    cv2.circle(picture, (x, y), round(radius * 8), colour, thick, cv2.LINE_AA, 3)


def _write(picture: Image, words: str, x: float, y: float, colour: tuple[int, int, int]) -> None:
    place = (max(0, round(float(x))), max(14, round(float(y))))
    for ink, thick in ((EDGE, 4), (colour, 1)):
        cv2.putText(picture, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.55, ink, thick, cv2.LINE_AA)
