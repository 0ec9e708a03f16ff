"""SAGA."""

from typing import TYPE_CHECKING, ClassVar, Final, Literal, final

from netsim.learning.errors import Infeasible
from netsim.learning.estimators.base import Estimates, Estimator

if TYPE_CHECKING:
    from netsim.learning.oracle import Oracle

MOST_BYTES: Final = 2 * 2**30
_LOC: Final = ("task", "estimator")


@final
class Saga(Estimator):
    """mean over a batch B of ∇f_j(x) − α_j, plus the mean of all α, the last gradient of each j.

    After a step α_j is ∇f_j(x) for the samples of its batch. All α are taken at the model a
    client starts from in the first round it trains in, so that its first estimate is the full
    gradient. Unbiased, with a variance that goes to zero at the optimum (ERIS, Assumption 3.2
    with C₂ = 0). A client keeps a gradient for each of its samples: 4 bytes · N parameters ·
    samples, for all clients together at most 2 GiB. Source: Defazio, Bach and Lacoste-Julien
    2014, Equation 1.
    """

    kind: Literal["saga"] = "saga"
    remembers: ClassVar[bool] = True

    def start(self, oracle: "Oracle") -> Estimates:
        """As in the base class."""
        if oracle.apart is None:
            raise Infeasible(
                "saga needs gradients of single samples, which batch normalisation "
                "and dropout leave none of; write norm: group, or estimator: svrg",
                *_LOC,
            )
        n, samples = oracle.layout.size, oracle.batches.samples
        if 4 * n * samples > MOST_BYTES:
            raise Infeasible(
                f"saga keeps a gradient of {n} parameters for each of {samples} "
                f"samples, {4 * n * samples / 2**30:.1f} GiB, and may take {MOST_BYTES // 2**30} "
                "GiB; set samples_per_client lower, or write estimator: svrg",
                *_LOC,
            )
        from netsim.learning.estimators.table import Table

        return Table(oracle)

    def work(self, round: int, begins: bool, samples: int, first: int, drawn: int) -> int:
        """As in the base class."""
        return samples + drawn - first if begins else drawn
