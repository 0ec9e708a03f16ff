"""Epidemic Learning: gossip on a random regular graph redrawn each round."""

from collections.abc import Iterator
from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import degree_problems, random_regular, usual_degree
from netsim.protocols.base import Context, ProtocolConfig
from netsim.protocols.epidemic_paper import EPIDEMIC_PAPER
from netsim.protocols.gossip import Gossip, Links
from netsim.protocols.mixing import averaged
from netsim.protocols.vector import Vector


class EpidemicConfig(ProtocolConfig):
    """``degree`` r: neighbours a round; 4 by default, fewer where there are fewer others."""

    kind: Literal["epidemic"] = "epidemic"
    degree: int | None = Field(default=None, ge=1)

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.degree is not None:
            yield from degree_problems(self.degree, clients)


@final
class Epidemic(Gossip):
    """De Vos et al. 2023, EL-Oracle.

    A round: a random r-regular graph is drawn; each node trains, sends its model to its r
    neighbours (r · b bits), and averages what arrived with its own, all with the same weight.
    A model that fails is one less.
    """

    title: ClassVar = "Epidemic Learning (EL-Oracle) on random regular graphs"
    paper: ClassVar = EPIDEMIC_PAPER
    messages: ClassVar = {"model": ("node", "node")}
    Config = EpidemicConfig

    def __init__(self, config: EpidemicConfig, context: Context) -> None:
        self._degree = usual_degree(config.degree, context.task.clients)
        super().__init__(config, context)

    def links(self, exchange: int) -> Links:
        streams = self.context.streams
        return Links.both_ways(random_regular(self._degree, len(self.clients), streams, exchange))

    def mix(self, client: int, own: Vector, arrivals: Arrivals, exchange: int) -> Vector:
        return averaged(own, arrivals)
