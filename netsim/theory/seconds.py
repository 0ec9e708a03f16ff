"""Bits divided by rates, with nothing and never as the limits."""

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]


def seconds(size_bits: npt.ArrayLike, rate_bps: npt.ArrayLike) -> Float64:
    """The time each size takes at each rate (broadcast).

    Nothing takes no time even at rate 0; anything else at rate 0 takes for ever (``inf``).
    Raises ``ValueError`` if a size or rate is negative or NaN.

    >>> seconds([0, 0, 10, 10], [0, 5, 0, 5]).tolist()
    [0.0, 0.0, inf, 2.0]
    """
    size, rate = np.broadcast_arrays(_checked(size_bits, "size"), _checked(rate_bps, "rate"))
    time_s = np.where(size > 0, np.inf, 0.0)
    np.divide(size, rate, out=time_s, where=(size > 0) & (rate > 0))
    return time_s


def longest_s(size_bits: npt.ArrayLike, rate_bps: npt.ArrayLike) -> float:
    """The longest of ``seconds``; 0 if there is none.

    >>> longest_s([8, 8, 0], [4, 2, 0])
    4.0
    """
    return float(seconds(size_bits, rate_bps).max(initial=0.0))


def _checked(values: npt.ArrayLike, what: str) -> Float64:
    checked = np.asarray(values, np.float64)
    if not (checked >= 0).all():
        raise ValueError(f"a {what} is negative or NaN")
    return checked
