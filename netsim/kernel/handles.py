"""What the virtual loop queues: callbacks that are ready and timers not yet due.

The loop fills them in itself: one is made for every callback, and a Python ``__init__``
would cost a tenth of the loop's speed. ``_callback`` is None once the callback was run or
cancelled, ``_args`` is None once it was cancelled.
"""

import asyncio
from collections.abc import Callable
from contextvars import Context
from typing import TYPE_CHECKING, Any, Protocol, final

if TYPE_CHECKING:
    from netsim.kernel.loop import VirtualLoop


class Queued(Protocol):
    """What the loop can run: ``_context.run(_callback, *_args)``."""

    _callback: Callable[..., object] | None
    _args: Any
    _context: Context


@final
class ReadyHandle(asyncio.Handle):
    """A callback in the loop's queue of what is ready."""

    __slots__ = ()
    if TYPE_CHECKING:
        _callback: Callable[..., object] | None
        _args: Any
        _context: Context

    def cancel(self) -> None:
        """Never run the callback."""
        self._callback = self._args = None

    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._args is None

    def __repr__(self) -> str:
        return f"<ReadyHandle {self._callback!r}>"


@final
class Timer(asyncio.TimerHandle):
    """A callback due at a virtual time."""

    __slots__ = ()
    if TYPE_CHECKING:
        _callback: Callable[..., object] | None
        _args: Any
        _context: Context
        _loop: VirtualLoop
        _when: float

    def cancel(self) -> None:
        """Never run the callback; the loop forgets the timer."""
        if self._callback is not None:
            self._callback = None
            self._loop.sweep()
        self._args = None

    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._args is None

    def __repr__(self) -> str:
        return f"<Timer at {self._when} {self._callback!r}>"
