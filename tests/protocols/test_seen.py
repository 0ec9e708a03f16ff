"""The largest share of a client's update that one observer receives in a round.

Against the values in the payloads themselves, and against what each protocol's theory says.
"""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.network.messages import Batch
from netsim.network.network import Network
from netsim.network.overlay import neighbours, random_regular
from netsim.privacy.observed import Observed
from netsim.protocols import PROTOCOLS
from netsim.studies.play import owners
from netsim.studies.seen import seen_shares
from netsim.wire.kept import Kept
from netsim.wire.levels import Levels
from netsim.wire.points import Points
from netsim.wire.shards import RandomShards
from netsim.wire.sparse import Sparse

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
K, N = 6, 120
FSA = {"kind": "fsa", "aggregators": 4, "masks": "random"}
COMPRESSIONS = [
    {"kind": "rand_k", "keep": 0.3},
    {"kind": "bernoulli", "keep": 0.3},
    {"kind": "identity"},
    {"kind": "qsgd", "levels": 3},
    {"kind": "qsgd", "levels": 3, "code": "fixed"},
    {"kind": "uniform", "levels": 9},
    {"kind": "sdq", "step": 0.5},
    {"kind": "rsuq", "radius": 0.5, "lattice_dim": 3},
    {"kind": "lrsuq", "size": 0.1},
]
VARIANTS = [
    *({"kind": kind} for kind in KINDS),
    *({"kind": "soteriafl", "ldp": None, "compression": each} for each in COMPRESSIONS),
    *({"kind": "eris", "aggregators": 4, "compression": each} for each in COMPRESSIONS),
    {"kind": "eris", "aggregators": 4, "masks": "interleaved", "redraw": False},
    {"kind": "eris", "aggregators": 4, "masks": "random", "redraw": True},
    {"kind": "eris", "masks": "random", "redraw": True, "compression": COMPRESSIONS[4]},
    {"kind": "cepam_gaussian", "aggregation": FSA},
    {"kind": "priprune", "aggregation": FSA},
    {"kind": "min_leakage", "aggregation": FSA},
    {"kind": "sparse_dpsgd", "coordinates": "top_k"},
    {"kind": "q_dpsgd_1", "bits": 16, "ldp": None},
    {"kind": "q_dpsgd_1", "bits": 32, "ldp": None},
    {"kind": "ako", "partitions": 7},
    {"kind": "shatter", "chunking": "dynamic", "links": "own"},
    {
        "kind": "eris",
        "aggregators": 3,
        "compression": {
            "kind": "rand_k",
            "keep": 0.3,
            "masks": "shared",
            "downlink": "compressed",
        },
    },
]


def carried(value):
    """How many coordinates stand in the value of a payload."""
    match value:
        case Sparse() | Kept():
            return len(value.values_k)
        case Levels():
            return len(value.levels_n)
        case Points():
            return value.n
        case np.ndarray():
            return len(value)
    return len(value.values_n)


@pytest.fixture
def posted(monkeypatch):
    """The payload of each message that was posted, by sending and place."""
    payloads_of, post = {}, Network.post

    def noting(self, sender, receivers, payloads, kind, round, **how):
        sending = post(self, sender, receivers, payloads, kind, round, **how)
        each = payloads if isinstance(payloads, list | Batch) else [payloads] * len(receivers)
        payloads_of.update({(sending.number, at): each[at] for at in range(len(receivers))})
        return sending

    monkeypatch.setattr(Network, "post", noting)
    return payloads_of


def shares(run):
    return seen_shares(run.player)


def observed_in(run):
    player = run.player
    owner_N = owners(K, player.config.guests(K))
    return Observed.of(player.network.table, player.protocol.messages, owner_N, K)


@pytest.mark.parametrize("protocol", VARIANTS, ids=lambda each: "-".join(map(str, each.values())))
def test_counts_are_those_of_the_values_in_the_payloads(play, toy, protocol, posted):
    """Every protocol and every compressor, at a server and by shard.

    And in a round a client sends each coordinate once, or all of them at once.
    """
    run = play(protocol, toy(K, N), rounds=3)
    seen, table = observed_in(run), run.player.network.table
    to = table.column("receiver")[seen.message]
    counts = run.player.protocol.coordinates(seen.amounts, to)
    numbers = zip(table.sending[seen.message], table.index[seen.message], strict=True)
    payloads = [posted[int(sending), int(at)] for sending, at in numbers]
    assert counts.tolist() == [carried(payload.value.value()) for payload in payloads]
    assert len(counts) > 0
    first = np.unique(seen.content, return_index=True)[1]
    sent = np.zeros((3, K), np.int64)
    np.add.at(sent, (seen.round[first], seen.client[first]), counts[first])
    partly = counts[counts < N]
    assert sent.max() <= N or len(partly) == 0


@pytest.mark.parametrize(
    ("protocol", "share"),
    [
        ({"kind": "fedavg"}, 1),
        ({"kind": "fedavg_ldp"}, 1),
        ({"kind": "fl_sdq"}, 1),
        ({"kind": "min_leakage"}, 0),
        ({"kind": "min_leakage", "aggregation": FSA}, 0),
        ({"kind": "priprune", "rate": 0.1}, 0.9),
        ({"kind": "soteriafl", "compression": {"kind": "rand_k", "keep": 0.05}}, 0.05),
        ({"kind": "soteriafl", "compression": {"kind": "qsgd", "levels": 2}}, 1),
        ({"kind": "fedadam", "aggregation": FSA}, 1 / 4),
        ({"kind": "cepam_laplace", "aggregation": FSA}, 1 / 4),
        ({"kind": "eris"}, 1 / 6),
        ({"kind": "eris", "aggregators": 3}, 1 / 3),
        (
            {"kind": "eris", "aggregators": 3, "compression": {"kind": "rand_k", "keep": 0.1}},
            1 / 30,
        ),
        ({"kind": "eris", "aggregators": 3, "compression": {"kind": "qsgd", "levels": 2}}, 1 / 3),
        ({"kind": "dpsgd"}, 1),
        ({"kind": "epidemic"}, 1),
        ({"kind": "muffliato"}, 1),
        ({"kind": "q_dpsgd_1"}, 1),
        ({"kind": "sparse_dpsgd", "keep": 0.25}, 0.25),
        ({"kind": "ako", "partitions": 5}, 1 / 5),
    ],
)
def test_what_theory_says(play, toy, protocol, share):
    """A server all, one of A aggregators 1/A, of kept coordinates p/A, a neighbour all."""
    assert shares(play(protocol, toy(K, N), rounds=2)) == pytest.approx([share] * 2, abs=1e-12)


def test_the_largest_shard_counts(play, toy):
    """Shards of 41, 40 and 40 coordinates."""
    protocol = {"kind": "eris", "aggregators": 3}
    assert shares(play(protocol, toy(K, 121), rounds=1)) == [41 / 121]


@pytest.mark.parametrize("links", ["shared", "own"])
def test_shatter_by_its_graphs(play, toy, links):
    """The most chunks of one node whose virtual nodes neighbour those of one other."""
    protocol = {"kind": "shatter", "virtual_nodes": 4, "degree": 3, "links": links}
    found = shares(play(protocol, toy(K, N), rounds=20))
    sizes = RandomShards(N, 4, Streams(7).rng("chunks", 4)).sizes
    for round, share in enumerate(found):
        got = np.zeros((K, K), int)
        for v, others in enumerate(neighbours(random_regular(3, 4 * K, Streams(7), round))):
            owner, chunk = divmod(v, 4)
            for observer in {*(others // 4).tolist()} - {owner}:
                got[owner, observer] += sizes[chunk]
        assert share == got.max() / N
    assert len({*found}) > 1


def test_nothing_is_said_of_chunks_that_overlap(play, toy):
    """Drawn with replacement: what two of them tell together is unknown."""
    protocol = {"kind": "shatter", "chunking": "with_replacement"}
    assert shares(play(protocol, toy(K, N), rounds=2)) == [None, None]


def test_nothing_is_said_of_short_blocks_that_move(play, toy):
    """Masks redrawn over blocks of three coordinates: whose shard is short is not kept."""
    aggregation = FSA | {"redraw": True}
    moving = {"kind": "cepam_gaussian", "lattice_dim": 3, "aggregation": aggregation}
    assert shares(play(moving, toy(K, 121), rounds=2)) == [None, None]


def test_what_did_not_arrive_was_not_seen(play, toy, those):
    """All shards of round 0 to one of two aggregators fail; then all shards of a round."""
    protocol = {"kind": "eris", "aggregators": 2, "compression": {"kind": "bernoulli", "keep": 0.5}}
    whole = play(protocol, toy(K, N), rounds=2)
    lost = play(protocol, toy(K, N), rounds=2, trouble=those("update", receiver=0, round=0))
    assert shares(lost)[0] < shares(whole)[0]
    none = play({"kind": "fedavg"}, toy(K, N), rounds=2, trouble=those("update", round=1))
    assert shares(none) == [1, 0]


@pytest.mark.parametrize(("kind", "share"), [("fedavg", 1), ("eris", 1 / 6)])
def test_who_takes_part_does_not_matter(play, toy, kind, share):
    """Half of the clients train; of those who do as much is seen as ever."""
    assert shares(play({"kind": kind}, toy(K, N), rounds=3, participation=0.5)) == [share] * 3


def test_of_a_round_without_a_message_nothing_was_seen(play, toy):
    """All nodes are away."""
    away = {"nodes": {"kind": "per_round", "rate": 1.0}}
    assert shares(play({"kind": "dpsgd"}, toy(K, N), rounds=2, failures=away)) == [0, 0]


def test_one_client_has_no_observer_but_a_server(play, toy):
    """Its own aggregator sees nothing that it does not know."""
    assert shares(play({"kind": "eris"}, toy(1, N), rounds=2)) == [0, 0]
    assert shares(play({"kind": "fedavg"}, toy(1, N), rounds=2)) == [1, 1]
