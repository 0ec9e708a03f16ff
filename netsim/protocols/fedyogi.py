"""FedYogi: Yogi at the server."""

from typing import ClassVar, Literal, final

from netsim.protocols.base import Paper
from netsim.protocols.central import Central
from netsim.protocols.fedadam import REDDI, AdaptiveConfig
from netsim.protocols.optimisers.adaptive import Yogi
from netsim.protocols.optimisers.base import Optimiser


class FedYogiConfig(AdaptiveConfig):
    """Steps of Yogi by the server, on the clients' mean update."""

    kind: Literal["fedyogi"] = "fedyogi"


@final
class FedYogi(Central):
    """Reddi et al. 2021, Algorithm 2, FedYogi: FedAvg's messages, Yogi's step.

    Under FSA each aggregator keeps the moments of its shard; where masks are redrawn they move
    with the coordinates (kind ``handover``).
    """

    title: ClassVar = "FedAvg with Yogi at the server"
    paper: ClassVar = Paper("Reddi et al., ICLR 2021, Algorithm 2", REDDI)
    Config = FedYogiConfig
    config: FedYogiConfig

    def optimiser(self) -> Optimiser:
        given = self.config
        return Yogi(given.server_lr, given.beta1, given.beta2, given.tau)
