"""The arrays that the compiled kernel of max-min sharing works on.

Array legends: S slots (a power of two), R links of the longest route, L links, P places in the
pool of link lists.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

from netsim.network.sharing.base import Float64, Int64

Int32 = npt.NDArray[np.int32]
Records = npt.NDArray[Any]
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function, **options: Any) -> Function:
    """Compile with numba; the machine code is kept on disk for the next run, if there is a place:
    beside this file, in the user's cache, or in ``NUMBA_CACHE_DIR``."""
    try:
        done = njit(cache=True, error_model="numpy", **options)(function)
    except RuntimeError:
        done = njit(error_model="numpy", **options)(function)
    return cast(Function, done)


def inlined(function: Function) -> Function:
    """Like ``compiled``, for small functions called once a flow or a link.

    A call that numba does not inline counts the references of all arrays of a ``State``,
    which takes ten times as long as such a function.
    """
    return compiled(function, inline="always")


FLOW = np.dtype(
    [
        ("left_bits", np.float64),  # when last settled
        ("settled_s", np.float64),
        ("rate_bps", np.float64),  # since then
        ("mark", np.int64),  # epoch: in the sub-problem; -epoch: and its rate is found
    ]
)
HOP = np.dtype([("link", np.int32), ("place", np.int32)])  # link -1: the route is over
LINK = np.dtype(
    [
        ("capacity_bps", np.float64),
        ("level_bps", np.float64),  # level at which it holds its flows back, inf: it does not
        ("demand_bps", np.float64),  # what its flows could take at most, whole bit/s
        ("residual_bps", np.float64),  # while filling: not yet given away
        ("lost_bps", np.float64),  # while filling: rounding of the residual so far
        ("open", np.int64),  # while filling: flows without a rate
        ("mark", np.int64),  # epoch: already in the list of touched links
        ("squeezed", np.int64),  # epoch: got a new flow or less capacity at this instant
        ("begin", np.int64),  # its list of flows: pool[begin:begin + length]
        ("length", np.int64),
        ("room", np.int64),
        ("wanted", np.int64),  # while reserving: flows that are about to start
        ("first", np.int64),  # its flows in the sub-problem: scratch[first:last]
        ("last", np.int64),
        ("weight", np.float64),  # while filling, with weights: of the flows without a rate
        ("weight_lost", np.float64),  # while filling: rounding of the weight so far
    ]
)

EPOCH, TOUCHED, FREE, HIGH, POOL_END, LINKS = range(6)
"""Places in ``State.counts``: number of the current instant, links in ``State.touched_L``,
slots in ``State.free_S``, slots ever used, used part of the pool, links there are."""


class State(NamedTuple):
    """All that the kernel knows; every array may be longer than what is in use.

    A flow's rate is its level times its weight.
    """

    counts: Int64
    flows_S: Records
    size_bits_S: Int64
    peak_bps_S: Float64  # rate that no flow can exceed: the least capacity on its route
    hops_SR: Records
    finish_2S: Float64  # tournament tree: slot s at S + s, the earliest finish at 1
    free_S: Int32
    list_S: Int32  # scratch: slots that ended, or whose finish moved
    links_L: Records
    touched_L: Int32
    heap_key_L: Float64
    heap_link_L: Int32
    pool_slot_P: Int32  # flows of each link, and beside it their levels
    pool_level_P: Float64
    scratch_P: Int32
    weight_S: Float64  # empty while all weights are 1
