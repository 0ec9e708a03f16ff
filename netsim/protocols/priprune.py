"""PriPrune: the most informative part of an update never leaves."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.protocols.aggregation.config import Fsa
from netsim.protocols.base import Context, Paper
from netsim.protocols.central import Central, CentralConfig
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.withhold import Withhold
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.pruned import Pruned


class PriPruneConfig(CentralConfig):
    """``rate`` p: the share of an update's coordinates, the largest ones, that is not sent.

    ``withheld``: the client trains on from these (``kept``), or they are lost (``dropped``).
    """

    kind: Literal["priprune"] = "priprune"
    rate: float = Field(default=0.1, gt=0, lt=1)
    withheld: Literal["kept", "dropped"] = "kept"

    def needs_values(self) -> bool:
        # At a server the number of coordinates sent is known, in a shard it is not.
        return isinstance(self.layer(), Fsa)

    def describe(self, clients: int) -> str:
        return f"{self.kind} ({self.rate:g}){self.layer().suffix(clients)}"


@final
class PriPrune(Central):
    """Chu et al. 2024, pseudo-pruning by a mask of each client's own, at a fixed rate p.

    The defence mask covers the ⌈p n⌉ coordinates of largest magnitude of the client's update
    in the round, over the whole model.  That criterion and a rate that stays are those of
    ERIS's comparison (v1, Section 4.1, and its published code); the article adapts the rate.
    What the mask covers is sent as nothing and averaged as zero.  As in the article the client
    keeps it and trains on from its own values there; ERIS's comparison loses it
    (``withheld: dropped``).  Running statistics are no parameters and always sent.  Up go
    32 (1 − p) n bits and a bitmap of n bits (wire only), down the whole model.
    """

    title: ClassVar = "FedAvg with the largest part of each update withheld"
    paper: ClassVar = Paper(
        "Chu et al., ACM TOMPECS 2024",
        """@article{chu2024priprune,
  title = {{PriPrune}: Quantifying and Preserving Privacy in Pruned Federated Learning},
  author = {Chu, Tianyue and Yang, Mengwei and Laoutaris, Nikolaos and Markopoulou, Athina},
  journal = {ACM Transactions on Modeling and Performance Evaluation of Computing Systems},
  year = {2024},
  doi = {10.1145/3702241}
}""",
    )
    Config = PriPruneConfig

    def __init__(self, config: PriPruneConfig, context: Context) -> None:
        self._pruned = Pruned(config.rate, context.task.statistics)
        self._kept = config.withheld == "kept"
        super().__init__(config, context)

    def steps(self) -> Sequence[Step]:
        return [Withhold(self.task, self._pruned)] if self._kept else []

    def compressor(self) -> Compressor:
        return self._pruned
