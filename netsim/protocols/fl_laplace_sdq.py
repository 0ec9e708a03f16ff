"""FL+Laplace+SDQ: Laplace noise, then quantisation."""

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


class FlLaplaceSdqConfig(ScaledConfig):
    """``b``: the noise's scale; ``step``: the side of a cell."""

    kind: Literal["fl_laplace_sdq"] = "fl_laplace_sdq"
    b: Scale = 0.1
    step: Scale = 1.0

    def needs_values(self) -> bool:
        return True


@final
class FlLaplaceSdq(Central):
    """Ling et al. 2025, Section V-A, baseline FL+Laplace+SDQ: noise, then dithering.

    As FL+Laplace, then as FL+SDQ in units of the noisy update's norm over γ.
    """

    title: ClassVar = "FedAvg with Laplace noise, then dithered quantisation"
    paper: ClassVar = cepam_paper("Section V-A")
    Config = FlLaplaceSdqConfig
    config: FlLaplaceSdqConfig

    def steps(self) -> Sequence[Step]:
        given = self.config
        return [RelativeNoise("laplace", given.b, given.gamma, self.context.streams)]

    def compressor(self) -> Compressor:
        return Lattice(Cell(self.config.step), 1, self.config.gamma)
