"""FL+Laplace: Laplace noise, no compression."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.protocols.scale import Scale
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.relative import RelativeNoise


class FlLaplaceConfig(ScaledConfig):
    """``b``: the noise's scale."""

    kind: Literal["fl_laplace"] = "fl_laplace"
    b: Scale = 0.1


@final
class FlLaplace(Central):
    """Ling et al. 2025, Section V-A, baseline FL+Laplace: FedAvg with Laplace noise.

    Each coordinate of an update gets Lap(0, b‖u‖/γ), the noise of CEPAM-Laplace; updates are
    sent dense.
    """

    title: ClassVar = "FedAvg with Laplace noise, uncompressed"
    paper: ClassVar = cepam_paper("Section V-A")
    Config = FlLaplaceConfig
    config: FlLaplaceConfig

    def steps(self) -> Sequence[Step]:
        given = self.config
        return [RelativeNoise("laplace", given.b, given.gamma, self.context.streams)]
