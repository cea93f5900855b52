"""A JPEG as a camera sends it. Unpacking it to grey at an eighth costs a tenth of unpacking it whole, and a tray that
lies still needs no more."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.photo import PhotoError, decode_photo, jpeg_size

_REDUCED = (
    (8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
    (4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    (2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
    (1, cv2.IMREAD_GRAYSCALE),
)


class Jpeg:
    """The bytes of one picture; `name` is what errors call it. Raises PhotoError when they hold no whole picture."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self._name = name
        self.size = jpeg_size(data, name)

    def image(self) -> Image:
        return decode_photo(self._data, self._name).image

    def grey(self, side: int) -> NDArray[np.uint8]:
        longest = max(self.size)
        how = next(flag for times, flag in _REDUCED if times == 1 or longest >= side * times)
        found = cv2.imdecode(np.frombuffer(self._data, np.uint8), how)
        if found is None:
            raise PhotoError(f"{self._name} is not a picture that can be read")
        return np.asarray(found, np.uint8)

    def same_as(self, other: object) -> bool:
        return isinstance(other, Jpeg) and self._data == other._data
