"""Random sparsifiers leave running statistics, the last coordinates, as they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.wire.compressors.bernoulli import Bernoulli
from netsim.wire.compressors.identity import Identity
from netsim.wire.compressors.rand_k import RandKCompressor
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.header import Envelope
from netsim.wire.shards import ContiguousShards, InterleavedShards, RandomShards
from netsim.wire.sparsify import RandK

CUTS = {
    "contiguous": ContiguousShards,
    "interleaved": InterleavedShards,
    "random": lambda n, count: RandomShards(n, count, np.random.default_rng(n)),
}
COMPRESSORS = {
    "rand_k": lambda keep: RandKCompressor(RandK(keep)),
    "bernoulli": Bernoulli,
}


def compressed(compressor, x, shards):
    """C(x) through real messages, and how many bits they carry."""
    seeds = Seeds(Streams(7), 2, 1)
    messages = compressor.messages(Deferred.of(x), shards, seeds)
    sent = [each.through_wire(Envelope(part=a)) for a, each in enumerate(messages)]
    parts = [
        compressor.restore(each.value.value(), shards, a, seeds).dense()
        for a, each in enumerate(sent)
    ]
    return shards.assemble(parts), sum(each.payload_bits for each in sent)


@given(
    kind=st.sampled_from(sorted(COMPRESSORS)),
    cut=st.sampled_from(sorted(CUTS)),
    count=st.integers(1, 6),
    drawn=st.integers(0, 40),
    spared=st.integers(0, 20),
    keep=st.floats(0.01, 1),
)
def test_they_arrive_unchanged(kind, cut, count, drawn, spared, keep):
    """To the bit, wherever the vector is cut; the others are scaled as if there were none."""
    n = drawn + spared
    x = np.random.default_rng(n).normal(1, 5, n).astype(np.float32)
    shards = CUTS[cut](n, count)
    compressor = COMPRESSORS[kind](keep).sparing(spared)
    found, bits = compressed(compressor, x, shards)
    assert found[drawn:].tobytes() == x[drawn:].tobytes()
    kept = np.flatnonzero(found[:drawn])
    assert bits == 32 * (len(kept) + spared)
    assert compressor.payload_bits(shards) in (bits, None)
    if kind == "bernoulli":
        scaled = x[kept] * np.float32(1 / keep)
        assert found[kept].tobytes() == scaled.tobytes()
    whole = compressor.omega(ContiguousShards(n, 1))
    alone = COMPRESSORS[kind](keep).omega(ContiguousShards(drawn, 1))
    assert whole == alone


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_the_others_are_drawn_as_ever(kind):
    """In one shard the first 60 of 80 coordinates are compressed as a vector of 60 alone."""
    x = np.random.default_rng(3).normal(size=80).astype(np.float32)
    beside, _ = compressed(COMPRESSORS[kind](0.2).sparing(20), x, ContiguousShards(80, 1))
    alone, _ = compressed(COMPRESSORS[kind](0.2), x[:60], ContiguousShards(60, 1))
    assert beside[:60].tobytes() == alone.tobytes()


def test_quantisers_treat_them_as_all_else():
    """There is nothing to spare where nothing is left out."""
    identity = Identity()
    assert identity.sparing(5) is identity


@given(st.sampled_from(sorted(CUTS)), st.integers(1, 7), st.integers(0, 50), st.data())
def test_how_many_of_the_last_a_shard_holds(cut, count, n, data):
    """Counted one by one."""
    last, shards = data.draw(st.integers(0, n)), CUTS[cut](n, count)
    owner_N = shards.owner_of()
    expected = np.bincount(owner_N[n - last :], minlength=count)
    assert [shards.last(a, last) for a in range(count)] == expected.tolist()
