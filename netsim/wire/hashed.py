"""Uniform numbers that both ends draw from a seed they share, at any place on their own.

The number at (seed, lane, place) is SplitMix64's finaliser of a counter (Steele et al. 2014),
so the owner of a few coordinates draws for these alone.
"""

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
_Words = npt.NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LANE = np.uint64(0xD1B54A32D192ED03)


def uniforms(seed: int, lanes: int | Int64, places: Int64) -> Float64:
    """A number in (0, 1) for each of ``places``, in a lane or each in a lane of its own."""
    lane_words = np.atleast_1d(np.asarray(lanes, np.int64)).astype(np.uint64)
    with np.errstate(over="ignore"):
        starts = _mixed(np.uint64(seed) + (lane_words + np.uint64(1)) * _LANE)
        words = _mixed(starts + (places.astype(np.uint64) + np.uint64(1)) * _GOLDEN)
    numbers: Float64 = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return numbers


def _mixed(words: _Words) -> _Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
