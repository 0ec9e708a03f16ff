"""The randomness a client and the readers of its messages share in a round."""

from typing import NamedTuple

from netsim.kernel.streams import Streams


class Seeds(NamedTuple):
    """Seeds of one client's compressor in one round; of all clients' where ``client`` is None."""

    streams: Streams
    round: int
    client: int | None = None

    def shard(self, a: int) -> int:
        """For a compressor that works shard by shard."""
        return self.streams.integer("mask", self.round, a, *self._who)

    def whole(self) -> int:
        """For a compressor that works on the whole vector, however it is cut."""
        return self.streams.integer("dither", self.round, *self._who)

    @property
    def _who(self) -> tuple[int, ...]:
        return () if self.client is None else (self.client,)
