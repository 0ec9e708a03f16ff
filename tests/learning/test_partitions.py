"""Partitions give every sample to exactly one client."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64
from netsim.learning.errors import Infeasible
from netsim.learning.partitions import ByUser, Dirichlet, Iid, Partition, Shards

labels_st = st.lists(st.integers(0, 9), min_size=1, max_size=200).map(np.array)
partitions_st = st.one_of(
    st.just(Iid()),
    st.floats(5e-324, 1e308).map(lambda alpha: Dirichlet(alpha=alpha)),
    st.floats(1e-3, 1e3).map(lambda alpha: Dirichlet(alpha=alpha)),
    st.integers(1, 5).map(lambda count: Shards(per_client=count)),
    st.just(ByUser()),
)


def split(partition: Partition, labels: Int64, clients: int, seed: int = 1) -> list[Int64]:
    return partition.split(labels, clients, Streams(seed).rng("partition"), users=labels // 2)


@given(labels_st, partitions_st, st.integers(1, 100), st.integers(0, 5))
@settings(deadline=None)
def test_every_sample_goes_to_one_client(
    labels: Int64, partition: Partition, clients: int, seed: int
) -> None:
    """For every α, number of clients and labels, classes that do not occur included."""
    parts = split(partition, labels, clients, seed)
    assert len(parts) == clients
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(labels)))
    assert all((np.diff(part) > 0).all() for part in parts)


@given(labels_st, st.integers(1, 50))
def test_iid_parts_differ_by_one_at_most(labels: Int64, clients: int) -> None:
    """Equal numbers of samples, as far as they divide."""
    sizes = [len(part) for part in split(Iid(), labels, clients)]
    assert max(sizes) - min(sizes) <= 1


@given(st.floats(1e-6, 10), st.integers(1, 20), st.integers(0, 10))
@settings(deadline=None)
def test_min_samples_holds(alpha: float, clients: int, least: int) -> None:
    """However uneven the proportions, up to what the numbers allow."""
    labels = np.arange(200) % 10
    parts = split(Dirichlet(alpha=alpha, min_samples=least), labels, clients)
    assert min(len(part) for part in parts) >= least
    assert sorted(np.concatenate(parts).tolist()) == list(range(200))


def test_the_hardest_case_on_record() -> None:
    """α = 0.01 with 100 clients and 200 samples neither hangs nor gives NaN; some are empty."""
    parts = split(Dirichlet(alpha=0.01), np.arange(200) % 10, 100)
    assert sum(map(len, parts)) == 200
    assert min(map(len, parts)) == 0


def test_min_samples_beyond_the_dataset_is_refused() -> None:
    """With the numbers in the message."""
    with pytest.raises(Infeasible, match=r"100 clients with 3 samples each need 300.* has 200"):
        split(Dirichlet(alpha=1.0, min_samples=3), np.arange(200) % 10, 100)


@pytest.mark.parametrize("partition", [Iid(), Dirichlet(alpha=0.5), Shards(), ByUser()])
def test_the_seed_decides(partition: Partition) -> None:
    """The same stream gives the same parts, another seed others."""
    labels = np.arange(100) % 10
    one, same, other = (split(partition, labels, 5, seed) for seed in (1, 1, 2))
    assert all(map(np.array_equal, one, same))
    assert not all(map(np.array_equal, one, other))


def test_alpha_tunes_the_mix_of_labels() -> None:
    """Many classes a client for large α, few for small α; in numbers, their mean share.

    With α → ∞ each of 10 classes has a share of 0.1 at every client; with α → 0 a client has
    one owner's class whole, so the shares of a class over the clients are 0 or 1.
    """
    labels = np.arange(10_000) % 10

    def largest_shares(alpha: float) -> list[float]:
        parts = split(Dirichlet(alpha=alpha), labels, 10)
        counts = np.array([np.bincount(labels[part], minlength=10) for part in parts])
        return (counts.max(axis=0) / 1000).tolist()

    assert max(largest_shares(1e6)) < 0.11
    assert min(largest_shares(1e-3)) > 0.9


def test_proportions_follow_the_dirichlet_law() -> None:
    """Variance of a share of Dirichlet(α,…) over K clients is (K−1)/(K²(Kα+1)).

    Here K = 4, α = 0.5: 3/48 = 0.0625; 400 classes of 1000 samples estimate it.
    """
    labels = np.arange(400_000) % 400
    parts = split(Dirichlet(alpha=0.5), labels, 4)
    shares = np.bincount(labels[parts[0]], minlength=400) / 1000
    assert shares.mean() == pytest.approx(0.25, abs=0.04)
    assert shares.var() == pytest.approx(0.0625, rel=0.15)


def test_shards_by_label_are_equal_and_of_few_labels() -> None:
    """Ten labels of 100 samples, 25 clients of two pieces of 20: no piece holds two labels."""
    labels = np.arange(1000) % 10
    parts = split(Shards(), labels, 25)
    assert [len(part) for part in parts] == [40] * 25
    assert max(len(set(labels[part])) for part in parts) == 2
    assert len({tuple(np.unique(labels[part])) for part in parts}) > 5


@given(labels_st, st.integers(1, 20), st.integers(1, 4))
def test_shards_differ_by_as_many_samples_as_pieces(
    labels: Int64, clients: int, per_client: int
) -> None:
    """Pieces are equal as far as they divide, so clients are within a sample a piece."""
    sizes = [len(part) for part in split(Shards(per_client=per_client), labels, clients)]
    assert max(sizes) - min(sizes) <= per_client


def test_users_stay_together() -> None:
    """Each user's samples at one client; clients have three or four of ten users."""
    labels = np.repeat(np.arange(20), np.arange(1, 21))
    parts = split(ByUser(), labels, 3)
    users = [set((labels[part] // 2).tolist()) for part in parts]
    assert sorted(map(len, users)) == [3, 3, 4]
    assert set.union(*users) == set(range(10))
    assert sorted(len(part) for part in split(ByUser(), labels, 12))[:2] == [0, 0]


def test_by_user_needs_users() -> None:
    """Most datasets do not know."""
    with pytest.raises(Infeasible, match="does not say who its samples are from; movielens"):
        ByUser().split(np.arange(10), 2, Streams(1).rng("partition"))
