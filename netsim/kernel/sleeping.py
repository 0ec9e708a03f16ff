"""A sleep that costs the loop one step instead of asyncio's three."""

import asyncio
from asyncio import get_running_loop
from collections.abc import Callable, Iterator
from contextvars import Context
from heapq import heappush
from typing import Any, final

from netsim.kernel.loop import HORIZON_S, VirtualLoop


@final
class _Nap:
    """What a sleeping task awaits: a future to the task, a timer to the loop.

    The task leaves its wake-up function here and the loop calls it straight from the heap,
    with a future that is done already, or from ``cancel`` with one that is cancelled.
    """

    __slots__ = ("_args", "_asyncio_future_blocking", "_callback", "_context", "_loop")

    def __init__(self, loop: VirtualLoop) -> None:
        done = loop.create_future()
        done.set_result(None)
        self._args = (done,)
        self._loop = loop
        self._callback: Callable[..., object] | None = None
        self._context: Context

    def __await__(self) -> Iterator[Any]:
        self._asyncio_future_blocking = True
        return iter((self,))

    def add_done_callback(self, callback: Callable[..., object], *, context: Context) -> None:
        self._callback = callback
        self._context = context

    def cancel(self, msg: object = None) -> bool:
        callback = self._callback
        if callback is None:
            return False
        self._callback = None
        cancelled = self._loop.create_future()
        cancelled.cancel(msg)
        self._loop.call_soon(callback, cancelled, context=self._context)
        self._loop.sweep()
        return True


async def sleep(seconds: float) -> None:
    """Sleep for virtual ``seconds``, like ``asyncio.sleep`` but about twice as fast.

    What is due at one instant runs in the order it was scheduled; a task that sleeps here
    wakes as its timer fires, one in ``asyncio.sleep`` one turn of the loop later. A sleep
    that does not move the clock (``seconds`` ≤ 0) gives the other ready tasks one turn. On a
    loop that is not virtual this is ``asyncio.sleep``. ``ValueError`` if ``seconds`` is not
    a number.
    """
    loop = get_running_loop()
    if not isinstance(loop, VirtualLoop):
        await asyncio.sleep(seconds)
        return
    now = loop.env._now
    when = now + seconds
    if now < when < HORIZON_S:
        # A nap that has woken its task is free again: making one costs more than sleeping.
        spare = loop.spare_naps
        nap: Any = spare.pop() if spare else _Nap(loop)
        heappush(loop._scheduled, (when, loop._next_number(), nap))
        await nap
        spare.append(nap)
    elif when <= now:
        await asyncio.sleep(0)
    else:
        loop.put_off(when)
        await loop.create_future()
