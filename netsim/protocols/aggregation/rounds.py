"""A round of federated learning in which every shard of the model has an owner."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from netsim.network.messages import Arrivals, Sending
from netsim.protocols.aggregation.cuts import Cuts
from netsim.protocols.aggregation.owners import Owners
from netsim.protocols.base import Context, Role
from netsim.protocols.exchange import Exchange
from netsim.protocols.handover import Handover
from netsim.protocols.optimisers.base import Optimiser, State
from netsim.protocols.optimisers.memory import Memory
from netsim.protocols.participation import Groups, Sampling
from netsim.protocols.steps.base import Pipeline
from netsim.protocols.vector import Vector, descend
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards

Train = Callable[[int, Deferred[Vector], int], Awaitable[Deferred[Vector]]]


@dataclass(frozen=True)
class Parts:
    """What a round is put together from."""

    owners: Owners
    cuts: Cuts
    pipeline: Pipeline
    exchange: Exchange
    optimiser: Optimiser
    redrawn: bool


@final
class Rounds:
    """Clients train, run their update through the pipeline and send each owner its piece;
    owners sum, step their part of the model and broadcast it.

    The reassembled model has the same bits whoever owns what.  A client that misses a broadcast
    keeps its old part until the next.  Where only some clients train in a round, the broadcast
    goes to those of the next round, and to those of this one if they must learn what was used.
    Where owners change, what they remember moves first, and
    an owner that misses some of it leaves its part of the model as it is for the round.
    """

    def __init__(self, context: Context, sampling: Sampling, parts: Parts, train: Train):
        self._context, self._task = context, context.task
        self._sampling, self._train_client = sampling, train
        self._owners, self._cuts = parts.owners, parts.cuts
        self._owners_A = np.array(parts.owners.nodes)
        self._shard_of = {owner: a for a, owner in enumerate(parts.owners.nodes)}
        self._pipeline, self._exchange = parts.pipeline, parts.exchange
        self._optimiser = parts.optimiser
        self._memory = Memory(self._task, parts.optimiser, parts.cuts.fixed)
        self._redrawn = parts.redrawn
        self._handover: Handover | None = None
        if parts.redrawn and self._carried():
            self._handover = Handover(self._carried, parts.owners.nodes, context)
        self._model = self._task.initial
        self._clients = range(self._task.clients)
        self._held = dict.fromkeys((*self._clients, *parts.owners.nodes), self._model)
        self._receivers = Groups(self._reached)
        self._own: dict[int, Deferred[Vector]] = {}
        self._whole: dict[int, Deferred[Vector]] = {}
        self._stepped: dict[int, dict[int, Deferred[Vector]]] = {}

    def roles(self) -> list[Role]:
        """All clients', and the owners'."""
        train, aggregate, role = self._train, self._aggregate, self._owners.role
        clients = [Role(client, "client", partial(train, client)) for client in self._clients]
        owners = [Role(owner, role, partial(aggregate, a)) for owner, a in self._shard_of.items()]
        return [*owners, *clients] if self._owners.aside else [*clients, *owners]

    def model(self, round: int) -> Deferred[Vector]:
        """The global model after the round; asked once a round, in order."""
        shards, before = self._cuts.of(round), self._model
        parts = self._stepped.pop(round, {})
        whole = self._whole.pop(round, None)
        self._model = self._assembled(before, shards, parts) if whole is None else whole
        return self._model

    async def _train(self, client: int, round: int) -> None:
        node, shards = self._context.nodes[client], self._cuts.of(round)
        if self._handover is not None:
            await self._context.phases.done()
        sending = None
        if self._sampling.trains(client, round):
            sending = await self._send(client, shards, round)
        await self._context.phases.done(sending)
        if client in self._receivers(round).members:
            arrivals = await node.gather(self._owners_A, self._owners.down, round)
            self._reassemble(client, shards, arrivals, round)
        if sending is not None:
            # Over by now, unless no model was waited for: first, it would cost a step of a task.
            await sending

    async def _send(self, client: int, shards: Shards, round: int) -> Sending:
        """Train and start sending; from here on an update lives in its messages alone."""
        start = self._pipeline.start(client, self._held[client])
        update = await self._train_client(client, start, round)
        ready = self._pipeline.run(update, client, round)
        pieces = self._exchange.pieces(client, ready, shards, round)
        node = self._context.nodes[client]
        return node.scatter(self._owners_A, pieces, self._owners.up, round)

    async def _aggregate(self, a: int, round: int) -> None:
        node, shards = self._context.nodes[self._owners.nodes[a]], self._cuts.of(round)
        before, ready = self._before(a, shards), True
        if self._handover is not None:
            ready = await self._handover.run(a, shards, round)
            await self._context.phases.done()
        arrivals = await node.gather(self._sampling.trainers(round), self._owners.up, round)
        await self._context.phases.done()
        used = arrivals if ready else Arrivals((0, 0, 0), [], [], [], {})
        part = self._step(a, shards, before, used, round) if ready else before
        self._own[a] = self._stepped.setdefault(round, {})[a] = part
        reply = self._exchange.reply(a, shards, part, used.senders, round)
        receivers = self._receivers(round).ascending
        if isinstance(reply, list):
            sending = node.scatter(receivers, reply, self._owners.down, round)
        else:
            sending = node.broadcast(receivers, reply, self._owners.down, round)
        failed = await sending.settled()
        reached = frozenset(receivers) - failed.keys()
        self._exchange.settled(a, shards, used, reached, round)

    def _reached(self, round: int) -> Sequence[int]:
        """The clients that a round's broadcast goes to, ascending."""
        if self._sampling.everyone:
            return self._clients
        wanted = {*self._sampling.trainers(round + 1)}
        if self._exchange.learns:
            wanted |= {*self._sampling.trainers(round)}
        if self._redrawn and not self._owners.aside:
            wanted |= {*self._owners.nodes}
        return sorted(wanted)

    def _before(self, a: int, shards: Shards) -> Deferred[Vector]:
        """Part ``a`` of the model before a round, as its owner has it.

        Where masks stay that is what it made last: without barriers its node may still wait
        for the other parts of that round.
        """
        if a in self._own and not self._redrawn:
            return self._own[a]
        held = self._held[self._owners.nodes[a]]
        return self._task.defer(lambda: shards.take(held.value(), a))

    def _step(
        self, a: int, shards: Shards, before: Deferred[Vector], arrivals: Arrivals, round: int
    ) -> Deferred[Vector]:
        """Part ``a`` of the model after a step; as before where the exchange has no direction.

        Running statistics, the last coordinates, are averaged whatever the optimiser does.
        """
        direction = self._exchange.direction(a, shards, arrivals, round)
        if direction is None:
            return before
        state, lr = self._memory.of(a, shards), self._task.rate(round)
        averaged = shards.last(a, self._task.statistics)

        def both_values() -> tuple[Vector, State]:
            model, along = before.value(), direction.value()
            stepped, kept = self._optimiser.step(model, along, state.value(), lr)
            if averaged:
                stepped[-averaged:] = descend(model[-averaged:], lr, along[-averaged:])
            return stepped, kept

        both = self._task.defer(both_values)
        self._memory.put(a, self._task.defer(lambda: both.value()[1]))
        return self._task.defer(lambda: both.value()[0])

    def _reassemble(self, client: int, shards: Shards, arrivals: Arrivals, round: int) -> None:
        """Put what arrived into the client's model; what did not stays as it was."""
        whole = len(arrivals) == shards.count
        if whole and round in self._whole and not self._exchange.learns:
            self._held[client] = self._whole[round]
            return
        replies = {self._shard_of[each.sender]: each.payload for each in arrivals}
        if whole and round in self._whole:
            self._held[client] = self._whole[round]
        elif replies:
            held = self._held[client]
            parts = {
                a: self._received(reply, a, shards, held, round) for a, reply in replies.items()
            }
            self._held[client] = self._assembled(held, shards, parts)
            if whole:
                self._whole[round] = self._held[client]
        self._exchange.learned(client, shards, replies, round)

    def _received(
        self, reply: Payload[Any], a: int, shards: Shards, held: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        assert reply.value is not None
        return self._exchange.received(reply.value, a, shards, held, round)

    def _assembled(
        self, before: Deferred[Vector], shards: Shards, parts: dict[int, Deferred[Vector]]
    ) -> Deferred[Vector]:
        def assemble() -> Vector:
            model = before.value().copy()
            for a, part in parts.items():
                shards.put(model, a, part.value())
            return model

        return self._task.defer(assemble)

    def _carried(self) -> list[Deferred[Vector]]:
        return [*self._exchange.carried(), *self._memory.whole()]
