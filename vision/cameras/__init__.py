"""Cameras, one file each, chosen by name.

A camera specification is what `--camera` takes: `usb:N`, `csi:N`, `recording:PATH` or `auto`.
"""

from typing import Protocol

from vision.reading import Frame


class CameraError(Exception):
    """The camera cannot be opened or stopped giving pictures. Its text is one line that says which and why."""


class Camera(Protocol):
    """A source of frames. Lives in the vision process only."""

    name: str

    def read(self) -> Frame | None:
        """The next frame, waiting for it; None when a recording has ended. Raises CameraError when it is lost."""

    def go_on(self, clip: int | None = None) -> None:
        """A recording that waits at the end of a clip plays the next one, or `clip` (0-based) when given.
        Live cameras have nothing to wait for: they ignore it."""

    def close(self) -> None: ...
