"""Cameras, one file each, chosen by name.

A camera specification is what `--camera` takes: `auto`, `usb:N`, `usb:NAME`, `csi:N`, `recording:PATH` or
`virtual:PATH`.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:  # the table wants to know what can be wrong, and does without numpy
    from vision.frame import Frame

Fault = Literal[
    "camera-missing",
    "camera-frozen",
    "camera-dark",
    "camera-burnt",
    "camera-slow",
    "camera-size",
]
"""What can be wrong with a camera: it gives no picture at all, or one that cannot be used."""

ALLOWED = "auto, usb:N, usb:NAME, csi:N, recording:PATH and virtual:PATH"


class CameraError(Exception):
    """The camera cannot be opened or stopped giving pictures that can be used. Its text is one line that says which
    and why; `fault` names it. `spent`: only a new process can open the camera again."""

    def __init__(self, text: str, fault: Fault = "camera-missing", *, spent: bool = False) -> None:
        super().__init__(text)
        self.fault: Fault = fault
        self.spent = spent


class Camera(Protocol):
    """A source of frames. Lives in the vision process only."""

    name: str
    live: bool
    """Each frame shows this moment: two are never the same, and looking more seldom loses nothing that lies still.
    False for a recording, whose frames come one after the other however seldom they are read."""
    lives_once: bool
    """Cannot be opened again in the same process once it failed."""
    size: tuple[int, int] | None
    """Width and height in pixels that every frame should have; None where any will do."""

    def read(self) -> "Frame | None":
        """The next frame, waiting for it; from a live camera one that was taken after the call. None when a recording
        has ended. Raises CameraError when the camera is lost."""

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """A recording that waits at the end of a clip plays the next one, or `clip` (0-based) when given; with
        `at_rest` it only shows how that clip ends. Live cameras have nothing to wait for: they ignore it."""

    def lock(self) -> None:
        """Let exposure and white balance settle on what is seen now, then hold them. Takes up to a few seconds.
        Recordings have nothing to settle: they ignore it."""

    def close(self) -> None: ...


def open_camera(spec: str, *, paced: bool = True) -> Camera:
    """The camera that `spec` names, opened and with its light locked. `paced` False lets a recording run as fast as
    it is read.

    Raises CameraError for a specification that names none, or when it cannot be opened. A camera's own library is
    imported only when it is the one asked for."""
    if spec == "auto":
        return _first()
    kind, _, rest = spec.partition(":")
    if kind == "recording" and rest:
        from vision.cameras.recording import Recording

        return Recording(Path(rest), paced=paced)
    if kind == "virtual" and rest:
        from vision.cameras.virtual import Virtual

        return Virtual(Path(rest), paced=paced)
    if kind == "usb" and rest:
        from vision.cameras.usb import Usb

        return Usb(rest)
    if kind == "csi" and re.fullmatch("[0-9]{1,2}", rest):
        from vision.cameras.csi import Csi

        return Csi(int(rest))
    raise CameraError(f"{spec[:60]!r} names no camera: allowed are {ALLOWED}")


def _first() -> Camera:
    """The first camera found that opens."""
    from vision.cameras import finding

    errors: list[CameraError] = []
    for spec in finding.candidates():
        try:
            return open_camera(spec)
        except CameraError as error:
            errors.append(error)
    complaints = "; ".join(map(str, errors)) or "no camera found: no USB camera and no camera connector"
    raise CameraError(f"auto: {complaints}", spent=any(error.spent for error in errors))
