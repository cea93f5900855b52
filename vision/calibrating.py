"""Calibrating a fixed camera with a person who has never done it: empty the tray, throw the dice once, done.

Frames in, what to ask the person out. Pure: keeping the result is somebody else's.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from vision import tuning
from vision.arrays import Floats, median
from vision.calibration import Calibration
from vision.frame import Frame, Image
from vision.lying import Ground, smaller
from vision.read import decide, look
from vision.reading import Die
from vision.settle import Motion, Settle
from vision.tray import Tray, find_marks, find_tray


class Ask(StrEnum):
    """What the person is asked to do now. Each is a word in the language files."""

    EMPTY = "empty-the-tray"
    MARKS_AWAY = "take-the-marks-away"
    THROW = "throw-the-dice"
    NOTHING = "nothing-more"


class Snag(StrEnum):
    """Why it does not go on, or (of the result) what could be better. Each is a word in the language files."""

    MOVING = "something-moves"
    NOT_EMPTY = "dice-in-the-tray"
    NO_DICE = "no-dice-seen"
    UNCLEAR = "dice-not-clear"
    DARK = "too-dark"
    BRIGHT = "too-bright"
    SMALL = "dice-too-small"
    NO_RIM = "no-rim-found"


@dataclass(frozen=True)
class Progress:
    """`ask` and what holds it up, if anything; `share` of the pictures that this step needs, 0–1. `outline` x, y in px
    of the frame once the tray was found, `dice` those measured. `result` and `advice` when all is done."""

    ask: Ask
    snag: Snag | None = None
    share: float = 0.0
    outline: tuple[tuple[float, float], ...] = ()
    dice: tuple[Die, ...] = ()
    result: Calibration | None = None
    advice: tuple[Snag, ...] = ()


class Calibrating:
    """One calibration of `camera`, as in `Camera.name`. `dice` is how many will be thrown, None when nobody knows."""

    def __init__(self, camera: str, dice: int | None = None) -> None:
        self._camera = camera
        self._dice = dice
        self._settle = Settle()
        self._frames: list[Image] = []
        self._marks: Tray | None = None
        self._ground: Ground | None = None
        self._insisted = False
        self._progress = Progress(Ask.EMPTY)

    @property
    def progress(self) -> Progress:
        return self._progress

    def insist(self) -> None:
        """The tray is empty, whatever it looks like: print on its ground may look like dice."""
        self._insisted = True

    def look(self, frame: Frame) -> Progress:
        """What `frame` adds. Raises nothing for pictures (H, W, 3) uint8."""
        if self._progress.result is None:
            self._progress = self._step(frame)
        return self._progress

    def _step(self, frame: Frame) -> Progress:
        now = replace(self._progress, snag=None)
        if self._frames and self._frames[-1].shape != frame.image.shape:
            self._frames.clear()
        if self._settle.look(frame).motion is not Motion.STILL:
            self._frames.clear()
            return replace(now, snag=Snag.MOVING, share=0.0)
        self._frames.append(frame.image)
        if len(self._frames) < tuning.CALIBRATION_FRAMES:
            snag = self._progress.snag if self._progress.snag is not Snag.MOVING else None
            return replace(now, snag=snag, share=len(self._frames) / tuning.CALIBRATION_FRAMES)
        frames, self._frames = self._frames, []
        step = self._thrown if now.ask is Ask.THROW else self._empty
        return step(frames, replace(now, share=0.0))

    def _empty(self, frames: list[Image], now: Progress) -> Progress:
        picture = mean_picture(frames)
        marks = find_marks(picture)
        if marks is not None:
            self._marks = marks
            return replace(now, ask=Ask.MARKS_AWAY, outline=_places(marks))
        if not self._insisted and any(_clear(die) for die in decide(look(picture)).reading.dice):
            return replace(now, snag=Snag.NOT_EMPTY)
        tray = self._marks or find_tray(picture)
        die = tuning.DIE_MM / tray.mm if tray.mm is not None else tuning.SMALL_DIE
        self._ground = Ground(Calibration(self._camera, picture, tray, die, _noise(frames)))
        return replace(now, ask=Ask.THROW, outline=_places(tray))

    def _thrown(self, frames: list[Image], now: Progress) -> Progress:
        assert self._ground is not None
        picture = mean_picture(frames)
        lying = self._ground.lying(picture)
        if lying is not None and not len(lying.boxes):
            return now  # not thrown yet
        dice = tuple(die for die in decide(look(picture), self._dice).reading.dice if _clear(die))
        if not dice:
            return replace(now, snag=Snag.NO_DICE)
        sizes = np.array([die.size for die in dice])
        alike = sizes.max() < tuning.CALIBRATION_ALIKE * sizes.min()
        if not alike or len(dice) < min(self._dice or 1, tuning.CALIBRATION_DICE):
            return replace(now, snag=Snag.UNCLEAR, dice=dice)
        result = replace(self._ground.calibration, die=median(sizes))
        return replace(now, ask=Ask.NOTHING, dice=dice, result=result, advice=advice(result, picture))


def advice(calibration: Calibration, thrown: Image) -> tuple[Snag, ...]:
    """What could be better: the light on `thrown` (H, W, 3), the size of the dice, a rim to be seen."""
    found = [snag for snag in (exposure(thrown, calibration.tray),) if snag is not None]
    if calibration.die < tuning.SMALL_DIE:
        found.append(Snag.SMALL)
    if calibration.tray.shape == "picture":
        found.append(Snag.NO_RIM)
    return tuple(found)


def exposure(image: Image, tray: Tray) -> Snag | None:
    """Whether the tray is too dark or too bright to show pips."""
    small, step = smaller(image)
    mask = np.zeros(small.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(np.clip(tray.outline / step, -1e4, 1e4)).astype(np.int32)], (255,))
    inside = small[mask > 0].max(axis=1)
    if not len(inside):
        return None
    if (inside >= tuning.BURNT_LEVEL).mean() > tuning.BURNT_SHARE:
        return Snag.BRIGHT
    # White pips and bodies of white dice are far brighter than the ground.
    return Snag.DARK if np.percentile(inside, 99) < tuning.DARK_TRAY else None


def mean_picture(frames: list[Image]) -> Image:
    """The mean of pictures of one size."""
    total = np.zeros(frames[0].shape, np.float32)
    for frame in frames:
        cv2.accumulate(frame, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(frames)), np.uint8)


def _noise(frames: list[Image]) -> float:
    """Levels, r.m.s.: how far the pictures, made small, are from their mean."""
    small = np.array([smaller(frame)[0] for frame in frames], np.float32)
    return float(small.std(axis=0).mean())


def _clear(die: Die) -> bool:
    return die.value is not None and die.trouble is None and die.confidence > tuning.CALIBRATION_CLEAR


def _places(tray: Tray) -> tuple[tuple[float, float], ...]:
    outline: Floats = tray.outline
    return tuple((float(x), float(y)) for x, y in outline)
