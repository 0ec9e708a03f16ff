"""Who holds which training samples: one file a partition."""

from netsim.learning.partitions.base import Partition
from netsim.learning.partitions.dirichlet import Dirichlet
from netsim.learning.partitions.iid import Iid

PARTITIONS: tuple[type[Partition], ...] = (Iid, Dirichlet)

__all__ = ["PARTITIONS", "Dirichlet", "Iid", "Partition"]
