"""The barrier between the phases of a round."""

import asyncio

from netsim.kernel import waiting
from netsim.network.messages import Sending


class Phases:
    """Makes every role of a round wait for the slowest at the end of each phase.

    Without ``barrier`` nobody waits.  A role that ends leaves the barrier, so that the others
    never wait for it.
    """

    def __init__(self, barrier: bool) -> None:
        self.barrier = barrier
        self._parties = 0
        self._waiting: list[asyncio.Future[None]] = []

    def enter(self) -> None:
        """One more role takes part."""
        self._parties += 1

    def leave(self) -> None:
        """A role has ended."""
        self._parties -= 1
        self._open()

    async def done(self, sending: Sending | None = None) -> None:
        """The calling role has finished its phase, or will have when what it is ``sending`` has
        left; its task is called as its node."""
        if not self.barrier:
            return
        if sending is not None:
            await sending
        task = asyncio.current_task()
        assert task is not None
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        self._open()
        try:
            with waiting(task.get_name(), "the others to finish the phase"):
                await waiter
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            raise

    def _open(self) -> None:
        if self._waiting and len(self._waiting) >= self._parties:
            waiting, self._waiting = self._waiting, []
            for waiter in waiting:
                if not waiter.done():
                    waiter.set_result(None)
