"""Stochastic variance-reduced gradients."""

from typing import TYPE_CHECKING, ClassVar, Literal, final

from pydantic import Field

from netsim.learning.estimators.base import Estimates, Estimator

if TYPE_CHECKING:
    from netsim.learning.oracle import Oracle


@final
class Svrg(Estimator):
    """∇f_B(x) − ∇f_B(w) + ∇f(w) on a batch B, with the client's full gradient at an anchor w.

    The anchor is the model a client starts from in every ``period``-th round (0, ``period``,
    …; the first round it trains in, at the latest), where the estimate is the full gradient.
    Unbiased, with a variance that goes to zero as x and w go to the optimum (ERIS,
    Assumption 3.2 with C₂ = 0). A client keeps two vectors, w and ∇f(w), from round to round.
    Source: Johnson and Zhang 2013, Figure 1, Option I, with an epoch of ``period`` rounds.
    """

    kind: Literal["svrg"] = "svrg"
    remembers: ClassVar[bool] = True
    period: int = Field(default=1, ge=1)

    def start(self, oracle: "Oracle") -> Estimates:
        """As in the base class."""
        from netsim.learning.estimators.anchors import Anchors

        return Anchors(oracle, self.period)

    def work(self, round: int, begins: bool, samples: int, first: int, drawn: int) -> int:
        """As in the base class."""
        renews = begins or round % self.period == 0
        return samples + 2 * (drawn - first) if renews else 2 * drawn
