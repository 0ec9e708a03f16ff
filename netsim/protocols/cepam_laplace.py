"""CEPAM-Laplace: one quantiser for compression and Laplace noise."""

from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.protocols.base import Context
from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.layers.laplace import Laplace


class CepamLaplaceConfig(ScaledConfig):
    """``b``: the noise's scale."""

    kind: Literal["cepam_laplace"] = "cepam_laplace"
    b: float = Field(default=0.1, gt=0)

    def needs_values(self) -> bool:
        return True


@final
class CepamLaplace(Central):
    """Ling et al. 2025, Algorithms 1 to 3 with Theorem 13: LRSUQ on the lattice ℤ.

    As CEPAM-Gaussian, with an error of exactly Lap(0, b‖u‖/γ) in each coordinate; every try is
    accepted, so no counts are sent.
    """

    title: ClassVar = "FedAvg through a layered universal quantiser with Laplace error"
    paper: ClassVar = cepam_paper("Algorithms 1-3, Theorem 13")
    Config = CepamLaplaceConfig

    def __init__(self, config: CepamLaplaceConfig, context: Context) -> None:
        self._lattice = Lattice(Laplace(config.b), 1, config.gamma)
        super().__init__(config, context)

    def compressor(self) -> Compressor:
        return self._lattice
