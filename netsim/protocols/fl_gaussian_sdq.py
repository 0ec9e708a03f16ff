"""FL+Gaussian+SDQ: Gaussian noise, then quantisation."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.protocols.scale import Scale
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.relative import RelativeNoise
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.layers.constant import Cell


class FlGaussianSdqConfig(ScaledConfig):
    """``sigma``: the noise's deviation; ``step``: the side of a cell."""

    kind: Literal["fl_gaussian_sdq"] = "fl_gaussian_sdq"
    sigma: Scale = 0.1
    step: Scale = 1.0

    def needs_values(self) -> bool:
        return True


@final
class FlGaussianSdq(Central):
    """Ling et al. 2025, Section V-A, baseline FL+Gaussian+SDQ: noise, then dithering.

    As FL+Gaussian, then as FL+SDQ in units of the noisy update's norm over γ.
    """

    title: ClassVar = "FedAvg with Gaussian noise, then dithered quantisation"
    paper: ClassVar = cepam_paper("Section V-A")
    Config = FlGaussianSdqConfig
    config: FlGaussianSdqConfig

    def steps(self) -> Sequence[Step]:
        given = self.config
        return [RelativeNoise("gaussian", given.sigma, given.gamma, self.context.streams)]

    def compressor(self) -> Compressor:
        return Lattice(Cell(self.config.step), 1, self.config.gamma)
