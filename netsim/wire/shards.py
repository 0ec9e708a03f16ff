"""Partitions of a model's coordinates into shards.

Arrays are cut along their last axis, so that g_KN (clients × parameters) goes in whole.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar, final

import numpy as np
import numpy.typing as npt

from netsim.wire.dense import Dense

Int64 = npt.NDArray[np.int64]
T = TypeVar("T", bound=np.generic)


class Shards(ABC):
    """``n`` coordinates in ``count`` disjoint shards that together hold every one.

    Without ``sizes`` these differ by at most one: the first n mod count shards hold one
    coordinate more.  With more shards than coordinates the last ones are empty.  Within a
    shard coordinates ascend.
    """

    def __init__(self, n: int, count: int, sizes: Int64 | None = None) -> None:
        if n < 0 or count < 1:
            raise ValueError(f"cannot cut {n} coordinates into {count} shards")
        self.n = n
        self.count = count
        if sizes is None:
            sizes = np.full(count, n // count, np.int64)
            sizes[: n % count] += 1
        if len(sizes) != count or sizes.sum() != n or sizes.min() < 0:
            raise ValueError(f"{sizes.tolist()} are no sizes of {count} shards of {n}")
        self.sizes = sizes
        self._starts: list[int] = [0, *np.cumsum(sizes).tolist()]

    @abstractmethod
    def _select(self, a: int) -> slice | Int64: ...

    def selector(self, a: int) -> slice | Int64:
        """What selects shard ``a`` from an axis of n: a slice where one does.

        Raises ``IndexError`` unless 0 ≤ a < count.
        """
        if not 0 <= a < self.count:
            raise IndexError(f"no shard {a} among {self.count}")
        return self._select(a)

    @cached_property
    def float32_bits(self) -> tuple[Int64, Int64]:
        """Payload and wire bits of each shard as a dense message of float32."""
        dense = Dense()
        payload_bits_A = self.sizes * dense.floats.bits
        return payload_bits_A, payload_bits_A + dense.wire_bits(0)

    def take(self, x: npt.NDArray[T], a: int) -> npt.NDArray[T]:
        """Shard ``a`` of ``x`` (…, n), shaped (…, sizes[a]); a view where a slice selects it."""
        assert x.shape[-1] == self.n
        return x[..., self.selector(a)]

    def put(self, x: npt.NDArray[T], a: int, values: npt.NDArray[T]) -> None:
        """Write ``values`` (…, sizes[a]) into shard ``a`` of ``x`` (…, n)."""
        assert x.shape[-1] == self.n
        assert values.shape[-1] == self.sizes[a]
        x[..., self.selector(a)] = values

    def assemble(self, pieces: Sequence[npt.NDArray[T]]) -> npt.NDArray[T]:
        """One array (…, n) from all its shards, in order."""
        assert len(pieces) == self.count
        x = np.empty((*pieces[0].shape[:-1], self.n), pieces[0].dtype)
        for a, values in enumerate(pieces):
            self.put(x, a, values)
        return x

    def indices(self, a: int) -> Int64:
        """The coordinates of shard ``a``, Int64[sizes[a]], ascending."""
        selector = self.selector(a)
        if isinstance(selector, slice):
            return np.arange(selector.start, selector.stop, selector.step, dtype=np.int64)
        return selector

    def last(self, a: int, count: int) -> int:
        """How many of the last ``count`` coordinates shard ``a`` holds; its own last ones."""
        if not count:
            return 0
        selector, first = self.selector(a), self.n - count
        if isinstance(selector, slice) and selector.step == 1:
            return max(0, int(selector.stop) - max(int(selector.start), first))
        return int(np.count_nonzero(self.indices(a) >= first))

    def owner_of(self) -> Int64:
        """The shard of each coordinate, Int64[n]."""
        owner_N = np.empty(self.n, np.int64)
        for a in range(self.count):
            owner_N[self.selector(a)] = a
        return owner_N

    def _start(self, a: int) -> int:
        """How many coordinates the shards before ``a`` hold."""
        return self._starts[a]


@final
class ContiguousShards(Shards):
    """Each shard is one stretch of coordinates."""

    def _select(self, a: int) -> slice:
        return slice(self._start(a), self._start(a + 1), 1)


@final
class InterleavedShards(Shards):
    """Coordinate i is in shard i mod count."""

    def __init__(self, n: int, count: int) -> None:
        super().__init__(n, count)

    def _select(self, a: int) -> slice:
        return slice(a, self.n, self.count)


@final
class RandomShards(Shards):
    """Coordinates dealt at random.

    ``rng`` is used by these shards alone: it is drawn from once, when a coordinate is first
    asked for, so that sizes alone cost nothing.
    """

    def __init__(
        self, n: int, count: int, rng: np.random.Generator, sizes: Int64 | None = None
    ) -> None:
        super().__init__(n, count, sizes)
        self._rng = rng

    def _select(self, a: int) -> Int64:
        return self._order_N[self._start(a) : self._start(a + 1)]

    @cached_property
    def _order_N(self) -> Int64:
        labels = np.arange(self.count, dtype=np.min_scalar_type(self.count - 1))
        return np.argsort(self._rng.permutation(np.repeat(labels, self.sizes)), kind="stable")


@final
class BlockShards(Shards):
    """Blocks of ``block`` consecutive coordinates cut as ``blocks`` says, never in themselves.

    The last block is shorter where ``block`` does not divide n.
    """

    def __init__(self, n: int, block: int, blocks: Shards) -> None:
        assert blocks.n == -(-n // block)
        sizes = blocks.sizes * block
        if blocks.n:
            sizes[blocks.owner_of()[-1]] -= blocks.n * block - n
        super().__init__(n, blocks.count, sizes)
        self._block = block
        self._blocks = blocks

    def _select(self, a: int) -> slice | Int64:
        chosen = self._blocks.selector(a)
        if isinstance(chosen, slice) and chosen.step == 1:
            return slice(chosen.start * self._block, min(chosen.stop * self._block, self.n), 1)
        indices_B = self._blocks.indices(a)
        inside = (indices_B[:, None] * self._block + np.arange(self._block)).ravel()
        return inside[inside < self.n]
