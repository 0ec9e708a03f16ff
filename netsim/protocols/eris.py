"""ERIS: federated shard aggregation without a server, with optional compression."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, final

from pydantic import Field

from netsim.network.config import Problem
from netsim.protocols.aggregation.config import Fsa, Masks, Sizes
from netsim.protocols.aggregation.owners import Owners
from netsim.protocols.base import Context
from netsim.protocols.central import Central, GlobalConfig
from netsim.protocols.compression import (
    COMPRESSIONS,
    Compression,
    compression_problems,
    mirrors,
    sized_by_values,
)
from netsim.protocols.eris_paper import eris_paper
from netsim.protocols.exchange import Exchange
from netsim.protocols.ldp import Ldp, LdpConfig, ldp_problems
from netsim.protocols.shifting import shifted_exchange
from netsim.protocols.steps.base import Step
from netsim.scenario.kinds import one_of


class ErisConfig(GlobalConfig):
    """``aggregators`` A (all clients by default), how the model is cut in A shards (``masks``),
    whether the cut is ``redraw``n each round, how large ``shards`` are, and optional
    ``compression`` and ``ldp``."""

    kind: Literal["eris"] = "eris"
    aggregators: int | None = Field(default=None, ge=1)
    masks: Masks = "contiguous"
    redraw: bool = False
    shards: Sizes = "equal"
    compression: Annotated[Compression, one_of(*COMPRESSIONS)] | None = None
    ldp: LdpConfig | None = None

    def layer(self) -> Fsa:
        return Fsa(
            aggregators=self.aggregators,
            masks=self.masks,
            redraw=self.redraw,
            shards=self.shards,
        )

    def needs_everyone(self) -> bool:
        return mirrors(self.compression)

    def needs_values(self) -> bool:
        given = self.compression
        return given is not None and sized_by_values(given.compressor())

    def describe(self, clients: int) -> str:
        extra = f", {self.compression.brief()}" if self.compression is not None else ""
        noisy = ", ldp" if self.ldp is not None else ""
        return f"eris (A={self.aggregators or clients}{extra}{noisy})"

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from self.layer().problems(clients)
        yield from compression_problems(self.compression, self.layer().redrawn)
        yield from ldp_problems(self.ldp)


@final
class Eris(Central):
    """Federated shard aggregation (FSA); ERIS v1 Algorithm 1, v2 Section 3.2.

    A round: each client sends shard a of its update to aggregator a, one of the first A
    clients; the aggregator averages the shards over all clients, steps its part of the model,
    and broadcasts it.  The reassembled model is FedAvg's, bit for bit.  A shard that fails
    counts as zero and the divisor stays all clients; a client that misses a broadcast keeps its
    old part until the next.  With ``compression`` shards are those of v_k = C(u_k − s_k); where
    masks are redrawn, reference vectors move to a coordinate's new owner in a message of their
    own, and an aggregator that misses one leaves its part of the model as it is for the round.
    With ``ldp`` the update is clipped and noised before anything else.
    """

    title: ClassVar = "Serverless federated shard aggregation, optional shifted compression"
    paper: ClassVar = eris_paper("Algorithm 1")
    messages: ClassVar = {
        "update": ("client", "aggregator"),
        "model": ("aggregator", "client"),
        "handover": ("aggregator", "aggregator"),
    }
    Config = ErisConfig

    def __init__(self, config: ErisConfig, context: Context) -> None:
        self._eris = config
        self._ldp = None if config.ldp is None else Ldp(config.ldp, context.rounds)
        super().__init__(config, context)

    def owners(self) -> Owners:
        count = self._eris.aggregators or len(self.clients)
        return Owners(list(range(count)), "aggregator", "update", "model", aside=False)

    def steps(self) -> Sequence[Step]:
        return () if self._ldp is None else self._ldp.steps(self.context.streams)

    def exchange(self) -> Exchange:
        compression = self._eris.compression
        if compression is None:
            return super().exchange()
        weights = self.weights(self.trainers, self._eris.weights)
        return shifted_exchange(
            self.task, weights, self.context.streams, compression, self.sampling
        )

    def notes(self) -> Mapping[str, Any]:
        spent = {} if self._ldp is None else self._ldp.notes(self.rounds_played)
        return {**super().notes(), **spent}
