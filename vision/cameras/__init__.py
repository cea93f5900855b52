"""Cameras, one file each, chosen by name.

A camera specification is what `--camera` takes: `usb:N`, `csi:N`, `recording:PATH` or `auto`.
"""

from pathlib import Path
from typing import Protocol

from vision.reading import Frame


class CameraError(Exception):
    """The camera cannot be opened or stopped giving pictures. Its text is one line that says which and why."""


class Camera(Protocol):
    """A source of frames. Lives in the vision process only."""

    name: str

    def read(self) -> Frame | None:
        """The next frame, waiting for it; None when a recording has ended. Raises CameraError when it is lost."""

    def go_on(self, clip: int | None = None, *, at_rest: bool = False) -> None:
        """A recording that waits at the end of a clip plays the next one, or `clip` (0-based) when given; with
        `at_rest` it only shows how that clip ends. Live cameras have nothing to wait for: they ignore it."""

    def close(self) -> None: ...


def open_camera(spec: str, *, paced: bool = True) -> Camera:
    """The camera that `spec` names. `paced` False lets a recording run as fast as it is read.

    Raises CameraError for a specification that names none, or when it cannot be opened. A camera's own library is
    imported only when it is the one asked for."""
    kind, _, rest = spec.partition(":")
    if spec == "auto":
        found = sorted(Path("/dev").glob("video*"), key=lambda path: (len(path.name), path.name))
        if not found:
            raise CameraError("auto: no camera found: no /dev/video* is there")
        kind, rest = "usb", found[0].name.removeprefix("video")
    if kind == "recording" and rest:
        from vision.cameras.recording import Recording

        return Recording(Path(rest), paced=paced)
    if kind == "usb" and rest.isdecimal():
        from vision.cameras.usb import Usb

        return Usb(int(rest))
    raise CameraError(f"{spec!r} names no camera: allowed are auto, usb:N and recording:PATH")
