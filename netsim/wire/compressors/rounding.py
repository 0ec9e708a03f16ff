"""Rounding to whole numbers at random, without bias."""

import numpy as np

from netsim.wire.hashed import Float64, Int64, uniforms


def randomly_rounded(x_N: Float64, seed: int) -> Int64:
    """⌊x⌋, or one more with the probability of what is left, each on its own."""
    low_N = np.floor(x_N)
    up_N = uniforms(seed, 0, np.arange(len(x_N))) < x_N - low_N
    return low_N.astype(np.int64) + up_N
