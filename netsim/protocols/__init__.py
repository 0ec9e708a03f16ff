"""Who sends what to whom: one file a protocol.

A new protocol is its file and its line in ``PROTOCOLS``.
"""

from netsim.protocols.base import Protocol
from netsim.protocols.dpsgd import Dpsgd
from netsim.protocols.epidemic import Epidemic
from netsim.protocols.eris import Eris
from netsim.protocols.fedavg import FedAvg
from netsim.protocols.shatter import Shatter

PROTOCOLS: tuple[type[Protocol], ...] = (FedAvg, Dpsgd, Epidemic, Eris, Shatter)


def by_kind(kind: str) -> type[Protocol]:
    """The protocol that a scenario calls ``kind``."""
    return next(each for each in PROTOCOLS if each.Config.model_fields["kind"].default == kind)
