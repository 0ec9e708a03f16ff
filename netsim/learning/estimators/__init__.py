"""How a local step estimates its gradient: one file an estimator."""

from netsim.learning.estimators.base import Estimates, Estimator
from netsim.learning.estimators.saga import Saga
from netsim.learning.estimators.sgd import Sgd
from netsim.learning.estimators.svrg import Svrg

ESTIMATORS: tuple[type[Estimator], ...] = (Sgd, Svrg, Saga)

__all__ = ["ESTIMATORS", "Estimates", "Estimator", "Saga", "Sgd", "Svrg"]
