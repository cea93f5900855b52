"""What is wrong at the table: any part reports a fault by name and clears it when it is over."""

import logging

from device.config import one_line
from display.view import FAULTS, Fault, FaultName

log = logging.getLogger("tallytray")

DISK_FAULTS: tuple[FaultName, ...] = ("disk-full", "disk-read-only", "disk-failing", "state-missing")

CAMERA_FAULTS: tuple[FaultName, ...] = (
    "camera-missing",
    "camera-frozen",
    "camera-dark",
    "camera-burnt",
    "camera-slow",
    "camera-size",
    "vision-restarting",
)

CALIBRATION_FAULTS: tuple[FaultName, ...] = ("camera-moved", "lamp-changed", "calibration-wrong")


class Faults:
    """The faults that stand now. May be used from any thread."""

    def __init__(self) -> None:
        self._details: dict[FaultName, str] = {}
        self._standing: tuple[Fault, ...] = ()

    @property
    def standing(self) -> tuple[Fault, ...]:
        """Every fault there is now, in the order of `FAULTS`; the same tuple while nothing changes."""
        return self._standing

    def report(self, name: FaultName, detail: str = "") -> None:
        """This is wrong. Said again with the same words it changes nothing."""
        detail = one_line(detail)  # names of files may hold what no screen can show
        if self._details.get(name) != detail:
            self._details[name] = detail
            log.error("%s: %s", name, detail or "reported")
            self._gather()

    def clear(self, *names: FaultName) -> None:
        """These are over, or never were."""
        for name in names:
            if self._details.pop(name, None) is not None:
                log.warning("%s: over", name)
                self._gather()

    def set(self, name: FaultName, detail: str | None) -> None:
        """Reports the fault, or with None clears it."""
        if detail is None:
            self.clear(name)
        else:
            self.report(name, detail)

    def _gather(self) -> None:
        known = dict(self._details)
        self._standing = tuple(Fault(name, known[name]) for name in FAULTS if name in known)


def disk_fault(complaint: str) -> FaultName:
    """Which fault the disk's own words (SQLite's or the system's) tell of."""
    said = complaint.lower()
    if "full" in said or "no space" in said or "quota" in said:
        return "disk-full"
    if "readonly" in said or "read-only" in said:
        return "disk-read-only"
    if any(words in said for words in ("permission denied", "not a directory", "no such file", "taken away")):
        return "state-missing"
    return "disk-failing"
