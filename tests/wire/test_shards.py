"""Partitions: disjoint, complete, even, and back again."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.wire.shards import ContiguousShards, InterleavedShards, RandomShards, Shards

Make = Callable[[int, int], Shards]


def random_shards(n: int, count: int) -> Shards:
    return RandomShards(n, count, Streams(1).rng("shards"))


each_kind = pytest.mark.parametrize("make", [ContiguousShards, InterleavedShards, random_shards])
sizes = given(n=st.integers(0, 200), count=st.integers(1, 20))


@each_kind
@sizes
def test_disjoint_and_complete(make: Make, n: int, count: int) -> None:
    """Every coordinate is in one shard, ascending there, and the sizes are as announced."""
    shards = make(n, count)
    pieces = [shards.indices(a) for a in range(count)]
    assert sorted(np.concatenate(pieces).tolist()) == list(range(n))
    assert all((np.diff(piece) > 0).all() for piece in pieces)
    assert [len(piece) for piece in pieces] == shards.sizes.tolist()
    assert shards.sizes.max() - shards.sizes.min() <= 1
    assert shards.sizes.tolist() == sorted(shards.sizes, reverse=True)


@each_kind
@sizes
def test_round_trip(make: Make, n: int, count: int) -> None:
    """Taken apart and assembled, one row or several: the same array, of the same type."""
    shards = make(n, count)
    for x in (np.arange(n, dtype=np.float32), np.arange(3 * n, dtype=np.int16).reshape(3, n)):
        pieces = [shards.take(x, a) for a in range(count)]
        assert [piece.shape[-1] for piece in pieces] == shards.sizes.tolist()
        whole = shards.assemble(pieces)
        assert whole.dtype == x.dtype
        assert whole.tolist() == x.tolist()


@each_kind
@sizes
def test_owner_put_and_indices_agree(make: Make, n: int, count: int) -> None:
    """The three ways to say who owns a coordinate say the same."""
    shards = make(n, count)
    labels = np.full(n, -1)
    for a in range(count):
        shards.put(labels, a, np.full(shards.sizes[a], a))
        assert (shards.owner_of()[shards.indices(a)] == a).all()
    assert labels.tolist() == shards.owner_of().tolist()


def test_where_coordinates_go() -> None:
    """Seven coordinates in three shards, by hand."""
    assert ContiguousShards(7, 3).owner_of().tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert InterleavedShards(7, 3).owner_of().tolist() == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize("make", [ContiguousShards, InterleavedShards])
def test_huge_models_cost_nothing(make: Make) -> None:
    """A model of 1.3 billion parameters is cut by slices."""
    shards = make(1_300_000_000, 7)
    assert shards.sizes.sum() == 1_300_000_000
    chosen = [shards.selector(a) for a in range(7)]
    assert all(isinstance(selector, slice) for selector in chosen)
    assert [len(range(1_300_000_000)[s]) for s in chosen] == shards.sizes.tolist()


class Untouchable(np.random.Generator):
    """A generator that must not be drawn from."""

    def permutation(self, *_: object) -> np.ndarray:
        raise AssertionError("drawn from")


def test_random_shards_draw_when_needed() -> None:
    """Sizes alone draw nothing; coordinates do, once."""
    huge = RandomShards(1_300_000_000, 7, Untouchable(np.random.PCG64(0)))
    assert huge.sizes.sum() == 1_300_000_000
    shards = random_shards(100, 7)
    assert shards.owner_of().tolist() == shards.owner_of().tolist()
    assert shards.owner_of().tolist() == random_shards(100, 7).owner_of().tolist()
    assert shards.owner_of().tolist() != InterleavedShards(100, 7).owner_of().tolist()


def test_random_shards_are_uniform() -> None:
    """Over 4000 deals coordinate 0 of 10 meets each other one in a shard of 5 equally often.

    Each pair shares a shard with probability 4/9; by Hoeffding and a union over 9 pairs a
    right program fails this for less than 1 in 10⁶ seeds (the seed is fixed).
    """
    rng, deals = Streams(3).rng("test"), 4000
    together = np.zeros(10)
    for _ in range(deals):
        owner = RandomShards(10, 2, rng).owner_of()
        together += owner == owner[0]
    slack = np.sqrt(np.log(2 * 9 / 1e-6) / (2 * deals))
    assert abs(together[1:] / deals - 4 / 9).max() < slack


@each_kind
@pytest.mark.parametrize("a", [-1, 3])
def test_no_such_shard(make: Make, a: int) -> None:
    """A shard number out of range is an error, not another shard."""
    with pytest.raises(IndexError, match="among 3"):
        make(7, 3).take(np.zeros(7), a)


@each_kind
@pytest.mark.parametrize(("n", "count"), [(-1, 1), (5, 0)])
def test_impossible_partitions(make: Make, n: int, count: int) -> None:
    """At least one shard, no negative model."""
    with pytest.raises(ValueError, match="cannot cut"):
        make(n, count)


def test_pieces_of_a_wrong_size_are_not_spread() -> None:
    """One value does not silently fill a shard of three."""
    with pytest.raises(AssertionError):
        ContiguousShards(6, 2).put(np.zeros(6), 0, np.ones(1))
