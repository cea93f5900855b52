"""The first reader's closer look: one place cut out and enlarged, so that a face too small, too faint or too
crowded to be found in the whole picture is found where somebody else says that one lies.

Only place and size are taken from elsewhere; the value comes from the pips alone."""

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Floats
from vision.body import find_bodies
from vision.choice import choose, prune, ramp
from vision.lattice import find_faces
from vision.net import shrunk
from vision.pips import find_pips
from vision.reading import Image

VALUES = range(1, 7)


def look_closer(image: Image, centre: tuple[float, float], size: float, expected: int) -> tuple[Floats, Floats]:
    """(6,) credit, 0–1, that a face of value 1–6 with sides of about `size` px lies around `centre` of `image`; and the
    same after a look at each colour channel by itself, where little speaks for the value `expected` there: red pips on
    blue are as bright as it is. That helps to read a die, but pips are made of shades there too."""
    part = _cut_out(image, centre, size)
    plain = by_channel = _credit(part)
    for channel in range(3):
        if by_channel[expected - 1] >= tuning.PLAIN_CREDIT:
            break
        by_channel = np.maximum(by_channel, _credit(np.repeat(part[..., channel : channel + 1], 3, axis=2)))
    return plain, by_channel


def _credit(part: Image) -> Floats:
    """(6,) of the values, for a face in the middle of the cutting."""
    pips = find_pips(part)
    faces, bodies = find_bodies(part, pips, prune(pips, find_faces(pips)))
    choice = choose(pips, faces, bodies)
    of_values = np.zeros(6)
    if not len(choice.faces):
        return of_values
    off = np.linalg.norm(choice.faces.centre - (len(part) / 2 - 0.5), axis=1) / tuning.CLOSER_FACE
    grown = np.abs(np.log(choice.faces.side / tuning.CLOSER_FACE))
    credit = choice.alone * ramp(off, *tuning.CLOSER_OFF) * ramp(grown, *tuning.CLOSER_GROWN)
    for value in VALUES:
        of_values[value - 1] = credit[choice.faces.value == value].max(initial=0.0)
    return of_values


def _cut_out(image: Image, centre: tuple[float, float], size: float) -> Image:
    """(N, N, 3) with the face in its middle, `tuning.CLOSER_FACE` px wide; the picture's border is repeated."""
    scale = tuning.CLOSER_FACE / size
    side = int(tuning.CLOSER_ACROSS * tuning.CLOSER_FACE)
    reach = tuning.CLOSER_ACROSS * size / 2 + 2
    x0, y0 = max(0, int(centre[0] - reach)), max(0, int(centre[1] - reach))
    part = image[y0 : int(centre[1] + reach) + 2, x0 : int(centre[0] + reach) + 2]
    if part.shape[0] < 2 or part.shape[1] < 2:
        return np.zeros((side, side, 3), np.uint8)
    x, y = centre[0] - x0, centre[1] - y0
    if scale < 0.7:  # shrink by areas first: a warp alone would skip pixels
        tall, wide = part.shape[:2]
        part = shrunk(part, scale)
        across, down = part.shape[1] / wide, part.shape[0] / tall
        x, y, scale = (x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5, 1.0
    middle = side / 2 - 0.5
    matrix = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
    how = cv2.INTER_CUBIC if scale > 1.3 else cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(part, matrix, (side, side), flags=how, borderMode=cv2.BORDER_REPLICATE), np.uint8)
