"""Who plays which role in a round when nodes and aggregators fail."""

import asyncio
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.network.faults.config import Failures, NodesPerRound
from netsim.network.faults.draws import Churn, aggregators_off
from netsim.network.network import Network
from netsim.protocols.base import Role


class Presence:
    """Draws who is away, tells the network, and ends the roles of nodes that go.

    ``owner_N`` is the client each node belongs to, −1 for none: what a client brought along
    (virtual nodes) goes with it.  A client that goes in the midst of a round misses the rest
    of it and joins the next round that starts when it is back.
    """

    def __init__(
        self,
        failures: Failures,
        streams: Streams,
        network: Network,
        owner_N: npt.NDArray[np.int64],
        clients: int,
    ) -> None:
        self.clients = clients
        self._failures = failures
        self._streams = streams
        self._network = network
        self._owner_N = owner_N
        self._off_K = np.zeros(clients, bool)
        nodes = failures.nodes
        self._churn = Churn(nodes, streams, clients) if isinstance(nodes, NodesPerRound) else None
        self._seen: set[tuple[int, int, str]] = set()
        self._acting: dict[int, list[tuple[Role, int, asyncio.Task[None]]]] = {}

    def attending(self, roles: Sequence[Role], round: int) -> list[Role]:
        """The roles played in a round; the network hears of the others."""
        away_K = self._off_K | (False if self._churn is None else self._churn.away(round))
        aggregators = [role for role in roles if role.name == "aggregator"]
        off = aggregators_off(self._failures.aggregators, self._streams, round, len(aggregators))
        missing = {aggregators[a].node for a in off}
        there = []
        for role in roles:
            owner = self._owner_N[role.node]
            away = owner >= 0 and away_K[owner]
            if away or (role.name == "aggregator" and role.node in missing):
                self._leave(role, round)
            else:
                there.append(role)
        return there

    def watch(self, role: Role, round: int, task: "asyncio.Task[None]") -> None:
        """``task`` plays ``role`` in the round; it ends when its client goes."""
        owner = int(self._owner_N[role.node])
        acting = [each for each in self._acting.get(owner, ()) if not each[2].done()]
        self._acting[owner] = [*acting, (role, round, task)]

    def turn(self, client: int, on: bool) -> None:
        """``client`` goes, or is back from the next round on."""
        self._off_K[client] = not on
        if on:
            return
        for role, round, task in self._acting.pop(client, ()):
            if not task.done():
                task.cancel()
                self._leave(role, round)

    def _leave(self, role: Role, round: int) -> None:
        if (round, role.node, role.name) not in self._seen:
            self._seen.add((round, role.node, role.name))
            self._network.leave([role.node], role.name, round)
