"""CEPAM-Gaussian: one quantiser for compression and Gaussian noise."""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, final

from pydantic import Field

from netsim.privacy.cepam import Guarantee, gaussian_guarantee
from netsim.protocols.base import Context
from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper, guarantee_notes
from netsim.protocols.scale import Scale
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.compressors.rates import count_bits, count_entropy
from netsim.wire.layers.gaussian import Gaussian


class CepamGaussianConfig(ScaledConfig):
    """``sigma`` σ of the noise, and ``lattice_dim`` n, coordinates quantised together.

    ``base_epsilon`` is the ε̃ at which Theorem 12 is evaluated for the notes of a run.
    """

    kind: Literal["cepam_gaussian"] = "cepam_gaussian"
    sigma: Scale = 0.1
    lattice_dim: int = Field(default=1, ge=1, le=3)
    base_epsilon: float = Field(default=5.9, gt=0, le=1e100)

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

    ``notes`` has the (ε, δ) of Theorem 12 of a round and of all so far, on its assumptions
    (see ``netsim.privacy.cepam``) and for norms that are equal.  At the default γ the noise is
    so small that δ is what Eq. 16 gives without any: so is the 9.69e-3 that the paper prints.
    Beside it stand the bits that a block's count takes in the mean, as sent (unary) and as the
    paper counts (its entropy); points take the same either way.
    """

    title: ClassVar = "FedAvg through a layered universal quantiser with Gaussian error"
    paper: ClassVar = cepam_paper("Algorithms 1-3, Theorem 12")
    Config = CepamGaussianConfig

    def __init__(self, config: CepamGaussianConfig, context: Context) -> None:
        self._lattice = Lattice(Gaussian(config.sigma), config.lattice_dim, config.gamma)
        super().__init__(config, context)

    def compressor(self) -> Compressor:
        return self._lattice

    def notes(self) -> Mapping[str, Any]:
        weights = self.weights(self.trainers, self.config.weights)
        deviation = self.config.sigma * math.sqrt(sum(w * w for w in weights.values()))

        def of_client(client: int, sensitivity: float, steps: int, share: float) -> Guarantee:
            ratio = weights[client] * sensitivity / deviation
            return gaussian_guarantee(ratio, self.config.base_epsilon, steps, share)

        counts = {
            "count_bits_per_block": count_bits(self._lattice.layer, self._lattice.dim),
            "count_entropy_per_block": count_entropy(self._lattice.layer, self._lattice.dim),
        }
        spent = guarantee_notes(self, self.rounds_played, of_client)
        return {**super().notes(), **counts, **spent}
