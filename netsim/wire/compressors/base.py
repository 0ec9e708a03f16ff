"""What every compressor is."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from netsim.network.messages import Batch
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.floats import Float32
from netsim.wire.payload import Payload
from netsim.wire.shards import Shards
from netsim.wire.sparse import Sparse

Restored = Float32 | Sparse


class Compressor(ABC):
    """A map C of vectors and the messages that carry C(x) to the owners of x's shards.

    C is unbiased with E‖C(x) − x‖² ≤ ω‖x‖² where ``omega`` gives an ω (ERIS, Definition 3.4).
    ``kept_bits`` is what each coordinate that is sent takes, where others are left out; None
    where a message tells of all coordinates of its shard.
    """

    kept_bits: ClassVar[int | None] = None

    @property
    def block(self) -> int:
        """How many consecutive coordinates are coded together and never cut apart."""
        return 1

    def sparing(self, count: int) -> "Compressor":
        """The compressor for vectors whose last ``count`` coordinates are running statistics.

        One that leaves out coordinates at random sends all of these, as they are: scaled by
        1 + ω they would be no statistics any more.  Others treat them as all else.
        """
        return self

    @abstractmethod
    def messages(
        self, x: Deferred[Float32], shards: Shards, seeds: Seeds
    ) -> list[Payload[Any]] | Batch:
        """C(x) as a payload for the owner of each shard."""

    @abstractmethod
    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Restored:
        """Shard ``a`` of C(x), from what the payload delivered."""

    @abstractmethod
    def omega(self, shards: Shards) -> float | None:
        """ω for vectors cut like this; None for a biased compressor."""

    @abstractmethod
    def payload_bits(self, shards: Shards) -> int | None:
        """Payload of all messages of a vector; None where it depends on the vector."""
