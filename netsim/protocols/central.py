"""Protocols with one global model."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.topology import Guest, Int64
from netsim.protocols.aggregation.config import AGGREGATIONS, Aggregation, AtServer, Fsa
from netsim.protocols.aggregation.cuts import Cuts
from netsim.protocols.aggregation.owners import Owners
from netsim.protocols.aggregation.rounds import Parts, Rounds
from netsim.protocols.aggregation.sizes import (
    Load,
    optimal_shares,
    proportional_shares,
    whole_sizes,
)
from netsim.protocols.base import Context, Protocol, ProtocolConfig, Role
from netsim.protocols.coded import CodedExchange
from netsim.protocols.exchange import Exchange, Weights
from netsim.protocols.optimisers.average import Average
from netsim.protocols.optimisers.base import Optimiser
from netsim.protocols.optimisers.heavy_ball import HeavyBall
from netsim.protocols.steps.base import Pipeline, Step
from netsim.protocols.vector import Vector
from netsim.scenario.kinds import one_of
from netsim.theory.distribution import eq52_fedavg_s, eq53_eris_s
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.identity import Identity
from netsim.wire.deferred import Deferred
from netsim.wire.shards import ContiguousShards


class GlobalConfig(ProtocolConfig):
    """``weights``: by the clients' samples, or uniform.  ``server_momentum``: that of the global
    model's steps, kept where updates are summed."""

    weights: Literal["samples", "uniform"] = "samples"
    server_momentum: float = Field(default=0.0, ge=0, lt=1)

    @abstractmethod
    def layer(self) -> Aggregation:
        """Who aggregates."""

    def guests(self, clients: int) -> tuple[Guest, ...]:
        return self.layer().guests()

    def describe(self, clients: int) -> str:
        return f"{self.kind}{self.layer().suffix(clients)}"

    def needs_rounds(self) -> bool:
        return self.layer().redrawn

    def rounds_needed(self) -> Problem:
        return ("redraw",), "redrawn masks need rounds that end together"


class CentralConfig(GlobalConfig):
    """``aggregation``: at a server, or by FSA as a layer under the protocol."""

    aggregation: Annotated[Aggregation, one_of(*AGGREGATIONS)] = AtServer()

    def layer(self) -> Aggregation:
        return self.aggregation

    def rounds_needed(self) -> Problem:
        loc, text = super().rounds_needed()
        return ("aggregation", *loc), text

    def problems(self, clients: int) -> Iterator[Problem]:
        for loc, text in self.layer().problems(clients):
            yield ("aggregation", *loc), text


class OwnStepConfig(CentralConfig):
    """As `CentralConfig`, but steps are the protocol's own."""

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from super().problems(clients)
        if self.server_momentum:
            yield ("server_momentum",), f"{self.kind} steps in a way of its own; leave it out"


class Central(Protocol):
    """Clients' updates go through a pipeline to who aggregates them, and a model comes back.

    A protocol says which ``steps`` clients take, by which ``compressor`` they code and by which
    ``optimiser`` the model steps.  At a server a client whose update fails is left out of the
    average, and when none arrives the model stays; under FSA a missing piece counts as zero.
    """

    messages: ClassVar[Mapping[str, tuple[str, str]]] = {
        "update": ("client", "server"),
        "model": ("server", "client"),
        "shard": ("client", "aggregator"),
        "part": ("aggregator", "client"),
        "handover": ("aggregator", "aggregator"),
    }

    def __init__(self, config: Any, context: Context) -> None:
        super().__init__(config, context)
        self.rounds_played = 0
        self._layer: Aggregation = config.layer()
        self._owners = self.owners()
        self._exchange = self.exchange()
        self._cuts = self._cut()
        parts = Parts(
            self._owners,
            self._cuts,
            Pipeline(self.steps()),
            self._exchange,
            self.optimiser(),
            self._layer.redrawn,
        )
        self._rounds = Rounds(context, self.sampling, parts, self.update)

    def optimiser(self) -> Optimiser:
        """How the global model steps; by default along the mean update, with any momentum."""
        momentum = self.config.server_momentum
        return HeavyBall(momentum) if momentum else Average()

    def steps(self) -> Sequence[Step]:
        """What clients do to an update before it is coded."""
        return ()

    def compressor(self) -> Compressor:
        """How updates are coded."""
        return Identity()

    def exchange(self) -> Exchange:
        """What is sent for updates and how it is summed."""
        central = isinstance(self._layer, AtServer)
        return CodedExchange(
            self.task, self.compressor(), self.weigh, self.context.streams, idle=central
        )

    def owners(self) -> Owners:
        """Who aggregates."""
        if isinstance(self._layer, Fsa):
            return Owners(self._aggregators(self._layer), "aggregator", "shard", "part", False)
        return Owners([len(self.clients)], "server", "update", "model", True)

    def weigh(self, senders: Sequence[int], round: int) -> Weights:
        """Weights of the updates that arrived: among themselves at a server, else of all that
        train in the round."""
        central = isinstance(self._layer, AtServer)
        among = senders if central else self.sampling.trainers(round)
        return self.weights(among, self.config.weights)

    def roles(self) -> Sequence[Role]:
        return self._rounds.roles()

    def models(self, round: int) -> Sequence[Deferred[Vector]]:
        self.rounds_played += 1
        return [self._rounds.model(round)]

    def formula(self) -> tuple[str, float] | None:
        cut, layer = self._cuts.fixed, self._layer
        sent, back = self._exchange.payload_bits(cut), self._exchange.reply_bits(cut)
        if sent is None or (isinstance(layer, Fsa) and layer.shards != "equal"):
            return None
        if not self.sampling.everyone:
            return None
        net, clients = self.context.topology, slice(0, len(self.clients))
        up, down = net.uplink_bps_H, net.downlink_bps_H
        if isinstance(layer, Fsa):
            owners = np.array(self._owners.nodes)
            return "eq53", eq53_eris_s(sent, back, up[clients], down[clients], owners)
        host = net.host_N[self._owners.nodes[0]]
        args = (up[clients], down[clients], up[host], down[host])
        return "eq52", eq52_fedavg_s(sent, back, *args)

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64 | None:
        if self._exchange.kept_bits is not None:
            return payload_bits_M // self._exchange.kept_bits
        if self._layer.redrawn and self._exchange.block > 1:
            return None  # The last block may be short, and moves.
        shards_N = np.zeros(len(self.nodes), np.int64)
        shards_N[self._owners.nodes] = self._cuts.fixed.sizes
        return shards_N[receiver_M]

    def notes(self) -> Mapping[str, Any]:
        if isinstance(self._layer, Fsa):
            return {"largest_shard": float(self._cuts.fixed.sizes.max() / self.task.n)}
        return {}

    def _aggregators(self, layer: Fsa) -> list[int]:
        return list(range(layer.aggregators or len(self.clients)))

    def _cut(self) -> Cuts:
        block, streams = self._exchange.block, self.context.streams
        if isinstance(self._layer, Fsa):
            sizes = self._sizes(self._layer, -(-self.task.n // block))
            masks, redraw = self._layer.masks, self._layer.redraw
            return Cuts(self.task.n, sizes, block, masks, redraw, streams)
        whole = np.array([-(-self.task.n // block)])
        return Cuts(self.task.n, whole, block, "contiguous", False, streams)

    def _sizes(self, layer: Fsa, blocks: int) -> Int64:
        """Blocks in each shard."""
        if layer.shards == "equal":
            return ContiguousShards(blocks, len(self._owners.nodes)).sizes
        dense = self.dense(self.task.initial).payload_bits
        whole = ContiguousShards(self.task.n, 1)
        sent = self._exchange.payload_bits(whole)
        load = Load(
            self._owners.nodes,
            self.trainers,
            float(dense if sent is None else sent),
            float(self._exchange.reply_bits(whole)),
        )
        rule = proportional_shares if layer.shards == "proportional" else optimal_shares
        return whole_sizes(rule(load, self.context.topology), blocks)
