"""Which exchange a ``compression:`` section asks for."""

from netsim.kernel.streams import Streams
from netsim.learning.base import Task
from netsim.protocols.compression import Compression, RandKCompression
from netsim.protocols.exchange import Exchange, Weights
from netsim.protocols.mirrored import MirroredExchange
from netsim.protocols.participation import Sampling
from netsim.protocols.shifted import ShiftedExchange


def shifted_exchange(
    task: Task, weights: Weights, streams: Streams, config: Compression, sampling: Sampling
) -> Exchange:
    """Shifted compression with a dense downlink, or with a compressed one."""
    if isinstance(config, RandKCompression) and config.downlink == "compressed":
        return MirroredExchange(task, weights, streams, config)
    return ShiftedExchange(task, weights, streams, config, sampling)
