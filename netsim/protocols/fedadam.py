"""FedAdam: Adam at the server."""

from typing import ClassVar, Final, Literal, final

from pydantic import Field

from netsim.protocols.base import Paper
from netsim.protocols.central import Central, OwnStepConfig
from netsim.protocols.optimisers.adaptive import Adam
from netsim.protocols.optimisers.base import Optimiser

REDDI: Final = """@inproceedings{reddi2021adaptive,
  title = {Adaptive Federated Optimization},
  author = {Reddi, Sashank J. and Charles, Zachary and Zaheer, Manzil and Garrett, Zachary
            and Rush, Keith and Kone{\\v{c}}n{\\'y}, Jakub and Kumar, Sanjiv
            and McMahan, H. Brendan},
  booktitle = {ICLR},
  year = {2021}
}"""


class AdaptiveConfig(OwnStepConfig):
    """``server_lr`` η, ``beta1``, ``beta2``, and ``tau`` τ, the degree of adaptivity."""

    server_lr: float = Field(default=0.01, gt=0)
    beta1: float = Field(default=0.9, ge=0, lt=1)
    beta2: float = Field(default=0.99, ge=0, lt=1)
    tau: float = Field(default=1e-3, gt=0)


class FedAdamConfig(AdaptiveConfig):
    """Steps of Adam by the server, on the clients' mean update."""

    kind: Literal["fedadam"] = "fedadam"


@final
class FedAdam(Central):
    """Reddi et al. 2021, Algorithm 2, FedAdam: FedAvg's messages, Adam's step.

    Under FSA each aggregator keeps the moments of its shard; where masks are redrawn they move
    with the coordinates (kind ``handover``).
    """

    title: ClassVar = "FedAvg with Adam at the server"
    paper: ClassVar = Paper("Reddi et al., ICLR 2021, Algorithm 2", REDDI)
    Config = FedAdamConfig
    config: FedAdamConfig

    def optimiser(self) -> Optimiser:
        given = self.config
        return Adam(given.server_lr, given.beta1, given.beta2, given.tau)
