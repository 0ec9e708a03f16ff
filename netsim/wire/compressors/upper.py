"""Scales as they are sent."""

import numpy as np


def upper_float32(x: float) -> float:
    """The least float32 that is not below ``x``."""
    rounded = np.float32(x)
    return float(rounded if float(rounded) >= x else np.nextafter(rounded, np.float32(np.inf)))
