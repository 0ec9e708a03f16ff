"""A node as the roles of a protocol hold it."""

from collections.abc import Coroutine, Sequence
from typing import Any

from netsim.network.messages import Arrivals, Batch, Message, Sending
from netsim.network.network import Network
from netsim.network.topology import Int64

Nodes = Sequence[int] | Int64


class Node:
    """One end of messages.

    Broadcast and scatter start at once; the ``Sending`` they return can be awaited (all bits
    have left) or left alone.  A message finds its receiver by its kind and round.
    """

    __slots__ = ("_network", "index", "name")

    def __init__(self, network: Network, index: int) -> None:
        self._network = network
        self.index = index
        self.name = network.topology.names[index]

    async def send(self, receiver: int, payload: Any, kind: str, round: int) -> None:
        """Send one payload to one node; raises the `TransferFailed` that stopped it."""
        failed = await self._network.post(self.index, [receiver], payload, kind, round)
        for error in failed.values():
            raise error

    def broadcast(self, receivers: Nodes, payload: Any, kind: str, round: int) -> Sending:
        """Send the same payload to each of ``receivers``, each copy on its own."""
        return self._network.post(self.index, receivers, payload, kind, round)

    def scatter(
        self, receivers: Nodes, payloads: list[Any] | Batch, kind: str, round: int
    ) -> Sending:
        """Send to each of ``receivers`` a payload of its own."""
        return self._network.post(self.index, receivers, payloads, kind, round, each=True)

    async def receive(self, sender: int, kind: str, round: int) -> Message:
        """Wait for one message; raises the `TransferFailed` that kept it away."""
        arrivals = await self.gather([sender], kind, round)
        for error in arrivals.failed.values():
            raise error
        return arrivals[0]

    def gather(self, senders: Nodes, kind: str, round: int) -> Coroutine[Any, Any, Arrivals]:
        """Wait for one message from each of ``senders``; what failed is told, not raised."""
        return self._network.collect(self.index, senders, kind, round)
