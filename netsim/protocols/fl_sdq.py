"""FL+SDQ: scalar subtractive dithering, no privacy."""

from typing import ClassVar, Literal, final

from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.protocols.scale import Scale
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.layers.constant import Cell


class FlSdqConfig(ScaledConfig):
    """``step``: the side of a cell."""

    kind: Literal["fl_sdq"] = "fl_sdq"
    step: Scale = 1.0

    def needs_values(self) -> bool:
        return True


@final
class FlSdq(Central):
    """Ling et al. 2025, Section V-A, baseline FL+SDQ: FedAvg with scalar dithering.

    Cells have side ``step`` in units of ‖update‖/γ, the paper's being 1; a coordinate's point is
    sent in fixed width, with the norm and the largest magnitude (64 bit of wire).
    """

    title: ClassVar = "FedAvg with scalar subtractive dithered quantisation"
    paper: ClassVar = cepam_paper("Section V-A")
    Config = FlSdqConfig
    config: FlSdqConfig

    def compressor(self) -> Compressor:
        return Lattice(Cell(self.config.step), 1, self.config.gamma)
