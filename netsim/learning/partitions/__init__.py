"""Who holds which training samples: one file a partition."""

from netsim.learning.partitions.base import Partition
from netsim.learning.partitions.by_user import ByUser
from netsim.learning.partitions.dirichlet import Dirichlet
from netsim.learning.partitions.iid import Iid
from netsim.learning.partitions.shards import Shards

PARTITIONS: tuple[type[Partition], ...] = (Iid, Dirichlet, Shards, ByUser)

__all__ = ["PARTITIONS", "ByUser", "Dirichlet", "Iid", "Partition", "Shards"]
