"""Names for the arrays that the reader passes around."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
Grey = NDArray[np.uint8]
"""(H, W) uint8."""
