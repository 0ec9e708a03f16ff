"""D-PSGD: decentralised training on a fixed overlay."""

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from netsim.network.config import Problem
from netsim.network.messages import Arrivals
from netsim.network.overlay import OVERLAYS, Graph, Overlay, Ring
from netsim.network.topology import Int64
from netsim.protocols.base import Context, Paper, ProtocolConfig
from netsim.protocols.gossip import Gossip
from netsim.protocols.vector import Vector, weighted_sum
from netsim.scenario.kinds import one_of


class DpsgdConfig(ProtocolConfig):
    """``overlay``: who talks to whom."""

    kind: Literal["dpsgd"] = "dpsgd"
    overlay: Annotated[Overlay, one_of(*OVERLAYS)] = Ring()

    def problems(self, clients: int) -> Iterator[Problem]:
        for loc, message in self.overlay.problems(clients):
            yield ("overlay", *loc), message


class Dpsgd(Gossip):
    """Lian et al. 2017, in the form Shatter's baselines use: train, share, average.

    A round: each node trains, sends its model to all its neighbours (r · b bits), and averages
    with Metropolis–Hastings weights 1/(1 + max degree of the two), which are doubly stochastic;
    on a regular overlay all are 1/(r + 1).  The weight of a model that fails goes to the
    node's own.
    """

    title: ClassVar = "Decentralised parallel SGD on a fixed overlay"
    paper: ClassVar = Paper(
        "Lian et al., NeurIPS 2017, Algorithm 1",
        """@inproceedings{lian2017decentralized,
  title = {Can Decentralized Algorithms Outperform Centralized Algorithms?
           A Case Study for Decentralized Parallel Stochastic Gradient Descent},
  author = {Lian, Xiangru and Zhang, Ce and Zhang, Huan and Hsieh, Cho-Jui and Zhang, Wei
            and Liu, Ji},
  booktitle = {NeurIPS},
  year = {2017}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = DpsgdConfig

    def __init__(self, config: DpsgdConfig, context: Context) -> None:
        self._overlay = config.overlay
        super().__init__(config, context)

    def graph(self, round: int) -> Graph:
        return self._overlay.graph(len(self.clients), self.context.streams, round)

    def _neighbours(self, round: int) -> list[Int64]:
        return super()._neighbours(round if self._overlay.redrawn else 0)

    def mix(self, client: int, own: Vector, arrivals: Arrivals, round: int) -> Vector:
        degrees = [len(others) for others in self._neighbours(round)]
        models = {each.sender: each.payload.value.value() for each in arrivals}
        shares = {each: 1 / (1 + max(degrees[client], degrees[each])) for each in models}
        models[client], shares[client] = own, 1 - sum(shares.values())
        return weighted_sum(len(own), ((shares[each], models[each]) for each in sorted(models)))
