"""What flows into vision: pictures."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue-green-red, as OpenCV gives it."""


class Packed(Protocol):
    """A picture as the camera sent it, unpacked only as far as somebody looks. `size` is (width, height)."""

    size: tuple[int, int]

    def image(self) -> Image: ...

    def grey(self, side: int) -> NDArray[np.uint8]:
        """The picture in grey (H, W), reduced by a whole factor to no less than `side` px on its long side."""

    def same_as(self, other: object) -> bool:
        """Whether `other` is the very same picture, bit by bit."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture from a camera. `number` counts the frames handed out from 0, `taken_at` is in seconds of the
    camera's own clock (only differences mean anything)."""

    number: int
    taken_at: float
    picture: Image | Packed

    @cached_property
    def image(self) -> Image:
        """The whole picture. Unpacking one may raise `vision.photo.PhotoError`."""
        return self.picture if isinstance(self.picture, np.ndarray) else self.picture.image()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, known without unpacking."""
        if isinstance(self.picture, np.ndarray):
            return self.picture.shape[1], self.picture.shape[0]
        return self.picture.size
