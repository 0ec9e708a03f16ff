"""Epidemic Learning without a coordinator: each node sends to others at random."""

from collections.abc import Iterator
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import usual_degree
from netsim.network.topology import Int64
from netsim.protocols.base import Context, ProtocolConfig
from netsim.protocols.epidemic_paper import EPIDEMIC_PAPER
from netsim.protocols.gossip import Gossip, Links
from netsim.protocols.mixing import averaged
from netsim.protocols.vector import Vector
from netsim.theory.distribution import neighbours_s


class ElLocalConfig(ProtocolConfig):
    """``sends`` s: to how many others a node sends; 4 by default, all where there are fewer."""

    kind: Literal["el_local"] = "el_local"
    sends: int | None = Field(default=None, ge=1)

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.sends is not None and self.sends >= clients:
            text = f"{self.sends} is not below the number of nodes, {clients}"
            yield ("sends",), text


@final
class ElLocal(Gossip):
    """De Vos et al. 2023, EL-Local.

    A round: each node trains, draws s others, all sets being as likely, and sends them its
    model (s · b bits).  It averages what arrived with its own, all with the same weight: s
    models in the mean, at times none.  A model that fails is one less.  Who sends to whom
    follows from a seed all share, so a node knows what to wait for; the system of the paper
    waits out the round instead.  The paper gives no time: ``formula`` counts s models each way,
    the mean, and the busiest receiver takes longer.
    """

    title: ClassVar = "Epidemic Learning (EL-Local), each node sending to others at random"
    paper: ClassVar = EPIDEMIC_PAPER
    messages: ClassVar = {"model": ("node", "node")}
    Config = ElLocalConfig

    def __init__(self, config: ElLocalConfig, context: Context) -> None:
        super().__init__(config, context)
        self._sends = usual_degree(config.sends, len(self.clients))

    def links(self, exchange: int) -> Links:
        receivers = [self._drawn(client, exchange) for client in self.clients]
        senders: list[list[int]] = [[] for _ in self.clients]
        for client in self.clients:
            for receiver in receivers[client]:
                senders[receiver].append(client)
        return Links(receivers, [np.array(each, np.int64) for each in senders])

    def mix(self, client: int, own: Vector, arrivals: Arrivals, exchange: int) -> Vector:
        return averaged(own, arrivals)

    def formula(self) -> tuple[str, float]:
        net, count, size = self.context.topology, len(self.clients), self.message_bits()
        up, down = net.uplink_bps_H[:count], net.downlink_bps_H[:count]
        return "s·b / min rate", neighbours_s(size, self._sends, self._sends, up, down)

    def _drawn(self, client: int, round: int) -> Int64:
        """The others that ``client`` sends to in the round, ascending."""
        rng = self.context.streams.rng("peers", round, client)
        others = rng.choice(len(self.clients) - 1, self._sends, replace=False, shuffle=False)
        return np.sort(others + (others >= client)).astype(np.int64)
