"""Memory that one step frees is kept for the next."""

import ctypes
import sys
from functools import cache
from typing import Final

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT: Final = 1 << 30
_FROM_HEAP: Final = 32 << 20


@cache
def keep_freed_memory() -> None:
    """Ask the C library to hold on to freed memory, 1 GiB of it, for this process.

    glibc gives large blocks back to the system at once, which then clears the same pages again
    for every layer of every step.  Nothing happens where there is no ``mallopt`` (man 3).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _FROM_HEAP)
        mallopt(_TRIM_THRESHOLD, _KEPT)
