"""Universal quantisers on the lattice ℤ^d: SDQ, RSUQ and layered RSUQ."""

import math
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.upper import upper_float32
from netsim.wire.deferred import Deferred
from netsim.wire.floats import Float32
from netsim.wire.hashed import Float64, Int64, uniforms
from netsim.wire.layers.base import Layer
from netsim.wire.payload import Payload
from netsim.wire.points import PointCodec, Points
from netsim.wire.shards import Shards

_DITHERS: Final = 4


@final
@dataclass(frozen=True)
class Lattice(Compressor):
    """C(x) = x + (‖x‖/γ) · Z with Z of the ``layer``'s law, independent of x.

    CEPAM, Definition 4 and Algorithms 2 and 3, with cells (−½, ½]^d: blocks of ``dim`` d
    coordinates of x̃ = γ x/‖x‖ are dithered and rounded until the error falls where it may.
    ``gamma`` γ is √n by default, so that Z is relative to the root mean square of x.
    ω = n · variance/γ² (Proposition 14).  All is drawn by the place in the whole vector, so it
    is the same however the vector is cut, between blocks.
    """

    layer: Layer
    dim: int = 1
    gamma: float | None = None

    @property
    def block(self) -> int:
        return self.dim

    def messages(self, x: Deferred[Float32], shards: Shards, seeds: Seeds) -> list[Payload[Any]]:
        seed = seeds.whole()
        whole = Deferred(lambda: self.quantise(x.value(), seed))
        return [self._message(whole, shards, a, seed) for a in range(shards.count)]

    def quantise(self, x_N: Float32, seed: int) -> Points:
        """Points and counts of the whole vector."""
        norm = upper_float32(math.sqrt(float(np.square(x_N, dtype=np.float64).sum())))
        count = -(-len(x_N) // self.dim)
        scaled_Bd = np.zeros((count, self.dim))
        if norm > 0:
            scaled_Bd.ravel()[: len(x_N)] = x_N.astype(np.float64) / self._unit(norm, len(x_N))
        peak = upper_float32(float(np.abs(scaled_Bd).max(initial=0.0)))
        blocks_B = np.arange(count)
        cells_B = self.layer.cells(seed, blocks_B, self.dim)
        points_Bd, counts_B = self._search(scaled_Bd / cells_B[:, None], seed)
        return Points(len(x_N), points_Bd, counts_B, norm, peak)

    def restore(self, value: Any, shards: Shards, a: int, seeds: Seeds) -> Float32:
        points: Points = value
        seed, blocks_B = seeds.whole(), self._blocks(shards, a)
        dithers_Bd = self._dithers(seed, points.counts_B, blocks_B)
        cells_B = self.layer.cells(seed, blocks_B, self.dim)
        scaled_Bd = (points.points_Bd + dithers_Bd) * cells_B[:, None]
        unit = self._unit(points.norm, shards.n)
        return (scaled_Bd.ravel()[: points.n] * unit).astype(np.float32)

    def omega(self, shards: Shards) -> float:
        gamma = self.gamma or math.sqrt(max(shards.n, 1))
        return shards.n * self.layer.variance(self.dim) / gamma**2

    def payload_bits(self, shards: Shards) -> None:
        return None

    def _message(self, whole: Deferred[Points], shards: Shards, a: int, seed: int) -> Payload[Any]:
        blocks_B, size = self._blocks(shards, a), int(shards.sizes[a])
        cells_B = self.layer.cells(seed, blocks_B, self.dim)
        codec = PointCodec(self.dim, self.layer.in_ball and self.dim > 1, cells_B)

        def part() -> Points:
            all_ = whole.value()
            points_Bd, counts_B = all_.points_Bd[blocks_B], all_.counts_B[blocks_B]
            return Points(size, points_Bd, counts_B, all_.norm, all_.peak)

        return codec.payload(Deferred(part), size)

    def _search(self, goals_Bd: Float64, seed: int) -> tuple[Int64, Int64]:
        """For each block the first dither whose error is taken: its point and its number."""
        points_Bd = np.zeros(goals_Bd.shape, np.int64)
        counts_B = np.zeros(len(goals_Bd), np.int64)
        left = np.arange(len(goals_Bd))
        tries = 0
        while len(left):
            tries += 1
            dithers_Ld = self._dithers(seed, np.full(len(left), tries), left)
            found_Ld = np.rint(goals_Bd[left] - dithers_Ld)
            error_Ld = found_Ld + dithers_Ld - goals_Bd[left]
            taken = np.ones(len(left), bool)
            if self.layer.in_ball and self.dim > 1:
                taken = np.square(error_Ld).sum(axis=1) <= 0.25
            points_Bd[left[taken]] = found_Ld[taken].astype(np.int64)
            counts_B[left[taken]] = tries
            left = left[~taken]
        return points_Bd, counts_B

    def _dithers(self, seed: int, counts_B: Int64, blocks_B: Int64) -> Float64:
        """The dither V of each block at its own number of tries, Float64[B, d]."""
        lanes_B = _DITHERS + (counts_B - 1) * self.dim
        columns = [uniforms(seed, lanes_B + d, blocks_B) - 0.5 for d in range(self.dim)]
        return np.stack(columns, axis=1)

    def _blocks(self, shards: Shards, a: int) -> Int64:
        """The blocks of shard ``a``."""
        starts_B = shards.indices(a)[:: self.dim]
        assert (starts_B % self.dim == 0).all(), "a shard that cuts blocks apart"
        return starts_B // self.dim

    def _unit(self, norm: float, n: int) -> float:
        """What x̃ is multiplied with to be x again."""
        return norm / (self.gamma or math.sqrt(max(n, 1)))
