"""CEPAM-Gaussian: one quantiser for compression and Gaussian noise."""

from typing import ClassVar, Literal, final

from pydantic import Field

from netsim.protocols.base import Context
from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.layers.gaussian import Gaussian


class CepamGaussianConfig(ScaledConfig):
    """``sigma`` σ of the noise, and ``lattice_dim`` n, coordinates quantised together."""

    kind: Literal["cepam_gaussian"] = "cepam_gaussian"
    sigma: float = Field(default=0.1, gt=0)
    lattice_dim: int = Field(default=1, ge=1, le=3)

    def needs_values(self) -> bool:
        return True

    def describe(self, clients: int) -> str:
        return f"{self.kind} (n={self.lattice_dim}){self.layer().suffix(clients)}"


@final
class CepamGaussian(Central):
    """Ling et al. 2025, Algorithms 1 to 3 with Theorem 12: LRSUQ on the lattice ℤ^n.

    Each client quantises its update so that the error is exactly N(0, (σ‖u‖/γ)²) in each
    coordinate, and sends iteration counts and lattice points in prefix codes, with the norm
    and the largest scaled magnitude (64 bit of wire).  The dither that Algorithm 2, line 10
    omits is there.  Down comes the dense model.
    """

    title: ClassVar = "FedAvg through a layered universal quantiser with Gaussian error"
    paper: ClassVar = cepam_paper("Algorithms 1-3, Theorem 12")
    Config = CepamGaussianConfig

    def __init__(self, config: CepamGaussianConfig, context: Context) -> None:
        self._lattice = Lattice(Gaussian(config.sigma), config.lattice_dim, config.gamma)
        super().__init__(config, context)

    def compressor(self) -> Compressor:
        return self._lattice
