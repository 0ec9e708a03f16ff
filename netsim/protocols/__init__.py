"""Who sends what to whom: one file a protocol.

A new protocol is its file and its line in ``PROTOCOLS``.
"""

from netsim.protocols.ako import Ako
from netsim.protocols.base import Protocol
from netsim.protocols.cepam_gaussian import CepamGaussian
from netsim.protocols.cepam_laplace import CepamLaplace
from netsim.protocols.dp_sgd import DpSgd
from netsim.protocols.dpsgd import Dpsgd
from netsim.protocols.el_local import ElLocal
from netsim.protocols.epidemic import Epidemic
from netsim.protocols.eris import Eris
from netsim.protocols.fedadam import FedAdam
from netsim.protocols.fedavg import FedAvg
from netsim.protocols.fedavg_ldp import FedAvgLdp
from netsim.protocols.fednova import FedNova
from netsim.protocols.fedyogi import FedYogi
from netsim.protocols.fl_gaussian import FlGaussian
from netsim.protocols.fl_gaussian_sdq import FlGaussianSdq
from netsim.protocols.fl_laplace import FlLaplace
from netsim.protocols.fl_laplace_sdq import FlLaplaceSdq
from netsim.protocols.fl_sdq import FlSdq
from netsim.protocols.min_leakage import MinLeakage
from netsim.protocols.muffliato import Muffliato
from netsim.protocols.priprune import PriPrune
from netsim.protocols.q_dpsgd import QDpsgd
from netsim.protocols.shatter import Shatter
from netsim.protocols.soteriafl import SoteriaFl
from netsim.protocols.sparse_dpsgd import SparseDpsgd

PROTOCOLS: tuple[type[Protocol], ...] = (
    FedAvg,
    FedAdam,
    FedYogi,
    FedNova,
    FedAvgLdp,
    SoteriaFl,
    PriPrune,
    CepamGaussian,
    CepamLaplace,
    FlSdq,
    FlGaussian,
    FlLaplace,
    FlGaussianSdq,
    FlLaplaceSdq,
    MinLeakage,
    Dpsgd,
    Epidemic,
    ElLocal,
    SparseDpsgd,
    DpSgd,
    QDpsgd,
    Muffliato,
    Ako,
    Eris,
    Shatter,
)


def by_kind(kind: str) -> type[Protocol]:
    """The protocol that a scenario calls ``kind``."""
    return next(each for each in PROTOCOLS if each.Config.model_fields["kind"].default == kind)
