"""What each node received of each client's updates: exact counts, next to the bounds.

Statistical tests use fixed seeds; for other seeds each would fail by chance with a probability
below 1e-6 (five standard errors).
"""

import itertools
import math

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.overlay import neighbours, random_regular
from netsim.privacy.observed import Observed
from netsim.studies.play import owners
from netsim.theory.leakage import eris_coordinates, shatter_coordinates
from netsim.wire.shards import RandomShards

K, N = 6, 120


@pytest.fixture
def observed(play, toy):
    """What was observed in a run on the toy task: K clients, N coordinates."""

    def go(protocol, rounds=2, **settings):
        run = play(protocol, toy(K, N), rounds=rounds, **settings)
        player = run.player
        owner_N = owners(K, player.config.guests(K))
        return Observed.of(player.network.table, player.protocol.messages, owner_N, K)

    return go


def coordinates(bits):
    """Float32 values in so many bits."""
    assert (np.asarray(bits) % 32 == 0).all()
    return (np.asarray(bits) // 32).tolist()


@pytest.mark.parametrize("kind", ["fedavg", "fedadam", "fednova"])
def test_a_server_gets_everything_and_clients_nothing(observed, kind):
    """What it sends back tells of no client alone."""
    seen = observed({"kind": kind})
    assert coordinates(seen.by([K])) == [[N] * K] * 2
    assert not seen.by(range(K)).any()


def test_of_min_leakage_nobody_gets_anything(observed):
    """Empty messages."""
    assert not observed({"kind": "min_leakage"}).by([K]).any()


@pytest.mark.parametrize("aggregators", [2, 3, 6])
@pytest.mark.parametrize("masks", ["contiguous", "interleaved", "random"])
def test_an_aggregator_of_eris_gets_what_its_bound_says(observed, aggregators, masks):
    """n/A of every other client's update, c n/A for c that collude: Theorem 3.7, Corollary D.2."""
    seen = observed({"kind": "eris", "aggregators": aggregators, "masks": masks})
    for many in range(1, aggregators + 1):
        for coalition in itertools.combinations(range(aggregators), many):
            bound = eris_coordinates(N, 1, aggregators, many)
            expected = [0 if k in coalition else bound for k in range(K)]
            assert coordinates(seen.by(coalition)) == [expected] * 2
    assert not seen.by([5]).any() or aggregators == 6


def test_the_mean_over_coalitions_is_that_of_all_of_them(observed):
    """Of aggregators, client by client; and the bound where A = K."""
    few = observed({"kind": "eris", "aggregators": 3})
    for many in (1, 2):
        mean = few.mean_by(many, range(3))
        for k in range(K):
            candidates = [a for a in range(3) if a != k]
            each = [few.by(c)[:, k] for c in itertools.combinations(candidates, many)]
            assert mean[:, k] == pytest.approx(np.mean(each, axis=0))
    every = observed({"kind": "eris"})
    for many in range(1, K):
        bound = eris_coordinates(N, 1, K, many)
        assert every.mean_by(many, range(K)) / 32 == pytest.approx(np.full((2, K), bound))


@pytest.mark.parametrize("redraw", [False, True])
def test_compression_divides_what_is_seen(observed, redraw):
    """Rand-k keeps ⌈p |shard|⌉; what is handed over is of no client alone."""
    protocol = {
        "kind": "eris",
        "aggregators": 3,
        "masks": "random",
        "redraw": redraw,
        "compression": {"kind": "rand_k", "keep": 0.25},
    }
    seen = observed(protocol)
    assert coordinates(seen.by([1])) == [[10, 0, 10, 10, 10, 10]] * 2
    assert eris_coordinates(N, 0.25, 3) == 10


def test_kept_at_random_the_bound_is_the_mean(observed):
    """Bernoulli masks: 200 rounds of 5 clients."""
    protocol = {
        "kind": "eris",
        "aggregators": 4,
        "compression": {"kind": "bernoulli", "keep": 0.3},
    }
    found = observed(protocol, rounds=200).by([0])[:, 1:] / 32
    error = 5 * found.std() / math.sqrt(found.size)
    assert abs(found.mean() - eris_coordinates(N, 0.3, 4)) < error < 0.5
    assert found.std() > 1


@pytest.mark.parametrize("kind", ["dpsgd", "epidemic"])
def test_a_model_sent_to_several_is_one_model(observed, kind):
    """Neighbours get all; two of them together no more than that."""
    seen = observed({"kind": kind})
    for k in range(K):
        alone = coordinates(seen.by([k]))
        assert {*alone[0]} == {0, N}
    assert max(max(row) for row in coordinates(seen.by([0, 1, 2]))) == N
    everyone = [k for k in range(K) if k != 3]
    assert coordinates(seen.by(everyone)[:, 3]) == [N, N]


@pytest.mark.parametrize("links", ["shared", "own"])
@pytest.mark.parametrize(("virtual_nodes", "degree"), [(4, 3), (3, 4)])
def test_shatter_by_its_graphs(observed, links, virtual_nodes, degree):
    """Chunks whose virtual node has a neighbour among the observer's, each once."""
    protocol = {"kind": "shatter", "virtual_nodes": virtual_nodes, "degree": degree}
    seen = observed(protocol | {"links": links}, rounds=3)
    sizes = RandomShards(N, virtual_nodes, Streams(7).rng("chunks", virtual_nodes)).sizes
    for round in range(3):
        graph = neighbours(random_regular(degree, K * virtual_nodes, Streams(7), round))
        for coalition in ([0], [2, 4]):
            expected = np.zeros(K, int)
            for v, others in enumerate(graph):
                owner, chunk = divmod(v, virtual_nodes)
                if owner not in coalition and set(others // virtual_nodes) & set(coalition):
                    expected[owner] += sizes[chunk]
            assert coordinates(seen.by(coalition)[round]) == expected.tolist()


def test_shatter_in_the_mean_is_its_theorem(observed):
    """Theorem 3's exact count, for one observer and for two that collude; 300 rounds."""
    seen = observed({"kind": "shatter", "virtual_nodes": 4, "degree": 3}, rounds=300)
    for many in (1, 2):
        found = seen.mean_by(many, range(K)).mean(axis=1) / 32
        error = 5 * found.std() / math.sqrt(len(found))
        assert error < 2
        assert abs(found.mean() - shatter_coordinates(N, K, 4, 3, many)) < error
    ratio = shatter_coordinates(N, K, 4, 3) / N
    assert 0.4 < ratio < 0.6


def test_what_did_not_arrive_was_not_seen(observed, those):
    """A shard that fails."""
    trouble = those("update", sender=2, receiver=1, round=0)
    seen = observed({"kind": "eris", "aggregators": 3}, trouble=trouble)
    assert coordinates(seen.by([1])[:, 2]) == [0, 40]
    assert coordinates(seen.by([0, 1])[:, 2]) == [40, 80]
