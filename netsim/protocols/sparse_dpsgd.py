"""D-PSGD whose nodes send some of their parameters."""

from typing import Any, ClassVar, Literal, final

from pydantic import Field

from netsim.network.messages import Arrivals
from netsim.protocols.base import Context
from netsim.protocols.overlay_gossip import OverlayConfig, OverlayGossip
from netsim.protocols.shatter_paper import shatter_paper
from netsim.protocols.vector import Vector
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.top_k import TopK
from netsim.wire.deferred import Deferred
from netsim.wire.payload import Payload
from netsim.wire.shards import ContiguousShards
from netsim.wire.shared_seed import SharedSeedSparse
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK


class SparseDpsgdConfig(OverlayConfig):
    """``keep``: the share of its parameters a node sends; ``coordinates``: drawn at ``random``
    each round, or the ``top_k`` of its update; ``overlay``: who talks to whom."""

    kind: Literal["sparse_dpsgd"] = "sparse_dpsgd"
    keep: float = Field(default=0.125, gt=0, le=1)
    coordinates: Literal["random", "top_k"] = "random"

    def describe(self, clients: int) -> str:
        return f"sparse_dpsgd ({self.coordinates}, keep {self.keep:g})"

    def needs_values(self) -> bool:
        return self.coordinates == "top_k"


@final
class SparseDpsgd(OverlayGossip):
    """Random and TopK sharing of Shatter's Section 3; its ablation's "chunking" (Section 6.5).

    A round: each node trains and sends ⌈keep · n⌉ of its n parameters, unscaled, to its
    neighbours: at random, drawn anew by each node each round, where the message holds the seed;
    or those its update moved most, with their indices, whose code makes the message's size
    depend on values.  A receiver completes what it got with its own parameters and averages as
    D-PSGD does; with ``keep: 1`` it is D-PSGD, bit for bit.  What fails is as in D-PSGD.
    The ablation keeps 1/8 on a random regular overlay of degree 8, redrawn each round.
    """

    title: ClassVar = "D-PSGD with random or top-k sparsified models"
    paper: ClassVar = shatter_paper("Sections 3 and 6.5")
    messages: ClassVar = {"model": ("node", "node")}
    Config = SparseDpsgdConfig

    def __init__(self, config: SparseDpsgdConfig, context: Context) -> None:
        super().__init__(config, context)
        self._top_k = TopK(config.keep) if config.coordinates == "top_k" else None
        self._rand_k = RandK(config.keep)
        self._whole = ContiguousShards(self.task.n, 1)

    def message(
        self, client: int, own: Deferred[Vector], update: Deferred[Vector], exchange: int
    ) -> Payload[Any]:
        if self._top_k is not None:
            return self._top_k.largest_of(own, update, self._whole)[0]

        def kept() -> Sparse:
            seed = Seeds(self.context.streams, exchange, client).shard(0)
            indices_k = self._rand_k.seeded_mask(self.task.n, seed)
            return Sparse(self.task.n, indices_k, own.value()[indices_k], seed)

        return SharedSeedSparse(self._rand_k).payload(self.task.defer(kept), self.task.n)

    def message_bits(self) -> int:
        return SharedSeedSparse(self._rand_k).payload_bits(self.task.n)

    def received(self, own: Vector, arrivals: Arrivals) -> dict[int, Vector]:
        models = {}
        for each in arrivals:
            sparse: Sparse = each.payload.value.value()
            models[each.sender] = own.copy()
            models[each.sender][sparse.indices_k] = sparse.values_k
        return models
