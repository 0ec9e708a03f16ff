"""Epidemic Learning: gossip on a random regular graph redrawn each round."""

from collections.abc import Iterator
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import Graph, degree_problems, random_regular, usual_degree
from netsim.protocols.base import Context, Paper, ProtocolConfig
from netsim.protocols.gossip import Gossip
from netsim.protocols.vector import Vector


class EpidemicConfig(ProtocolConfig):
    """``degree`` r: neighbours a round; 4 by default, fewer where there are fewer others."""

    kind: Literal["epidemic"] = "epidemic"
    degree: int | None = Field(default=None, ge=1)

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.degree is not None:
            yield from degree_problems(self.degree, clients)


class Epidemic(Gossip):
    """De Vos et al. 2023, EL-Oracle.

    A round: a random r-regular graph is drawn; each node trains, sends its model to its r
    neighbours (r · b bits), and averages what arrived with its own, all with the same weight.
    """

    title: ClassVar = "Epidemic Learning (EL-Oracle) on random regular graphs"
    paper: ClassVar = Paper(
        "De Vos et al., NeurIPS 2023, Algorithm 1",
        """@inproceedings{devos2023epidemic,
  title = {Epidemic Learning: Boosting Decentralized Learning with Randomized Communication},
  author = {de Vos, Martijn and Farhadkhani, Sadegh and Guerraoui, Rachid and
            Kermarrec, Anne-Marie and Pires, Rafael and Sharma, Rishi},
  booktitle = {NeurIPS},
  year = {2023}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = EpidemicConfig

    def __init__(self, config: EpidemicConfig, context: Context) -> None:
        self._degree = usual_degree(config.degree, context.task.clients)
        super().__init__(config, context)

    def graph(self, round: int) -> Graph:
        return random_regular(self._degree, len(self.clients), self.context.streams, round)

    def mix(self, client: int, own: Vector, arrivals: Arrivals, round: int) -> Vector:
        total = own.copy()
        for each in arrivals:
            total += each.payload.value.value()
        total /= np.float32(len(arrivals) + 1)
        return total
