"""DP-SGD between neighbours: D-PSGD whose nodes clip and noise what they learn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, final

from netsim.network.config import Problem
from netsim.protocols.base import Context, Paper
from netsim.protocols.ldp import Ldp, LdpConfig, ldp_problems
from netsim.protocols.overlay_gossip import OverlayConfig, OverlayGossip
from netsim.protocols.steps.base import Step


class DpSgdConfig(OverlayConfig):
    """``overlay``: who talks to whom; ``ldp``: how updates are clipped and noised."""

    kind: Literal["dp_sgd"] = "dp_sgd"
    ldp: LdpConfig = LdpConfig(clip=10.0, noise_multiplier=0.001)

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from super().problems(clients)
        yield from ldp_problems(self.ldp)


@final
class DpSgd(OverlayGossip):
    """Abadi et al. 2016 at the level of a node, in D-PSGD.

    A round: each node clips its update to the norm C, adds N(0, (zC)²) to each coordinate,
    takes it, sends its model to its neighbours and averages as D-PSGD does; what failures do is
    the same too.  This is what ERIS's tables (first version, Table 5) call DP-SGD: what a
    client shows others is clipped to C = 10 or 1 and noised with σ from 1e-4 to 1e-2.  They say
    no more of it; here z = σ, and the default is their row C = 10, σ = 1e-3.

    Abadi et al. clip the gradient of each sample: the two are one for a single step on a single
    sample, else the node and not the sample is the unit of privacy.  Averaging comes after the
    noise and costs nothing; rounds add up, and ``notes`` has the ε spent so far by a node that
    took part in all.
    """

    title: ClassVar = "DP-SGD between neighbours: D-PSGD with clipped and noised updates"
    paper: ClassVar = Paper(
        "Abadi et al., CCS 2016, Algorithm 1",
        """@inproceedings{abadi2016dpsgd,
  title = {Deep Learning with Differential Privacy},
  author = {Abadi, Mart{\\'i}n and Chu, Andy and Goodfellow, Ian and McMahan, H. Brendan and
            Mironov, Ilya and Talwar, Kunal and Zhang, Li},
  booktitle = {ACM Conference on Computer and Communications Security},
  year = {2016}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = DpSgdConfig

    def __init__(self, config: DpSgdConfig, context: Context) -> None:
        self._ldp = Ldp(config.ldp, context.rounds)
        super().__init__(config, context)

    def steps(self) -> Sequence[Step]:
        return self._ldp.steps(self.context.streams)

    def notes(self) -> Mapping[str, Any]:
        return self._ldp.notes(self.rounds_played)
