"""Times against closed forms: payload bits, no latency, no computing."""

import numpy as np
import pytest

from netsim.learning.volume import VolumeTask
from netsim.results import measure
from netsim.theory.distribution import eris_optimum_s

PAYLOAD = {"count": "payload"}


def times(run):
    """The distribution time of each round, s."""
    return list(measure.distribution_times(run.transfers).values())


@pytest.mark.parametrize("clients", [1, 3, 10])
def test_fedavg_takes_equation_52(play, clients):
    """Equal rates: 2Kb/rate."""
    run = play({"kind": "fedavg"}, VolumeTask(12_345, clients), 3, network=PAYLOAD)
    name, formula_s = run.player.protocol.formula()
    assert name == "eq52"
    assert formula_s == pytest.approx(2 * clients * 12_345 * 32 / 8e6, rel=1e-15)
    assert times(run) == pytest.approx([formula_s] * 3, rel=1e-9)


@pytest.mark.parametrize("server", ["1 kB/s", "1 GB/s", "3.7 MB/s"])
@pytest.mark.parametrize("barrier", ["round", "phase"])
def test_fedavg_takes_equation_52_at_any_rates(play, server, barrier):
    """Bound by the server or by the slowest client."""
    network = {
        "uplink": [f"{1 + k} MB/s" for k in range(6)],
        "downlink": [f"{7 - k} MB/s" for k in range(6)],
        "server": {"uplink": server, "downlink": server},
    }
    task = VolumeTask(5000, 6)
    run = play({"kind": "fedavg"}, task, 2, network=PAYLOAD | network, barrier=barrier)
    _, formula_s = run.player.protocol.formula()
    mean = np.mean(times(run))
    if barrier == "phase" or server == "1 kB/s":
        assert mean == pytest.approx(formula_s, rel=1e-9)
    assert mean <= formula_s * (1 + 1e-9)


@pytest.mark.parametrize("clients", [2, 5, 10])
@pytest.mark.parametrize("parameters", [1000, 1003, 7])
def test_eris_takes_two_phases_of_the_largest_shard(play, clients, parameters):
    """A = K, equal rates, a barrier after each phase: 2(K − 1) · max|shard| / rate."""
    task = VolumeTask(parameters, clients)
    run = play({"kind": "eris"}, task, 2, network=PAYLOAD, barrier="phase")
    largest_bits = 32 * -(-parameters // clients)
    assert times(run) == pytest.approx([2 * (clients - 1) * largest_bits / 8e6] * 2, rel=1e-9)


@pytest.mark.parametrize("clients", [2, 5, 10])
def test_eris_takes_equation_53_less_the_own_shard_where_a_divides_n(play, clients):
    """(K − 1)/K of the closed form as printed."""
    task = VolumeTask(1000, clients)
    run = play({"kind": "eris"}, task, 1, network=PAYLOAD, barrier="phase")
    name, formula_s = run.player.protocol.formula()
    assert name == "eq53"
    assert formula_s == pytest.approx(2 * 32_000 / 8e6, rel=1e-12)
    assert times(run) == pytest.approx([formula_s * (clients - 1) / clients], rel=1e-9)


@pytest.mark.parametrize("aggregators", [1, 2, 3])
def test_few_aggregators_take_the_corrected_equation(play, aggregators):
    """Those that own nothing send the whole model; owners keep their part."""
    shard_bits = 32 * np.full(aggregators, 6000 // aggregators)
    run = play(
        {"kind": "eris", "aggregators": aggregators},
        VolumeTask(6000, 6),
        1,
        network=PAYLOAD,
        barrier="phase",
    )
    rates = np.full(6, 8e6)
    expected = eris_optimum_s(shard_bits, shard_bits, rates, rates, np.arange(aggregators))
    assert times(run) == pytest.approx([expected], rel=1e-9)


@pytest.mark.parametrize("kind", ["dpsgd", "epidemic"])
def test_gossip_takes_its_closed_form(play, kind):
    """r · b / rate on equal links."""
    run = play({"kind": kind}, VolumeTask(1000, 7), 2, network=PAYLOAD)
    _, formula_s = run.player.protocol.formula()
    assert times(run) == pytest.approx([formula_s] * 2, rel=1e-9)


def test_shatter_takes_equation_55_or_less(play):
    """On equal links r · b / rate, less where virtual nodes of one node meet."""
    task = VolumeTask(1000, 7)
    settings = {"virtual_nodes": 4, "degree": 3}
    run = play({"kind": "shatter"} | settings, task, 6, network=PAYLOAD)
    _, formula_s = run.player.protocol.formula()
    assert formula_s == pytest.approx(3 * 32_000 / 8e6)
    assert max(times(run)) <= formula_s * (1 + 1e-9)
    assert min(times(run)) >= formula_s * 0.6


def test_free_running_rounds_overlap_and_are_not_reported(play):
    """One slow node on a ring: those far from it are rounds ahead, and times cannot be told."""
    network = PAYLOAD | {"uplink": ["1 MB/s"] + ["50 MB/s"] * 6, "downlink": "100 MB/s"}
    settings = {"network": network, "barrier": "none"}
    run = play({"kind": "dpsgd"}, VolumeTask(1000, 7), 6, **settings)
    assert times(run) == [None] * 6
    starts = [run.transfers.start_s[run.transfers.round == round].min() for round in range(6)]
    ends = [played.end_s for played in run.player.rounds]
    assert starts == sorted(starts)
    assert ends == sorted(ends)
    assert all(start < end for start, end in zip(starts[1:], ends[:-1], strict=True))


def test_computing_takes_the_time_the_scenario_says(play, toy):
    """Per round for everyone, or per sample of the client; distribution comes on top."""
    task = toy(3, 10, [2, 4, 6])
    plain = play({"kind": "fedavg"}, task, 2).end_s
    per_round = {"kind": "per_round", "time": "500 ms"}
    assert play({"kind": "fedavg"}, task, 2, compute=per_round).end_s == pytest.approx(plain + 1)
    run = play({"kind": "fedavg"}, task, 1, compute={"kind": "per_sample", "time": "1 s"})
    assert run.end_s > 6
    spent = sorted((client, end - start) for _, client, start, end in run.player.computing)
    assert spent == [(0, 2.0), (1, 4.0), (2, 6.0)]
