"""The coordinates of largest magnitude."""

import numpy as np
import numpy.typing as npt

from netsim.wire.floats import Float32


def largest(x_N: Float32, count: int) -> npt.NDArray[np.bool_]:
    """Bool[N]: the ``count`` coordinates of largest magnitude; of equals the first are larger."""
    marks_N = np.zeros(len(x_N), bool)
    marks_N[np.argsort(-np.abs(x_N), kind="stable")[:count]] = True
    return marks_N
