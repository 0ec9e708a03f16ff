"""What a node gets, and what becomes of what it sends."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, overload

from netsim.kernel import waiting
from netsim.network.failures import TransferFailed
from netsim.network.topology import Int64


class Message(NamedTuple):
    """A payload that arrived, and the node it came from."""

    sender: int
    payload: Any


class Batch(ABC):
    """Many payloads whose sizes are known without making them.  Shape: M messages."""

    __slots__ = ()

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
Waiter = asyncio.Future[None]
Waiters = tuple[Waiter, ...]


class Arrivals(Sequence[Message]):
    """What a gather brought: the messages that arrived, ordered by sender.

    ``senders`` are the nodes whose message arrived, ascending; ``sendings`` and ``places`` say
    which message of which sending it is.  ``failed`` says, by sender, why a message will never
    come; ``where`` is the receiver, the code of the kind, and the round.
    """

    __slots__ = ("_deliver", "_places", "_sendings", "_where", "failed", "senders")

    def __init__(
        self,
        where: tuple[int, int, int],
        senders: list[int],
        sendings: "list[Sending]",
        places: list[int],
        failed: dict[int, TransferFailed],
        deliver: Deliver | None = None,
    ) -> None:
        self._where = where
        self.senders = senders
        self._sendings: list[Sending | None] = [*sendings]
        self._places = places
        self._deliver = deliver
        self.failed = failed

    def __len__(self) -> int:
        return len(self.senders)

    def __iter__(self) -> Iterator[Message]:
        return (self[at] for at in range(len(self.senders)))

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> list[Message]: ...
    def __getitem__(self, index: int | slice) -> Message | list[Message]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        sender, place, sending = self.senders[index], self._places[index], self._sendings[index]
        assert sending is not None, "a message that was let go"
        payload = sending.payload(place)
        if self._deliver is not None:
            receiver, kind, round = self._where
            payload = self._deliver(payload, Place(kind, round, sender, receiver, place))
        return Message(sender, payload)

    def let_go(self, index: int) -> None:
        """The message is not needed any more; its values are freed if nobody else has it."""
        self._sendings[index] = None


class Sending:
    """Messages under way from one node: started already, to be awaited or not.

    ``each`` says that ``payloads`` has one for each message, not one for all.

    ``await sending`` returns when the last bit of all of them has left (or they failed);
    ``await sending.settled()`` when all have arrived or failed.  Both return, by receiver,
    what failed.  ``why`` says of a sending's ``number`` what it waits for.
    """

    __slots__ = (
        "_each",
        "_left",
        "_payloads",
        "_settled",
        "_unsent",
        "_unsettled",
        "_why",
        "failed",
        "node",
        "number",
        "untaken",
    )

    def __init__(
        self,
        node: str,
        number: int,
        payloads: Any,
        each: bool,
        count: int,
        why: Callable[[int], str],
    ) -> None:
        self.node = node
        self.number = number
        self._payloads = payloads
        self._each = each
        self.failed: dict[int, TransferFailed] = {}
        self._why = why
        self._unsent = self._unsettled = self.untaken = count
        self._left: Waiters = ()
        self._settled: Waiters = ()

    def payload(self, index: int) -> Any:
        """The payload of the message at this place."""
        return self._payloads[index] if self._each else self._payloads

    def sent(self, count: int) -> None:
        """The last bits of ``count`` messages have left, or never will."""
        self._unsent -= count
        if self._unsent == 0:
            waiters, self._left = self._left, ()
            _wake(waiters)

    def settle(self, count: int) -> None:
        """``count`` messages have arrived or failed."""
        self._unsettled -= count
        if self._unsettled == 0:
            waiters, self._settled = self._settled, ()
            _wake(waiters)

    def __await__(self) -> Generator[Any, None, dict[int, TransferFailed]]:
        if self._unsent > 0:
            waiter = _waiter()
            self._left += (waiter,)
            with waiting(self.node, partial(self._why, self.number)):
                yield from waiter
        return self.failed

    async def settled(self) -> dict[int, TransferFailed]:
        """Wait until every message has arrived or failed."""
        if self._unsettled > 0:
            waiter = _waiter()
            self._settled += (waiter,)
            with waiting(self.node, partial(self._why, self.number)):
                await waiter
        return self.failed


def _waiter() -> Waiter:
    """A future of its own for each who waits, so that one may give up without the others."""
    return asyncio.Future()


def _wake(waiters: Waiters) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
