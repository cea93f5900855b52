"""Where something lies in a calibrated tray: what differs from its empty picture, whatever the light does.

Whenever in doubt the answer is None: look at the whole picture. A die is never missed by looking too closely.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tuning
from vision.arrays import Floats, Grey, Indices, median
from vision.calibration import Calibration
from vision.frame import Image
from vision.spots import Search
from vision.working import resized, working_picture, working_scale


@dataclass(frozen=True, eq=False)
class Lying:
    """`boxes` (B, 4) x0, y0, x1, y1 in px of the picture, outside which nothing lies; none in an empty tray. `near`
    (h, w) says it more closely, of the picture made small: 255 where something lies and right beside, else 0. `side` of
    a die's top face in px; `ground` the empty tray."""

    boxes: Indices
    near: Grey
    side: float
    ground: "Ground"

    def working_picture(self, image: Image) -> tuple[Image, float, Search]:
        """The picture at the size the reader works at, that size over the original's, and where to look in it. Outside
        the boxes it shows the empty tray; places in it are right to a pixel."""
        scale = working_scale(image)
        work = self.ground.work.copy()
        height, width = work.shape[:2]
        places = np.concatenate([np.floor(self.boxes[:, :2] * scale), np.ceil(self.boxes[:, 2:] * scale)], axis=1)
        places = np.clip(places, 0, [width, height, width, height]).astype(np.intp)
        high, wide = image.shape[:2]
        for x0, y0, x1, y1 in places.tolist():
            left, top = round(x0 / scale), round(y0 / scale)
            part = image[top : min(high, round(y1 / scale)), left : min(wide, round(x1 / scale))]
            work[y0:y1, x0:x1] = resized(part, (x1 - x0, y1 - y0))
        near = cv2.resize(self.near, (width, height), interpolation=cv2.INTER_NEAREST)
        return work, scale, Search(np.asarray(near, np.uint8), self.side * scale)


class Ground:
    """The empty tray of a calibration, made ready to be compared with one picture after another."""

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._shape = calibration.empty.shape
        self._small, self._step = smaller(calibration.empty)
        self._die = calibration.die / self._step
        self._tray = self._mask()
        rows, columns = np.nonzero(self._tray[::4, ::4])
        bright = (self._small[::4, ::4][rows, columns] > tuning.LIGHT_LEVELS).all(axis=1)
        self._sample = rows[bright], columns[bright]
        self.work, _ = working_picture(calibration.empty)
        """The empty tray at the size the reader works at."""
        self._levels = tuning.LYING_LEVELS + tuning.LYING_NOISE * calibration.noise

    def lying(self, image: Image) -> Lying | None:
        """Where something lies in `image` (H, W, 3); None in doubt."""
        if image.shape != self._shape:
            return None
        small, _ = smaller(image)
        light = self.light(small)
        if light is None:
            return None
        differs = self.differs(small, light)
        boxes = self._boxes(differs)
        if boxes is None:
            return None
        reach = 2 * round(tuning.LYING_MARGIN * self._die) + 1
        near = np.asarray(cv2.dilate(differs, np.ones((reach, reach), np.uint8)), np.uint8)
        return Lying(boxes, near, self.calibration.die, self)

    def light(self, small: Image) -> Floats | None:
        """(3,): how many times as bright each channel is as in the empty picture; None when that is not to be told or
        too far off to be the same lamp."""
        if len(self._sample[0]) < tuning.LIGHT_FEWEST:
            return None
        now = small[::4, ::4][self._sample].astype(np.float32)
        then = self._small[::4, ::4][self._sample].astype(np.float32)
        light = np.array([median(channel) for channel in (now / then).T])
        low, high = tuning.LIGHT_RANGE
        return light if (light > low).all() and (light < high).all() else None

    def differs(self, small: Image, light: Floats) -> Grey:
        """(h, w), 255 where `small` differs from the empty tray under that `light`: sharply a little, or very much. The
        soft shadow of a person does neither."""
        everywhere = np.asarray(cv2.LUT(self._small, self._levels_now(small, light)[None]), np.uint8)
        here = cv2.multiply(everywhere, self._soft_light(small, everywhere), dtype=cv2.CV_8U)
        much, sharp = _strongest(cv2.absdiff(small, everywhere)), _strongest(cv2.absdiff(small, here))
        plain = cv2.threshold(cv2.min(sharp, much), self._levels, 255, cv2.THRESH_BINARY)[1]
        strong = cv2.threshold(much, tuning.LYING_MUCH, 255, cv2.THRESH_BINARY)[1]
        return np.asarray(cv2.bitwise_and(cv2.bitwise_or(plain, strong), self._tray), np.uint8)

    def _levels_now(self, small: Image, light: Floats) -> NDArray[np.uint8]:
        """(256, 3): each level of the empty tray as it is under that `light`. Cameras expose anew for every picture and
        bend its levels: the bright ones by another factor than the middle ones, which `light` tells."""
        levels = np.arange(256)
        now, then = small[::4, ::4][self._sample], self._small[::4, ::4][self._sample]
        table = np.empty((256, 3))
        for channel, gain in enumerate(light):
            ratio = now[:, channel] / then[:, channel]
            band = then[:, channel] // tuning.LIGHT_BAND
            known = np.flatnonzero(np.bincount(band) >= tuning.LIGHT_FEWEST).tolist()
            if not known:
                table[:, channel] = gain
                continue
            bent = np.clip([median(ratio[band == one]) for one in known], *(np.array(tuning.LIGHT_BENT) * gain))
            table[:, channel] = np.interp(levels, (np.array(known) + 0.5) * tuning.LIGHT_BAND, bent)
        return np.clip(np.rint(levels[:, None] * table), 0, 255).astype(np.uint8)

    def _soft_light(self, small: Image, everywhere: Image) -> NDArray[np.float32]:
        """(h, w, 3): how many times as bright as `everywhere` each place is, changing more slowly than over a few dice.
        What differs by more than a shadow does lies there, and says nothing."""
        height, width = small.shape[:2]
        size = (max(1, width // 4), max(1, height // 4))
        now, then = (
            cv2.resize(one, size, interpolation=cv2.INTER_AREA).astype(np.float32) for one in (small, everywhere)
        )
        ratio = (now + tuning.LIGHT_LEVELS) / (then + tuning.LIGHT_LEVELS)
        low, high = tuning.LYING_SHADE
        ground = np.asarray(((ratio > low) & (ratio < high)).all(axis=2), np.float32)
        wide = int(tuning.LYING_WIDE * self._die / 4) | 1
        share = np.asarray(cv2.blur(ground, (wide, wide)), np.float32)[..., None]
        soft = np.asarray(cv2.blur(ratio * ground[..., None], (wide, wide)), np.float32)
        soft = (soft + tuning.LIGHT_UNKNOWN) / (share + tuning.LIGHT_UNKNOWN)
        return np.asarray(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

    def _mask(self) -> Grey:
        """(h, w), 255 in the tray and half a die around: near the rim dice seem to lean over it."""
        mask = np.zeros(self._small.shape[:2], np.uint8)
        outline = np.clip((self.calibration.tray.outline + 0.5) / self._step - 0.5, -1e4, 1e4)
        cv2.fillPoly(mask, [np.rint(outline).astype(np.int32)], (255,))
        reach = 2 * max(1, round(tuning.LYING_MARGIN * self._die)) + 1
        return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))), np.uint8)

    def _boxes(self, differs: Grey) -> Indices | None:
        """(B, 4) px of the picture; None when so much differs that looking at it all is simpler."""
        reach = 2 * max(1, round(tuning.LYING_JOIN * self._die)) + 1
        joined = cv2.dilate(differs, np.ones((reach, reach), np.uint8))
        count, label, stats, _ = cv2.connectedComponentsWithStats(joined)
        inside = np.bincount(label[differs > 0], minlength=count)
        kept = np.nonzero(inside >= max(tuning.LYING_FEWEST, tuning.LYING_SPECK * self._die**2))[0]
        left, top, wide, high = stats[kept, :4].astype(np.intp).T
        margin = round(tuning.LYING_MARGIN * self._die)
        height, width = differs.shape
        boxes = np.stack([left - margin, top - margin, left + wide + margin, top + high + margin], axis=1)
        boxes = np.clip(boxes, 0, [width, height, width, height])
        area = ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])).sum()
        if len(boxes) > tuning.LYING_MOST or area > tuning.LYING_AREA * height * width:
            return None
        whole = np.asarray(boxes * self._step, np.intp)
        # The last rows and columns that did not fill a small pixel belong to the last one.
        whole[:, 2][boxes[:, 2] == width] = self._shape[1]
        whole[:, 3][boxes[:, 3] == height] = self._shape[0]
        return whole


def _strongest(differences: cv2.typing.MatLike) -> Grey:
    blue, green, red = cv2.split(differences)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def smaller(image: Image) -> tuple[Image, int]:
    """`image` halved until it is about `tuning.LYING_SIDE` px long, and how many px of it each px stands for."""
    step = 1
    while max(image.shape[:2]) >= 1.5 * tuning.LYING_SIDE and min(image.shape[:2]) >= 2:
        size = (image.shape[1] // 2, image.shape[0] // 2)
        image = image[: 2 * size[1], : 2 * size[0]]
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        step *= 2
    return image, step
