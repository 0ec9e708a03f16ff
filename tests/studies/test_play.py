"""Rounds as they are played: when models are tested, what a round's record says."""

import pytest

NETWORK = {"nodes": 3, "uplink": "1 MB/s", "downlink": "1 MB/s", "latency": "5 ms"}
TASK = {"dataset": "digits", "model": "mlp", "lr": 0.1, "samples_per_client": 6}


@pytest.fixture
def rounds(read, play, tmp_path, monkeypatch):
    """The records of one run with these settings."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)

    def go(**settings):
        changes = {"task": TASK, "network": NETWORK, "runs": [{"kind": "fedavg"}]} | settings
        (outcome,) = play(read(**changes), tmp_path / "out")
        return outcome.result.rounds

    return go


def test_models_are_tested_every_so_many_rounds_and_at_the_end(rounds):
    """Rounds 1, 3 and the last of 5."""
    tested = [each.accuracy is not None for each in rounds(rounds=5, evaluate={"every": 2})]
    assert tested == [False, True, False, True, True]


def test_rounds_follow_each_other_without_a_gap(rounds):
    """Each begins where the last ended; the first at 0."""
    records = rounds(rounds=4)
    assert [each.round for each in records] == [0, 1, 2, 3]
    assert records[0].start_s == 0
    assert [each.start_s for each in records[1:]] == [each.end_s for each in records[:-1]]


def test_distribution_and_computing_make_up_a_round(rounds):
    """Two local steps of six samples at 10 ms a sample: 120 ms on top, nobody idle."""
    compute = {"kind": "per_sample", "time": "10 ms"}
    task = TASK | {"local_steps": 2}
    both = zip(rounds(rounds=2), rounds(rounds=2, compute=compute, task=task), strict=True)
    for plain, timed in both:
        assert plain.distribution_s == pytest.approx(plain.end_s - plain.start_s)
        assert plain.compute_s == 0
        assert timed.compute_s == pytest.approx(0.12)
        assert timed.distribution_s == pytest.approx(plain.distribution_s)
        assert timed.end_s - timed.start_s == pytest.approx(plain.distribution_s + 0.12)
        assert timed.idle_s == pytest.approx(0, abs=1e-9)


def test_models_of_several_nodes_have_a_spread(rounds):
    """Mean, least and best; one global model has none."""
    (one,) = rounds(rounds=1)
    assert one.accuracy_min is one.accuracy_max is None
    (many,) = rounds(rounds=1, runs=[{"kind": "dpsgd"}], network=NETWORK | {"nodes": 6})
    assert many.accuracy_min <= many.accuracy <= many.accuracy_max


@pytest.mark.parametrize("count", ["wire", "payload"])
def test_traffic_counts_both_sizes(rounds, count):
    """What is sent is one of them; three clients up and down."""
    (record,) = rounds(rounds=1, network=NETWORK | {"count": count})
    traffic = record.traffic
    assert traffic.payload_bits == 6 * 17098 * 32
    assert traffic.wire_bits == traffic.payload_bits + 6 * 256
    assert traffic.sent_bits == (traffic.wire_bits if count == "wire" else traffic.payload_bits)
