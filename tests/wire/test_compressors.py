"""Every compressor: unbiased, within its ω, exact in size, the same however the vector is cut.

Statistical tests use fixed seeds.  Each would fail by chance with probability below 1e-6 on a
right implementation (bounds of five standard errors and more).
"""

import math

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.wire.compressors.bernoulli import Bernoulli
from netsim.wire.compressors.identity import Identity
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.compressors.pruned import Pruned
from netsim.wire.compressors.qsgd import Qsgd
from netsim.wire.compressors.rand_k import RandKCompressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.compressors.top_k import TopK
from netsim.wire.compressors.uniform import Uniform
from netsim.wire.deferred import Deferred
from netsim.wire.header import HEADER_BITS, Envelope
from netsim.wire.layers.constant import Ball, Cell
from netsim.wire.layers.gaussian import Gaussian
from netsim.wire.layers.laplace import Laplace
from netsim.wire.shards import BlockShards, ContiguousShards, RandomShards
from netsim.wire.sparse import Sparse
from netsim.wire.sparsify import RandK

UNBIASED = [
    Identity(),
    RandKCompressor(RandK(0.3)),
    Bernoulli(0.3),
    Qsgd(1),
    Qsgd(16, "fixed"),
    Uniform(2),
    Uniform(9),
    Lattice(Cell(0.7)),
    Lattice(Ball(0.5), 2),
    Lattice(Ball(0.5), 3),
    Lattice(Gaussian(0.3), 1),
    Lattice(Gaussian(0.3), 2),
    Lattice(Gaussian(0.3), 3, gamma=4.0),
    Lattice(Laplace(0.2)),
]
ALL = [*UNBIASED, TopK(0.2), Pruned(0.2)]
WHOLE = [each for each in ALL if not isinstance(each, RandKCompressor)]


def seeds(number):
    return Seeds(Streams(number), 3, 1)


def dense(value):
    return value.dense() if isinstance(value, Sparse) else value


def compressed(compressor, x, shards, number=0, wire=False):
    """C(x), reassembled from the messages to the owners of shards."""
    messages = compressor.messages(Deferred.of(x), shards, seeds(number))
    if wire:
        messages = [each.through_wire(Envelope(part=a)) for a, each in enumerate(messages)]
    parts = [
        dense(compressor.restore(each.value.value(), shards, a, seeds(number)))
        for a, each in enumerate(messages)
    ]
    return shards.assemble(parts), messages


def vector(n, seed=1):
    x = np.random.default_rng(seed).standard_normal(n).astype(np.float32)
    x[: n // 4] *= 5
    return x


@pytest.mark.parametrize("compressor", UNBIASED, ids=str)
def test_unbiased_and_within_omega(compressor):
    """Means of 800 draws within 6 standard errors, mean squared error at most ω‖x‖² (+ 6)."""
    x, draws = vector(24), 800
    x += np.copysign(np.float32(0.5), x)
    whole = ContiguousShards(24, 1)
    found = np.array(
        [compressed(compressor, x, whole, number)[0] for number in range(draws)], np.float64
    )
    deviation = found.std(axis=0) / math.sqrt(draws)
    assert (np.abs(found.mean(axis=0) - x) <= 6 * deviation + 1e-5 * np.abs(x)).all()
    errors = np.square(found - x).sum(axis=1)
    omega = compressor.omega(whole)
    slack = 6 * errors.std() / math.sqrt(draws) + 1e-6
    assert errors.mean() <= omega * np.square(x, dtype=np.float64).sum() + slack


@pytest.mark.parametrize("compressor", [Lattice(Gaussian(0.3), 2), Lattice(Cell(0.7))], ids=str)
def test_the_lattice_attains_its_omega(compressor):
    """E‖C(x) − x‖² is ω‖x‖², not just below it: within 6 standard errors over 800 draws."""
    x = vector(24)
    whole = ContiguousShards(24, 1)
    found = [compressed(compressor, x, whole, number)[0] - x for number in range(800)]
    errors = np.square(np.array(found, np.float64)).sum(axis=1)
    expected = compressor.omega(whole) * np.square(x, dtype=np.float64).sum()
    assert abs(errors.mean() - expected) < 6 * errors.std() / math.sqrt(800)


def test_biased_ones_have_no_omega():
    """Top-k keeps the largest, pruning leaves them out; neither claims an ω."""
    x, whole = np.array([3, -5, 1, 0.5, 5], np.float32), ContiguousShards(5, 1)
    assert compressed(TopK(0.4), x, whole)[0].tolist() == [0, -5, 0, 0, 5]
    assert compressed(Pruned(0.4), x, whole)[0].tolist() == [3, 0, 1, 0.5, 0]
    assert compressed(Pruned(0.4, spared=3), x, whole)[0].tolist() == [3, 0, 1, 0.5, 5]
    assert TopK(0.4).omega(whole) is Pruned(0.4).omega(whole) is None


@pytest.mark.parametrize("compressor", ALL, ids=str)
@pytest.mark.parametrize("n", [0, 1, 7, 100])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e18])
def test_sizes_are_those_of_the_encoding(compressor, n, scale):
    """Encoding has the announced bits and decodes to the same message, whatever the vector."""
    x = vector(n) * np.float32(scale)
    shards = cut(compressor, n, 3)
    sized, messages = compressed(compressor, x, shards)
    encoded, _ = compressed(compressor, x, shards, wire=True)
    assert sized.tobytes() == encoded.tobytes()
    for each in messages:
        assert each.payload_bits <= each.wire_bits - HEADER_BITS
    expected = compressor.payload_bits(shards)
    assert expected is None or expected == sum(each.payload_bits for each in messages)


@pytest.mark.parametrize("compressor", WHOLE, ids=str)
def test_the_same_bits_however_it_is_cut(compressor):
    """Contiguous or dealt at random in blocks, with one owner or many."""
    x = vector(301)
    whole = compressed(compressor, x, ContiguousShards(301, 1))[0]
    for count in (2, 7):
        blocks = -(-301 // compressor.block)
        dealt = RandomShards(blocks, count, np.random.default_rng(count))
        for shards in (
            cut(compressor, 301, count),
            BlockShards(301, compressor.block, dealt),
        ):
            assert compressed(compressor, x, shards)[0].tobytes() == whole.tobytes()


def cut(compressor, n, count):
    blocks = -(-n // compressor.block)
    return BlockShards(n, compressor.block, ContiguousShards(blocks, count))


def test_fixed_width_levels_take_what_their_number_needs():
    """QSGD with s levels: ⌈log₂(2s + 1)⌉ bits a coordinate; uniform with L: ⌈log₂ L⌉."""
    shards = ContiguousShards(10, 1)
    assert Qsgd(1, "fixed").payload_bits(shards) == 20
    assert Qsgd(4, "fixed").payload_bits(shards) == 40
    assert Uniform(2).payload_bits(shards) == 10
    assert Uniform(9).payload_bits(shards) == 40


def test_elias_sizes_by_hand():
    """Levels 0, 3, 0, 0, −1: gaps 2 and 3 (3 bits each), magnitudes 3 (3) and 1 (1), 2 signs."""
    from netsim.wire.elias import EliasLevels
    from netsim.wire.levels import Levels

    sizes = EliasLevels().sizes(Levels(np.array([0, 3, 0, 0, -1]), 1.0))
    assert sizes.payload_bits == 3 + 1 + 2
    assert sizes.wire_bits == HEADER_BITS + 32 + 32 + 6 + 6
