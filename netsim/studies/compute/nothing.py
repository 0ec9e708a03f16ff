"""Computing that takes no time."""

from collections.abc import Sequence
from typing import ClassVar, Literal, final

from netsim.kernel.streams import Streams
from netsim.studies.compute.base import Compute, Timer


@final
class NoTime(Compute):
    """Training takes no time: what formulas of distribution time assume."""

    kind: Literal["none"] = "none"
    instant: ClassVar = True

    def timer(self, clients: int, class_K: Sequence[str], streams: Streams) -> Timer:
        """As in the base class."""
        return lambda client, round, samples: 0.0
