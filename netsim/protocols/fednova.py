"""FedNova: averaging of updates taken to the size of one step."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from netsim.protocols.base import Paper
from netsim.protocols.central import Central, OwnStepConfig
from netsim.protocols.optimisers.base import Optimiser
from netsim.protocols.optimisers.nova import Nova
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.rescale import PerStep


class FedNovaConfig(OwnStepConfig):
    """``weights``: by the clients' samples, or uniform; ``aggregation``: server or FSA."""

    kind: Literal["fednova"] = "fednova"


@final
class FedNova(Central):
    """Wang et al. 2020, Equation 6, with τ_eff = Σ p_k ‖a_k‖₁.

    Each client sends its update divided by ‖a_k‖₁, what its local steps weigh (their number,
    more with momentum); the server steps τ_eff times along the weighted mean.  Steps differ
    between clients under ``local_epochs``; where all take the same number this is FedAvg but
    for rounding.  The paper's clients forget their momentum after a round, and ‖a_k‖₁ is that
    of such a one; here it goes on.  FedAvg's messages; ‖a_k‖₁ follows from the scenario and
    is not sent.
    """

    title: ClassVar = "FedAvg with updates normalised by local steps"
    paper: ClassVar = Paper(
        "Wang et al., NeurIPS 2020, Equation 6",
        """@inproceedings{wang2020tackling,
  title = {Tackling the Objective Inconsistency Problem in Heterogeneous Federated Optimization},
  author = {Wang, Jianyu and Liu, Qinghua and Liang, Hao and Joshi, Gauri and Poor, H. Vincent},
  booktitle = {NeurIPS},
  year = {2020}
}""",
    )
    Config = FedNovaConfig

    def steps(self) -> Sequence[Step]:
        return [PerStep(self.task.step_weight, self.task.statistics)]

    def optimiser(self) -> Optimiser:
        weights = self.weights(self.trainers, self.config.weights)
        return Nova(sum(w * self.task.step_weight(client) for client, w in weights.items()))
