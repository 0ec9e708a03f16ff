"""Some of the clients in each round."""

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from netsim.kernel.streams import Streams
from netsim.protocols import PROTOCOLS, by_kind
from netsim.protocols.central import Central
from netsim.protocols.participation import Groups, Participation, Sampling
from netsim.scenario.errors import ScenarioError
from netsim.studies.scenario import load

K, N = 8, 60
KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
CENTRAL = [kind for kind in KINDS if issubclass(by_kind(kind), Central)]


def sampling(participation, trainers=range(K)):
    return Sampling(participation, trainers, Streams(7))


@pytest.mark.parametrize(
    ("given", "count"),
    [(1.0, 8), (0.5, 4), (0.3, 2), (0.01, 1), (3, 3), (1, 1), (8, 8), (99, 8)],
)
def test_so_many_clients_or_such_a_share(given, count):
    """At least one; the same however often one asks; others in another round."""
    found = sampling(given)
    rounds = [found.trainers(round) for round in range(20)]
    assert {len(each) for each in rounds} == {count}
    assert all(each == sorted(set(each)) for each in rounds)
    assert sampling(given).trainers(13) == rounds[13]
    assert found.everyone == (count == K)
    assert (len({tuple(each) for each in rounds}) == 1) == (count == K)


@pytest.mark.parametrize("given", [1.0, 3])
def test_who_trains_is_among_the_trainers(given):
    """Asked one by one; clients without samples never do."""
    found = sampling(given, trainers=(0, 2, 3, 5, 7))
    for round in range(5):
        assert [k for k in range(K) if found.trains(k, round)] == found.trainers(round)


def test_a_group_is_drawn_once_a_round():
    """Also where some are a round or two behind the others."""
    asked = []

    def draw(round):
        asked.append(round)
        return range(round)

    groups = Groups(draw)
    found = [groups(round).ascending for round in (1, 0, 1, 2, 1, 2, 3, 2)]
    assert asked == [1, 0, 2, 3]
    assert [len(each) for each in found] == [1, 0, 1, 2, 1, 2, 3, 2]
    assert groups(3).members == {0, 1, 2}


def test_everyone_s_turn_comes():
    """Uniform over clients: 400 rounds of 2 of 8 give each about 100, σ about 8.7."""
    found = sampling(2)
    turns = np.bincount(np.concatenate([found.trainers(r) for r in range(400)]), minlength=K)
    assert np.abs(turns - 100).max() < 5 * 8.7


def test_only_clients_with_samples_count():
    """Half of four."""
    found = sampling(0.5, [1, 3, 5, 7])
    assert len(found.trainers(0)) == 2
    assert {client for round in range(30) for client in found.trainers(round)} == {1, 3, 5, 7}


@pytest.mark.parametrize("given", [0, 0.0, 1.5, -1, True, "all"])
def test_other_shares_are_refused(given):
    """With what may be written."""
    with pytest.raises(ValidationError, match="must be a number of clients"):
        TypeAdapter(Participation).validate_python(given)


@pytest.mark.parametrize("kind", CENTRAL)
def test_updates_come_from_the_round_s_clients(play, toy, kind):
    """And the broadcast goes to those of the next round (and of this one where they must learn)."""
    run = play({"kind": kind}, toy(K, N), rounds=4, participation=3)
    table, chosen = run.transfers, sampling(3)
    roles = np.array([each.sender_role == "client" for each in table.kinds])
    learns = kind in ("eris_dsc", "soteriafl")
    for round in range(4):
        of_round = table.select(table.round == round)
        up = roles[of_round.kind]
        if kind != "eris":
            assert sorted(set(of_round.sender[up])) == chosen.trainers(round)
            wanted = {*chosen.trainers(round + 1), *(chosen.trainers(round) if learns else ())}
            assert set(of_round.receiver[~up]) == wanted


def test_fsa_is_fedavg_with_some_clients_too(play, toy):
    """Bit for bit, weights among those that train in the round."""
    fedavg = play({"kind": "fedavg"}, toy(K, N), rounds=4, participation=3)
    for masks in ("contiguous", "random"):
        eris = play(
            {"kind": "eris", "aggregators": 5, "masks": masks}, toy(K, N), rounds=4, participation=3
        )
        assert np.array_equal(eris.models, fedavg.models)
    redrawn = {"kind": "eris", "masks": "random", "redraw": True}
    again = play(redrawn, toy(K, N), rounds=4, participation=3)
    assert np.array_equal(again.models, fedavg.models)


def test_one_round_by_hand(play, toy):
    """The mean of three clients' updates by their samples; the others' points pull nothing."""
    task = toy(K, N)
    run = play({"kind": "fedavg"}, task, rounds=1, participation=3)
    total, mean = 0, np.zeros(N)
    for client in sampling(3).trainers(0):
        mean += task.samples[client] * task.update(client, task.initial, 0).value()
        total += task.samples[client]
    expected = task.initial.value() - task.lr * mean / total
    assert np.allclose(run.models[0][0], expected, atol=1e-6)


def test_shifted_compression_without_loss_is_fedavg(play, toy):
    """References that stay zero, nothing compressed: the same mean over the round's clients."""
    identity = {"kind": "identity", "gamma": 0.0}
    one = play({"kind": "fedavg"}, toy(K, N), rounds=4, participation=3)
    other = play({"kind": "eris", "compression": identity}, toy(K, N), rounds=4, participation=3)
    assert np.allclose(one.models, other.models, atol=1e-5)


@pytest.mark.parametrize("gamma", [None, 0.5])
def test_references_add_up_with_some_clients(play, toy, gamma):
    """s_(a) = Σ w_k s_k after each round, whoever trained."""
    dsc = {"kind": "eris", "compression": {"kind": "rand_k", "keep": 0.4, "gamma": gamma}}

    def check(player):
        exchange = player.protocol._exchange
        own = sum(w * exchange.references[k].value() for k, w in exchange.weights.items())
        assert np.allclose(exchange.reference.value(), own, atol=1e-5)

    run = play(dsc, toy(K, N), rounds=6, participation=3, every_round=check)
    assert np.abs(run.player.protocol._exchange.reference.value()).max() > 0


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in CENTRAL])
def test_nodes_that_do_not_train_still_mix(play, toy, kind):
    """All messages are as ever; the points of those that never train pull no model."""
    one, other = toy(K, N), toy(K, N)
    idle = set(range(K)) - {c for r in range(2) for c in sampling(3).trainers(r)}
    assert idle
    for client in idle:
        other.points[client] += 100
    runs = [play({"kind": kind}, task, rounds=2, participation=3) for task in (one, other)]
    assert np.array_equal(runs[0].models, runs[1].models)
    full = play({"kind": kind}, toy(K, N), rounds=2)
    assert len(full.transfers) == len(runs[0].transfers)
    assert not np.array_equal(full.models, runs[0].models)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("barrier", ["none", "phase"])
def test_whoever_waits_for_whom_models_are_the_same(play, toy, kind, barrier):
    """Clients drawn by round, not by when they are asked."""
    network = {"uplink": [f"{1 + k} MB/s" for k in range(K)], "latency": "3 ms"}
    settings = {"rounds": 4, "network": network, "participation": 0.4}
    by_round = play({"kind": kind}, toy(K, N), **settings)
    other = play({"kind": kind}, toy(K, N), barrier=barrier, **settings)
    assert np.array_equal(other.models, by_round.models)


def test_only_those_that_train_compute(play, toy):
    """Three of eight in each of two rounds."""
    run = play(
        {"kind": "fedavg"},
        toy(K, N),
        participation=3,
        compute={"kind": "per_round", "time": "1 s"},
    )
    computed = [(round, client) for round, client, *_ in run.player.computing]
    assert sorted(computed) == [(r, c) for r in range(2) for c in sampling(3).trainers(r)]


def test_a_closed_form_is_for_everyone(play, toy):
    """It counts all clients, so there is none for some of them."""
    assert play({"kind": "fedavg"}, toy(K, N)).player.protocol.formula() is not None
    run = play({"kind": "fedavg"}, toy(K, N), participation=3)
    assert run.player.protocol.formula() is None


@pytest.mark.parametrize("some", ["1", "2", "0.5"])
def test_mirrored_references_take_everyone(tmp_path, some):
    """With the run's line; 1 is one client, not everyone."""
    text = (
        f"name: s\nrounds: 1\nparticipation: {some}\n"
        "volume: {parameters: 10}\n"
        "network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s}\nruns:\n"
        "  - {kind: eris, compression: "
        "{kind: rand_k, keep: 0.5, masks: shared, downlink: compressed}}\n"
    )
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=r"s\.yaml:7:5: runs\[0\]: needs all clients"):
        load(tmp_path / "s.yaml")


def test_momentum_where_updates_are_summed(play, toy):
    """m ← 0.5 m + mean; by hand over three rounds, the same under FSA, bit for bit."""
    task, run = toy(K, N), {"kind": "fedavg", "server_momentum": 0.5}
    found = play(run, toy(K, N), rounds=3)
    model, m = task.initial, np.zeros(N)
    weights = task.samples / task.samples.sum()
    for round in range(3):
        mean = sum(weights[k] * task.update(k, model, round).value() for k in range(K))
        m = 0.5 * m + mean
        model = type(model).of((model.value() - task.lr * m).astype(np.float32))
        assert np.allclose(found.models[round][0], model.value(), atol=1e-5)
    for masks, redraw in (("contiguous", False), ("random", True)):
        eris = {"kind": "eris", "server_momentum": 0.5, "masks": masks, "redraw": redraw}
        assert np.array_equal(play(eris, toy(K, N), rounds=3).models, found.models)


def test_adaptive_servers_have_no_other_momentum(tmp_path):
    """FedAdam's is beta1."""
    text = (
        "name: s\nrounds: 1\nvolume: {parameters: 10}\n"
        "network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s}\n"
        "runs: [{kind: fedadam, server_momentum: 0.5}, {kind: fednova, server_momentum: 0.5}]\n"
    )
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(ScenarioError, match=r"runs\[0\]\.server_momentum: fedadam steps in a way"):
        load(tmp_path / "s.yaml")
