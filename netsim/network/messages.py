"""What a node gets, and what becomes of what it sends."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from netsim.kernel import waiting
from netsim.network.failures import TransferFailed
from netsim.network.topology import Int64


@dataclass(frozen=True, slots=True)
class Message:
    """A payload that arrived, and the node it came from."""

    sender: int
    payload: Any


class Batch(ABC):
    """Many payloads whose sizes are known without making them.  Shape: M messages."""

    payload_bits_M: Int64
    wire_bits_M: Int64

    def __len__(self) -> int:
        return len(self.payload_bits_M)

    @abstractmethod
    def __getitem__(self, index: int) -> Any:
        """The payload at this place, made when it is looked at."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a message is called on its way; ``index`` is its place in its sending."""

    kind: int
    round: int
    sender: int
    receiver: int
    index: int


Deliver = Callable[[Any, Place], Any]


class Arrivals(Sequence[Message]):
    """What a gather brought: the messages that arrived, ordered by sender.

    ``failed`` says, by sender, why a message will never come; ``where`` is the receiver, the
    code of the kind, and the round; ``parts`` are sender, sending and place in the sending.
    ``senders`` are the nodes whose message arrived, ascending.
    """

    def __init__(
        self,
        where: tuple[int, int, int],
        parts: Sequence[tuple[int, "Sending", int]],
        failed: dict[int, TransferFailed],
        deliver: Deliver | None = None,
    ) -> None:
        self._where = where
        self._parts: list[tuple[Sending, int] | None] = [part[1:] for part in parts]
        self._deliver = deliver
        self.failed = failed
        self.senders = [sender for sender, _, _ in parts]

    def __len__(self) -> int:
        return len(self.senders)

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> list[Message]: ...
    def __getitem__(self, index: int | slice) -> Message | list[Message]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        sender, part = self.senders[index], self._parts[index]
        assert part is not None, "a message that was let go"
        sending, place = part
        payload = sending.payload(place)
        if self._deliver is not None:
            receiver, kind, round = self._where
            payload = self._deliver(payload, Place(kind, round, sender, receiver, place))
        return Message(sender, payload)

    def let_go(self, index: int) -> None:
        """The message is not needed any more; its values are freed if nobody else has it."""
        self._parts[index] = None


class Sending:
    """Messages under way from one node: started already, to be awaited or not.

    ``payloads`` are ``many``, one for each message, or one for all.

    ``await sending`` returns when the last bit of all of them has left (or they failed);
    ``await sending.settled()`` when all have arrived or failed.  Both return, by receiver,
    what failed.
    """

    __slots__ = (
        "_left",
        "_many",
        "_payloads",
        "_settled",
        "_unsent",
        "_unsettled",
        "_why",
        "failed",
        "node",
        "untaken",
    )

    def __init__(
        self, node: str, payloads: Any, many: bool, count: int, why: Callable[[], str]
    ) -> None:
        self.node = node
        self._payloads = payloads
        self._many = many
        self.failed: dict[int, TransferFailed] = {}
        self._why = why
        self._unsent = self._unsettled = self.untaken = count
        self._left: list[asyncio.Future[None]] = []
        self._settled: list[asyncio.Future[None]] = []

    def payload(self, index: int) -> Any:
        """The payload of the message at this place."""
        return self._payloads[index] if self._many else self._payloads

    def sent(self, count: int) -> None:
        """The last bits of ``count`` messages have left, or never will."""
        self._unsent -= count
        if self._unsent == 0:
            _wake(self._left)

    def settle(self, count: int) -> None:
        """``count`` messages have arrived or failed."""
        self._unsettled -= count
        if self._unsettled == 0:
            _wake(self._settled)

    def __await__(self) -> Generator[Any, None, dict[int, TransferFailed]]:
        if self._unsent > 0:
            with waiting(self.node, self._why):
                yield from _waiter(self._left)
        return self.failed

    async def settled(self) -> dict[int, TransferFailed]:
        """Wait until every message has arrived or failed."""
        if self._unsettled > 0:
            with waiting(self.node, self._why):
                await _waiter(self._settled)
        return self.failed


def _waiter(waiters: "list[asyncio.Future[None]]") -> "asyncio.Future[None]":
    """A future of its own for each who waits, so that one may give up without the others."""
    waiters.append(asyncio.get_running_loop().create_future())
    return waiters[-1]


def _wake(waiters: "list[asyncio.Future[None]]") -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
    waiters.clear()
