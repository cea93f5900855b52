"""What the vision process knows of its camera's empty tray: read when the camera opens, kept up, made anew."""

import contextlib
import logging
import time
from collections.abc import Iterator
from pathlib import Path

from device.vision_words import Calibrate, Calibrates, Checked
from vision.calibrating import Calibrating
from vision.calibration import Calibration, CalibrationError, calibration_file, load, save
from vision.frame import Frame
from vision.lying import Ground
from vision.recheck import Verdict
from vision.watch import Watch

log = logging.getLogger("tallytray")

KEEP_SECONDS = 3600.0
"""Between writes of an empty picture taken anew: the light drifts all day, and memory cards wear."""


class Calibrations:
    """Those kept in `folder`, of which the one of the open camera is used; without a folder nothing is read or kept.
    One of a tray without a rim is used while the process lives, and never kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._camera = ""
        self._kept: Calibration | None = None
        self._kept_at = 0.0
        self._told = Checked(None)
        self._calibrating: Calibrating | None = None
        self._said: Calibrates | None = None

    @property
    def running(self) -> bool:
        """A calibration is going on: the frames belong to it."""
        return self._calibrating is not None

    def opened(self, camera: str, watch: Watch) -> Iterator[Checked]:
        """A camera opened, called so as in `Camera.name`: `watch` is told what is known of it. What there is to say."""
        if camera == self._camera:
            return
        self._camera = camera
        path = self._path()
        if path is None:
            return
        with contextlib.suppress(OSError):  # of a folder that may not be entered, `load` tells
            if not path.exists():
                return
        try:
            self._keep(load(path), watch)
        except CalibrationError as error:
            yield from self._news(Checked("calibration-wrong", str(error)))
            return
        if self._kept is not None and self._kept.tray.shape == "picture":
            self._write()  # an older program kept such pictures

    def order(self, order: Calibrate, dice: int | None) -> None:
        """Begin with `dice` to be thrown, go on, or stop."""
        if not order.on:
            self._calibrating = None
        elif self._calibrating is None:
            self._calibrating, self._said = Calibrating(self._camera, dice), None
        if self._calibrating is not None and order.insist:
            self._calibrating.insist()

    def look(self, frame: Frame, scale: float, watch: Watch) -> Iterator[Calibrates | Checked]:
        """One more frame for the calibration that is going on; `watch` is told its result. What there is to say."""
        assert self._calibrating is not None
        progress = self._calibrating.look(frame)
        if progress.result is not None:
            self._calibrating = None
            self._keep(progress.result, watch)
            self._write()
            yield from self._news(Checked(None))
        said = Calibrates(
            progress.ask,
            progress.snag,
            progress.share,
            tuple((x * scale, y * scale) for x, y in progress.outline),
            progress.result.die if progress.result is not None else None,
            progress.advice,
        )
        if said != self._said:
            self._said = said
            yield said

    def check(self, watch: Watch) -> Iterator[Checked]:
        """After `watch` looked at a frame: what there is to say about the calibration."""
        checked = watch.checked
        if checked is None or self._kept is None:
            return
        match checked.verdict:
            case Verdict.MOVED:
                yield from self._news(Checked("camera-moved", f"{checked.shift:.0f} px"))
            case Verdict.LAMP:
                yield from self._news(Checked("lamp-changed", f"{checked.light:.2f} ×"))
            case Verdict.TRUE | Verdict.LIGHT:
                yield from self._news(Checked(None))
            case Verdict.OTHER:
                pass
        if watch.known is not None and watch.known.calibration is not self._kept:
            self._kept = watch.known.calibration
            if time.monotonic() - self._kept_at > KEEP_SECONDS:
                self._write()

    def _keep(self, calibration: Calibration, watch: Watch) -> None:
        self._kept, self._kept_at = calibration, time.monotonic()
        watch.know(Ground(calibration))

    def _write(self) -> None:
        self._kept_at = time.monotonic()
        path = self._path()
        if path is not None and self._kept is not None:
            try:
                if not save(self._kept, path):
                    log.info("%s: no rim was found, so the whole picture is the tray, and is not kept", self._camera)
            except OSError as error:
                log.warning("%s: the calibration cannot be kept: %s", path, error.strerror)

    def _path(self) -> Path | None:
        return calibration_file(self._folder, self._camera) if self._folder is not None else None

    def _news(self, checked: Checked) -> Iterator[Checked]:
        if checked.fault != self._told.fault:
            self._told = checked
            yield checked
