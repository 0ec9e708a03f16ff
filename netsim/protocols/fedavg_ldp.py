"""FedAvg with local differential privacy."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, final

from netsim.network.config import Problem
from netsim.protocols.base import Context, Paper
from netsim.protocols.central import Central, CentralConfig
from netsim.protocols.ldp import Ldp, LdpConfig, ldp_problems
from netsim.protocols.steps.base import Step


class FedAvgLdpConfig(CentralConfig):
    """``ldp``: how updates are clipped and noised."""

    kind: Literal["fedavg_ldp"] = "fedavg_ldp"
    ldp: LdpConfig = LdpConfig(noise_multiplier=0.01)

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from super().problems(clients)
        yield from ldp_problems(self.ldp)


@final
class FedAvgLdp(Central):
    """Sun et al. 2021 with the Gaussian mechanism: FedAvg with clipped and noised updates.

    A client is the unit of privacy: its whole update is clipped to C and noised before it
    leaves.  Rounds add up; ``notes`` has the ε spent so far.  The noise by default, 0.01, is
    little enough to learn from a few clients and far too little for a small ε.
    """

    title: ClassVar = "FedAvg with local differential privacy (clipping, Gaussian noise)"
    paper: ClassVar = Paper(
        "Sun et al., IJCAI 2021",
        """@inproceedings{sun2021ldpfl,
  title = {{LDP-FL}: Practical Private Aggregation in Federated Learning with Local Differential
           Privacy},
  author = {Sun, Lichao and Qian, Jianwei and Chen, Xun},
  booktitle = {IJCAI},
  year = {2021}
}""",
    )
    Config = FedAvgLdpConfig

    def __init__(self, config: FedAvgLdpConfig, context: Context) -> None:
        self._ldp = Ldp(config.ldp, context.rounds)
        super().__init__(config, context)

    def steps(self) -> Sequence[Step]:
        return self._ldp.steps(self.context.streams)

    def notes(self) -> Mapping[str, Any]:
        return {**super().notes(), **self._ldp.notes(self.rounds_played)}
