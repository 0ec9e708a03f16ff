"""FL+Gaussian: Gaussian noise, no compression."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.protocols.scale import Scale
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.relative import RelativeNoise


class FlGaussianConfig(ScaledConfig):
    """``sigma``: the noise's deviation."""

    kind: Literal["fl_gaussian"] = "fl_gaussian"
    sigma: Scale = 0.1


@final
class FlGaussian(Central):
    """Ling et al. 2025, Section V-A, baseline FL+Gaussian: FedAvg with Gaussian noise.

    Each coordinate of an update gets N(0, (σ‖u‖/γ)²), the noise of CEPAM-Gaussian; updates
    are sent dense.
    """

    title: ClassVar = "FedAvg with Gaussian noise, uncompressed"
    paper: ClassVar = cepam_paper("Section V-A")
    Config = FlGaussianConfig
    config: FlGaussianConfig

    def steps(self) -> Sequence[Step]:
        given = self.config
        return [RelativeNoise("gaussian", given.sigma, given.gamma, self.context.streams)]
