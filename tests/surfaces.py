"""What stands on a drawn surface, as numbers."""

import numpy as np
import pygame
from numpy.typing import NDArray


def colours(surface: pygame.Surface) -> NDArray[np.uint8]:
    """(W, H, 3) uint8, red-green-blue."""
    wide, high = surface.get_size()
    drawn = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return drawn.reshape(high, wide, 3).swapaxes(0, 1)
