"""What every protocol must do, over the tuple that enrols them."""

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask
from netsim.protocols import PROTOCOLS, by_kind
from netsim.protocols.central import Central
from netsim.results import measure
from netsim.results.digest import run_digest
from netsim.results.records import DELIVERED
from netsim.studies.records import optimum_s

KINDS = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
ONE_MODEL = {kind for kind in KINDS if issubclass(by_kind(kind), Central)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("clients", [1, 2, 7])
@pytest.mark.parametrize("barrier", ["none", "round", "phase"])
def test_every_round_ends_with_finite_models(play, toy, kind, clients, barrier):
    """One client, two or seven; whoever waits for whom; one model or one a client."""
    run = play({"kind": kind}, toy(clients, 100), rounds=3, barrier=barrier)
    assert [played.round for played in run.player.rounds] == [0, 1, 2]
    assert {len(models) for models in run.models} == {1 if kind in ONE_MODEL else clients}
    assert all(np.isfinite(model).all() for models in run.models for model in models)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("barrier", ["none", "phase"])
def test_whoever_waits_for_whom_the_models_are_the_same(play, toy, kind, barrier):
    """Rates differ, so that nodes drift apart as far as the protocol lets them."""
    task = toy(6, 100)
    network = {"uplink": [f"{1 + k} MB/s" for k in range(6)], "latency": "3 ms"}
    by_round = play({"kind": kind}, task, rounds=4, network=network)
    other = play({"kind": kind}, task, rounds=4, network=network, barrier=barrier)
    assert np.array_equal(other.models, by_round.models)
    assert run_digest(other.transfers, None) == run_digest(by_round.transfers, None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_run_twice_is_the_same(play, toy, kind):
    """Models, log and times."""
    one, other = (play({"kind": kind}, toy(5, 100)) for _ in range(2))
    assert np.array_equal(one.models, other.models)
    for name in one.transfers.columns():
        assert np.array_equal(getattr(one.transfers, name), getattr(other.transfers, name))


@pytest.mark.parametrize("kind", KINDS)
def test_wire_encoding_changes_nothing(play, toy, kind):
    """Every message really encoded and decoded: the same models and the same log."""
    sized, encoded = (play({"kind": kind}, toy(5, 100), wire=wire) for wire in ("size", "encode"))
    assert np.array_equal(sized.models, encoded.models)
    assert run_digest(sized.transfers, None) == run_digest(encoded.transfers, None)


@pytest.mark.parametrize("kind", KINDS)
def test_without_failures_every_bit_arrives(play, toy, kind):
    """Nothing is lost, and what left is what arrived."""
    total = measure.traffic(play({"kind": kind}, toy(5, 100)).transfers)
    assert total.sent_bits == total.delivered_bits == total.wire_bits > 0
    assert total.lost_bits == 0


@pytest.mark.parametrize("kind", KINDS)
def test_with_failures_every_bit_is_accounted_for(play, toy, kind, at_random):
    """Some messages are cut, the run goes on to its end, and sent is delivered plus lost."""
    run = play({"kind": kind}, toy(5, 400), rounds=4, trouble=at_random(1))
    total = measure.traffic(run.transfers)
    assert total.sent_bits == total.delivered_bits + total.lost_bits
    assert 0 < total.lost_bits < total.sent_bits < total.wire_bits
    assert all(np.isfinite(model).all() for models in run.models for model in models)


@pytest.mark.parametrize("kind", KINDS)
def test_rates_in_proportion_to_size_attain_the_optimum_of_every_protocol(play, toy, kind):
    """With a barrier after each phase and no latency: exactly, whatever the rates."""
    uplinks = [f"{1 + k % 3} MB/s" for k in range(6)]
    network = {"uplink": uplinks, "sharing": "optimal"}
    run = play({"kind": kind}, toy(6, 100), rounds=2, network=network, barrier="phase")
    times = list(measure.distribution_times(run.transfers).values())
    optimum = optimum_s(run.transfers, run.player.topology)
    assert np.mean(times) == pytest.approx(optimum, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_no_policy_beats_the_optimum(play, toy, kind):
    """Max-min and fifo with a barrier after each phase."""
    for sharing in ("max_min", "fifo"):
        network = {"uplink": [f"{1 + k % 3} MB/s" for k in range(6)], "sharing": sharing}
        run = play({"kind": kind}, toy(6, 100), rounds=2, network=network, barrier="phase")
        times = list(measure.distribution_times(run.transfers).values())
        assert np.mean(times) >= optimum_s(run.transfers, run.player.topology) * (1 - 1e-9)


GENTLE = {
    "fedavg_ldp": {"ldp": {"clip": 20, "noise_multiplier": 0.01}},
    "soteriafl": {"ldp": None, "compression": {"kind": "rand_k", "keep": 0.3}},
    "q_dpsgd_1": {"ldp": {"clip": 20, "noise_multiplier": 0.01}},
}
"""Settings of those that noise and compression keep from learning in three rounds."""


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns_digits(play, kind):
    """After three rounds of five local steps well above the one in ten of chance."""
    settings = {"dataset": "digits", "model": "mlp", "batch": 32, "local_steps": 5, "lr": 0.1}
    config = TaskConfig.model_validate(settings | {"momentum": 0.5})
    task = TrainingTask.build(config, 5, Streams(7))
    run = play({"kind": kind} | GENTLE.get(kind, {}), task, rounds=3, evaluate={"every": 3})
    accuracies = [each.accuracy for each in run.player.rounds[-1].evaluations]
    assert len(accuracies) == (1 if kind in ONE_MODEL else 5)
    assert np.mean(accuracies) > 0.4


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_without_samples_takes_no_part_in_training(play, toy, kind):
    """It sends no update to an aggregate; its point pulls no model."""
    samples = [4, 0, 4, 4]
    one, other = toy(4, 60, samples), toy(4, 60, samples)
    other.points[1] += 100
    runs = [play({"kind": kind}, task, rounds=3) for task in (one, other)]
    assert np.array_equal(runs[0].models, runs[1].models)
    if kind in ONE_MODEL:
        transfers = runs[0].transfers
        updates = [at for at, each in enumerate(transfers.kinds) if each.sender_role == "client"]
        assert 1 not in transfers.sender[np.isin(transfers.kind, updates)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_says_what_it_is(protocol):
    """A title, a paper with BibTeX, and a role for both ends of each kind of message."""
    assert protocol.title
    assert protocol.paper.cite
    assert protocol.paper.bibtex.startswith("@")
    assert all(len(roles) == 2 and all(roles) for roles in protocol.messages.values())
    assert by_kind(protocol.Config.model_fields["kind"].default) is protocol


@pytest.mark.parametrize("kind", KINDS)
def test_its_closed_form_if_any_is_a_positive_time(play, toy, kind):
    """Named, and finite where every rate is above zero."""
    formula = play({"kind": kind}, toy(5, 100), rounds=1).player.protocol.formula()
    assert formula is None or (formula[0] and 0 < formula[1] < np.inf)


@pytest.mark.parametrize(
    ("settings", "clients", "loc"),
    [
        ({"kind": "eris", "aggregators": 8}, 7, ("aggregators",)),
        ({"kind": "eris", "aggregators": 2, "redraw": True}, 7, ("redraw",)),
        ({"kind": "epidemic", "degree": 1}, 1, ("degree",)),
        ({"kind": "epidemic", "degree": 3}, 7, ("degree",)),
        ({"kind": "el_local", "sends": 7}, 7, ("sends",)),
        ({"kind": "shatter", "virtual_nodes": 2, "degree": 14}, 7, ("degree",)),
        ({"kind": "shatter", "virtual_nodes": 3, "degree": 3}, 7, ("degree",)),
        ({"kind": "shatter", "virtual_nodes": 1, "averaging": "1/r"}, 1, ("averaging",)),
        (
            {"kind": "dpsgd", "overlay": {"kind": "k_regular", "degree": 7}},
            7,
            ("overlay", "degree"),
        ),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(settings, clients, loc):
    """Too many aggregators, masks that cannot be redrawn, graphs that do not exist."""
    config = by_kind(settings["kind"]).Config.model_validate(settings)
    assert [where for where, _ in config.problems(clients)] == [loc]


def test_every_transfer_of_a_round_says_its_round(play, toy):
    """The record of a run is by round; all of it delivered."""
    run = play({"kind": "fedavg"}, toy(3, 10), rounds=2)
    assert np.bincount(run.transfers.round).tolist() == [6, 6]
    assert set(run.transfers.status) == {DELIVERED}
