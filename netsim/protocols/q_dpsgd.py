"""Q-DPSGD-1: quantised, differentially private decentralised SGD."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import random_regular
from netsim.network.topology import Int64
from netsim.protocols.base import Context, Paper, ProtocolConfig
from netsim.protocols.gossip import Gossip, Links
from netsim.protocols.ldp import Ldp, LdpConfig, ldp_problems
from netsim.protocols.mean_degree import MeanDegree
from netsim.protocols.mixing import metropolis
from netsim.protocols.steps.base import Step
from netsim.protocols.vector import Vector
from netsim.theory.distribution import qdpsgd_tables_s
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.identity import Identity
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.uniform import Uniform
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import ContiguousShards
from netsim.wire.sparse import Sparse

_FLOAT_BITS = 32


class QDpsgdConfig(ProtocolConfig):
    """``bits`` of a quantised parameter (32: not quantised), ``density``: neighbours as a share
    of the other nodes, in the mean, ``consensus_step`` ε, and ``ldp``, or null for none."""

    kind: Literal["q_dpsgd_1"] = "q_dpsgd_1"
    bits: int = Field(default=6, ge=1, le=_FLOAT_BITS)
    density: float = Field(default=0.4, gt=0, le=1)
    consensus_step: float = Field(default=1.0, gt=0, le=1)
    ldp: LdpConfig | None = LdpConfig(noise_multiplier=0.01)

    def describe(self, clients: int) -> str:
        return f"q_dpsgd_1 ({self.bits} bit, density {self.density:g})"

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from ldp_problems(self.ldp)


@final
class QDpsgd(Gossip):
    """Ding et al., AAAI 2021, Q-DPSGD-1, which quantises as Reisizadeh et al. 2019 do.

    A round: each node clips and noises its update, takes it, sends its model rounded at random
    to 2^bits values from −max to max of its parameters, and mixes what arrived into its own
    model, which stays as it is: x ← (1 − ε + ε w_ii) x_i + ε Σ w_ij Q(x_j), with the weights of
    D-PSGD.  The weight of a model that fails goes to the own one.  The deadline for stragglers
    is the scenario's (``failures.deadline``).  The neighbours are a random regular graph drawn
    anew each round.  Their number is 0.4 · (K − 1) in ERIS's tables, 3.6 for K = 10: rounds of
    ⌊x⌋ and ⌈x⌉ neighbours are mixed so that the mean is exact; odd K allows only even degrees.

    The tables' ratio 0.1875 is 6 bits of 32.  They count all up, then all down, and so does
    ``formula``: it is what a half-duplex network takes, twice what full duplex does.
    """

    title: ClassVar = "Q-DPSGD-1: quantised models of clipped and noised updates"
    paper: ClassVar = Paper(
        "Ding et al., AAAI 2021, Q-DPSGD-1",
        """@inproceedings{ding2021qdpsgd,
  title = {Differentially Private and Communication Efficient Collaborative Learning},
  author = {Ding, Jiahao and Liang, Guannan and Bi, Jinbo and Pan, Miao},
  booktitle = {AAAI Conference on Artificial Intelligence},
  year = {2021}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = QDpsgdConfig

    def __init__(self, config: QDpsgdConfig, context: Context) -> None:
        self._quantised = config
        self._ldp = None if config.ldp is None else Ldp(config.ldp, context.rounds)
        super().__init__(config, context)
        exact = config.bits == _FLOAT_BITS
        self._compressor: Compressor = Identity() if exact else Uniform(2**config.bits)
        self._whole = ContiguousShards(self.task.n, 1)
        self._degree = MeanDegree(config.density, len(self.clients))

    def links(self, exchange: int) -> Links:
        nodes, streams = len(self.clients), self.context.streams
        return Links.both_ways(random_regular(self._degree.of(exchange), nodes, streams, exchange))

    def steps(self) -> Sequence[Step]:
        return () if self._ldp is None else self._ldp.steps(self.context.streams)

    def message(
        self, client: int, own: Deferred[Vector], update: Deferred[Vector], exchange: int
    ) -> Payload[Any]:
        payload: Payload[Any] = self._compressor.messages(
            own, self._whole, self._seeds(client, exchange)
        )[0]
        return payload

    def coordinates(self, payload_bits_M: Int64, receiver_M: Int64) -> Int64:
        return np.full(len(payload_bits_M), self.task.n)

    def mix(self, client: int, own: Vector, arrivals: Arrivals, exchange: int) -> Vector:
        degrees = [len(others) for others in self.links_of(exchange).senders]
        models = {
            each.sender: self._restored(each.sender, each.payload.value.value(), exchange)
            for each in arrivals
        }
        return metropolis(client, own, models, degrees, self._quantised.consensus_step)

    def formula(self) -> tuple[str, float]:
        net, count = self.context.topology, len(self.clients)
        size, config = self.dense(self.task.initial).payload_bits, self._quantised
        ratio, up, down = config.bits / _FLOAT_BITS, net.uplink_bps_H, net.downlink_bps_H
        time_s = qdpsgd_tables_s(size, ratio, config.density, up[:count], down[:count])
        return "Q-DPSGD-1, up then down", time_s

    def notes(self) -> Mapping[str, Any]:
        return {} if self._ldp is None else self._ldp.notes(self.rounds_played)

    def _restored(self, sender: int, value: Any, exchange: int) -> Vector:
        seeds = self._seeds(sender, exchange)
        model = self._compressor.restore(value, self._whole, 0, seeds)
        assert not isinstance(model, Sparse)
        return model

    def _seeds(self, client: int, exchange: int) -> Seeds:
        return Seeds(self.context.streams, exchange, client)
