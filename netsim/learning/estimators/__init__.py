"""How a local step estimates its gradient: one file an estimator."""

from netsim.learning.estimators.base import Estimator
from netsim.learning.estimators.sgd import Sgd

ESTIMATORS: tuple[type[Estimator], ...] = (Sgd,)

__all__ = ["ESTIMATORS", "Estimator", "Sgd"]
