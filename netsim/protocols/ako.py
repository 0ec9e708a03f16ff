"""Ako: partial gradient exchange between all nodes."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.network.messages import Arrivals, Sending
from netsim.network.topology import Int64
from netsim.protocols.base import Context, Paper, Protocol, ProtocolConfig, Role
from netsim.protocols.vector import Vector, add_scaled, descend, zeros
from netsim.theory.distribution import ako_tables_s, eq54_ako_s
from netsim.wire.chunk import Chunk, DenseChunk
from netsim.wire.deferred import Deferred
from netsim.wire.floats import FLOAT32
from netsim.wire.payload import Payload
from netsim.wire.shards import ContiguousShards


class AkoConfig(ProtocolConfig):
    """``partitions`` v of an update; each other node is sent one of them a round."""

    kind: Literal["ako"] = "ako"
    partitions: int = Field(default=5, ge=1, le=10_000)

    def describe(self, clients: int) -> str:
        return f"ako (v={self.partitions})"


@dataclass(frozen=True)
class _Turn:
    """What a node sent in a round: the messages under way, and their values by receiver."""

    sending: Sending
    values: dict[int, Deferred[Vector]]


@final
class Ako(Protocol):
    """Watcharapichat et al., SoCC 2016: accumulated partial gradient exchange, in rounds.

    Updates are cut into v partitions of consecutive coordinates.  A round: each node trains and
    sends each of the K − 1 others one partition, other ones to other nodes, and to each all v
    in turn; it holds the sum of all updates since that partition last went to that node.  A
    node steps along its own whole update and the partitions that arrived, each with weight 1/K
    (1 over the nodes with samples).  So every node takes every update once, parts of it up to
    v − 1 rounds late.  With v = 1 it is FedAvg with uniform weights, bit for bit.

    The system of the paper adds gradients without a weight and waits for nobody; here nodes wait
    for the partitions of a round.  A partition that fails stays in the sum and goes with the
    next of its kind, v rounds on.  A node that goes in the midst of a round loses what had
    arrived for it.

    ERIS's tables have v = 5, (K − 1)/5 of a model up and then as much down, which is what a
    half-duplex network takes.  Its Eq. 54 has v = K (``partitions`` equal to the number of
    nodes) and counts a partition to the node itself.
    """

    title: ClassVar = "Ako: accumulated partial gradient exchange between all nodes"
    paper: ClassVar = Paper(
        "Watcharapichat et al., SoCC 2016",
        """@inproceedings{watcharapichat2016ako,
  title = {Ako: Decentralised Deep Learning with Partial Gradient Exchange},
  author = {Watcharapichat, Pijika and Lopez Morales, Victoria and Castro Fernandez, Raul and
            Pietzuch, Peter},
  booktitle = {ACM Symposium on Cloud Computing},
  year = {2016}
}""",
    )
    messages: ClassVar = {"gradient": ("node", "node")}
    Config = AkoConfig

    def __init__(self, config: AkoConfig, context: Context) -> None:
        super().__init__(config, context)
        self._v = config.partitions
        self._parts = ContiguousShards(self.task.n, self._v)
        self._held: list[Deferred[Vector]] = [self.task.initial for _ in self.clients]
        self._after: dict[int, dict[int, Deferred[Vector]]] = {}
        self._turns = [0 for _ in self.clients]
        self._updates = [deque[Deferred[Vector]](maxlen=self._v) for _ in self.clients]
        self._sent = [deque[_Turn](maxlen=self._v) for _ in self.clients]

    def roles(self) -> Sequence[Role]:
        return [Role(client, "node", partial(self._train, client)) for client in self.clients]

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        after = self._after.pop(round, {})
        return [after.get(client, self._held[client]) for client in self.clients]

    def formula(self) -> tuple[str, float]:
        net, count = self.context.topology, len(self.clients)
        size = self.dense(self.task.initial).payload_bits
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        if self._v == count:
            return "eq54", eq54_ako_s(size, up, down)
        return "Ako, up then down", ako_tables_s(size, self._v, up, down)

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64:
        return payload_bits_M // FLOAT32.bits

    async def _train(self, client: int, round: int) -> None:
        node, model = self.nodes[client], self._held[client]
        update = await self.update(client, model, round)
        trains = self.task.samples[client] > 0
        if trains:
            owed = await self._owed(client)
            self._send(client, update, owed, round)
        others = [other for other in self.trainers if other != client]
        arrivals = await node.gather(others, "gradient", round)
        if trains:
            await self._sent[client][-1].sending
        stepped = self.task.defer(
            lambda: self._step(client, model.value(), update, arrivals, round)
        )
        self._held[client] = stepped
        self._after.setdefault(round, {})[client] = stepped
        await self.context.phases.done()

    async def _owed(self, client: int) -> dict[int, Deferred[Vector]]:
        """By receiver, what failed when it was last sent the partition that is now its turn."""
        sent = self._sent[client]
        if len(sent) < self._v:
            return {}
        failed = await sent[0].sending.settled()
        owed = {receiver: sent[0].values[receiver] for receiver in failed}
        if self.task.values:
            # Needed now lest the sums for a node that stays away pile up, each a level deeper.
            for each in owed.values():
                each.settle()
        return owed

    def _send(
        self, client: int, update: Deferred[Vector], owed: dict[int, Deferred[Vector]], round: int
    ) -> None:
        """Start sending each other node the partition that is its turn."""
        self._updates[client].append(update)
        fresh = [self._fresh(client, p) for p in range(self._v)]
        values, payloads = dict[int, Deferred[Vector]](), list[Payload[Chunk]]()
        for receiver in self.clients:
            if receiver != client:
                p = (self._turns[client] + receiver - client) % self._v
                value = fresh[p]
                if receiver in owed:
                    value = self.task.defer(partial(_sum, (owed[receiver], value)))
                values[receiver] = value
                payloads.append(self._payload(p, value))
        self._turns[client] += 1
        sending = self.nodes[client].scatter(list(values), payloads, "gradient", round)
        self._sent[client].append(_Turn(sending, values))

    def _fresh(self, client: int, p: int) -> Deferred[Vector]:
        """Partition ``p`` of the node's last v updates, summed."""
        updates = [self._part(update, p) for update in self._updates[client]]
        return self.task.defer(partial(_sum, updates))

    def _part(self, update: Deferred[Vector], p: int) -> Deferred[Vector]:
        return self.task.defer(lambda: self._parts.take(update.value(), p))

    def _payload(self, p: int, value: Deferred[Vector]) -> Payload[Chunk]:
        chunk = self.task.defer(lambda: Chunk(p, value.value()))
        return DenseChunk().payload(chunk, int(self._parts.sizes[p]))

    def _step(
        self,
        client: int,
        model: Vector,
        update: Deferred[Vector],
        arrivals: Arrivals,
        round: int,
    ) -> Vector:
        """The model after the own update and the partitions that arrived, node by node."""
        arrived: dict[int, Chunk] = {each.sender: each.payload.value.value() for each in arrivals}
        total, weight = zeros(self.task.n), 1 / max(1, len(self.trainers))
        for node in self.trainers:
            if node == client:
                add_scaled(total, weight, update.value())
            elif node in arrived:
                where = self._parts.selector(arrived[node].index)
                add_scaled(total[where], weight, arrived[node].values_n)
        return descend(model, self.task.rate(round), total)


def _sum(terms: Sequence[Deferred[Vector]]) -> Vector:
    total = terms[0].value().copy()
    for term in terms[1:]:
        total += term.value()
    return total
