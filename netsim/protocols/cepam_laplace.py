"""CEPAM-Laplace: one quantiser for compression and Laplace noise."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, final

from pydantic import Field

from netsim.privacy.cepam import Guarantee, laplace_guarantee
from netsim.protocols.base import Context
from netsim.protocols.central import Central
from netsim.protocols.cepam import ScaledConfig, cepam_paper, guarantee_notes
from netsim.protocols.scale import Scale
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.layers.laplace import Laplace


class CepamLaplaceConfig(ScaledConfig):
    """``b``: the noise's scale.

    ``base_epsilon`` is the ε̃ at which Theorem 13 is evaluated for the notes of a run; by
    default 2τγ/b, the least for which δ is 0.
    """

    kind: Literal["cepam_laplace"] = "cepam_laplace"
    b: Scale = 0.1
    base_epsilon: float | None = Field(default=None, gt=0, le=1e100)

    def needs_values(self) -> bool:
        return True


@final
class CepamLaplace(Central):
    """Ling et al. 2025, Algorithms 1 to 3 with Theorem 13: LRSUQ on the lattice ℤ.

    As CEPAM-Gaussian, with an error of exactly Lap(0, b‖u‖/γ) in each coordinate; every try is
    accepted, so no counts are sent.  ``notes`` has the (ε, δ) of Theorem 13, of a coordinate
    and on its assumptions (see ``netsim.privacy.cepam``).
    """

    title: ClassVar = "FedAvg through a layered universal quantiser with Laplace error"
    paper: ClassVar = cepam_paper("Algorithms 1-3, Theorem 13")
    Config = CepamLaplaceConfig

    def __init__(self, config: CepamLaplaceConfig, context: Context) -> None:
        self._lattice = Lattice(Laplace(config.b), 1, config.gamma)
        super().__init__(config, context)

    def compressor(self) -> Compressor:
        return self._lattice

    def notes(self) -> Mapping[str, Any]:
        def of_client(client: int, sensitivity: float, steps: int, share: float) -> Guarantee:
            ratio = sensitivity / self.config.b
            return laplace_guarantee(ratio, self.config.base_epsilon or ratio, steps, share)

        return {**super().notes(), **guarantee_notes(self, self.rounds_played, of_client)}
