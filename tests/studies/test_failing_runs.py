"""Runs that fail do so alone, and say where."""

import re

import pytest

from netsim.network.failures import TransferFailed

TASK = {"dataset": "digits", "model": "mlp", "samples_per_client": 8}
NETWORK = {"nodes": 4, "uplink": "1 MB/s", "downlink": "1 MB/s"}
RUNS = [{"kind": "fedavg"}, {"kind": "eris"}, {"kind": "epidemic", "degree": 2}]


@pytest.fixture
def results(read, play, tmp_path, monkeypatch):
    """The results of a small scenario with these settings, by kind."""
    monkeypatch.setattr("netsim.results.folder.write", lambda *_: None)

    def go(lr, **settings):
        changes = {"task": TASK | {"lr": lr}, "network": NETWORK, "runs": RUNS} | settings
        outcomes = play(read(**changes), tmp_path / "out")
        return {outcome.result.protocol: outcome for outcome in outcomes}

    return go


def test_a_model_that_diverges_is_named_with_its_round(results):
    """The global one, or that of the first node; the log up to there is kept."""
    failed = {kind: outcome.result for kind, outcome in results(1e30).items()}
    why = "diverged in round 0: its loss on the test set is not finite; try a smaller lr"
    assert failed["fedavg"].status == f"failed: the model {why}"
    assert failed["epidemic"].status == f"failed: the model of node 0 {why}"
    assert len(failed["fedavg"].transfers) == 8
    assert failed["fedavg"].rounds == ()


@pytest.mark.parametrize("every", [1, 3, 6])
@pytest.mark.parametrize("barrier", ["round", "none"])
def test_training_that_diverges_names_client_and_round(results, every, barrier):
    """Whether models are tested in between or not; earlier rounds are kept."""
    settings = {"rounds": 6, "evaluate": {"every": every}, "barrier": barrier}
    for outcome in results(1e15, **settings).values():
        result = outcome.result
        assert outcome.deadlock is None
        told = re.match(
            r"failed: (training of client|the model).* diverged in round ([012]):", result.status
        )
        assert told, result.status
        assert len(result.rounds) <= int(told[2]) + 1
        assert len(result.digest) == 64


def test_the_other_runs_go_on(results, monkeypatch):
    """Only the run whose optimum is missed fails."""
    from netsim.learning.errors import TrainingDiverged
    from netsim.protocols.dpsgd import Dpsgd

    def broken(self, client, own, arrivals, round):
        raise TrainingDiverged(client, round)

    monkeypatch.setattr(Dpsgd, "mix", broken)
    runs = [{"kind": "fedavg"}, {"kind": "dpsgd"}, {"kind": "eris"}]
    outcomes = results(0.1, runs=runs)
    status = {kind: outcome.result.status for kind, outcome in outcomes.items()}
    assert status["fedavg"] == status["eris"] == "complete"
    assert status["dpsgd"].startswith("failed: training of client 0 diverged in round 0")


def test_a_protocol_that_does_not_expect_failures_fails_alone(results, monkeypatch):
    """With the message that did not arrive, and what its author can do."""
    from netsim.network.failures import LinkDown
    from netsim.protocols.dpsgd import Dpsgd

    async def careless(self, client, round):
        raise LinkDown("node 0", "node 1", "model", "the link is down for the round")

    monkeypatch.setattr(Dpsgd, "_train", careless)
    outcomes = results(0.1, runs=[{"kind": "fedavg"}, {"kind": "dpsgd"}])
    assert outcomes["fedavg"].result.status == "complete"
    assert outcomes["dpsgd"].result.status == (
        "failed: in round 0 model from node 0 to node 1: the link is down for the round, and dpsgd "
        "does not say what a node does then (except TransferFailed)"
    )


def test_a_module_that_fails_is_named_with_its_round(results, tmp_path, monkeypatch):
    """It is the user's own, so no traceback; the other runs are played."""
    own = tmp_path / "netsim"
    own.mkdir()
    (own / "failing_net.py").write_text(
        "from torch import nn\n"
        "class Net(nn.Sequential):\n"
        "    calls = 0\n"
        "    def __init__(self): super().__init__(nn.Flatten(), nn.Linear(256, 10))\n"
        "    def forward(self, x):\n"
        "        self.calls += 1\n"
        "        assert self.calls < 9\n"
        "        return super().forward(x)\n"
    )
    monkeypatch.chdir(own)
    task = TASK | {"lr": 0.1, "model": {"module": "failing_net:Net"}}
    says = r"failed: in round \d the module failed: AssertionError \(failing_net\.py:7\)"
    statuses = [outcome.result.status for outcome in results(0.1, task=task).values()]
    assert len(statuses) == 3
    assert all(re.fullmatch(says, status) for status in statuses), statuses


def test_a_fault_of_a_protocol_is_not_hidden(results, monkeypatch):
    """Any other exception passes on."""
    from netsim.protocols.dpsgd import Dpsgd

    async def broken(self, client, round):
        raise ZeroDivisionError

    monkeypatch.setattr(Dpsgd, "_train", broken)
    with pytest.raises(ExceptionGroup) as caught:
        results(0.1, runs=[{"kind": "dpsgd"}])
    assert caught.group_contains(ZeroDivisionError)
    assert not caught.group_contains(TransferFailed)


def test_a_deadlock_leaves_the_record_of_what_was_sent(results):
    """Rate zero at one node: bits that got through count, those under way are lost."""
    network = NETWORK | {"overrides": {"2": {"uplink": "0 bit/s"}}}
    for outcome in results(0.1, network=network, barrier="phase").values():
        assert "node 2" in str(outcome.deadlock)
        assert outcome.result.status == "failed: deadlock"
        assert outcome.result.rounds == ()
        assert outcome.result.transfers.sent_bits.sum() > 0
        aborted = outcome.result.transfers.status == 1
        assert set(outcome.result.transfers.sender[aborted]) == {2}
        assert (outcome.result.bound.optimum_s, outcome.result.bound.ratio) == (None, None)


@pytest.mark.parametrize("barrier", ["phase", "round", "none"])
def test_a_deadlock_names_nodes_alone(results, barrier):
    """Every line is a node's, also where it waits for the others; none is our own machinery's."""
    network = NETWORK | {"overrides": {"2": {"uplink": "0 bit/s"}}}
    for outcome in results(0.1, network=network, barrier=barrier).values():
        first, *lines = str(outcome.deadlock).splitlines()
        assert first.endswith("but these wait:")
        assert all(line.startswith(("  node ", "  server ")) for line in lines)
        assert "  node 2 waits for" in str(outcome.deadlock)
        at_barrier = [line for line in lines if line.endswith("the others to finish the phase")]
        assert bool(at_barrier) == (barrier == "phase")


def test_clients_without_samples_are_left_out(results):
    """Dirichlet parts so uneven that some of twelve clients hold nothing."""
    task = TASK | {"lr": 0.1, "partition": {"kind": "dirichlet", "alpha": 0.01}}
    for outcome in results(0.1, task=task, network=NETWORK | {"nodes": 12}, rounds=2).values():
        result = outcome.result
        assert result.status == "complete"
        assert result.rounds[-1].accuracy > 0
        kinds = [kind.sender_role for kind in result.transfers.kinds]
        if "client" in kinds:
            updates = result.transfers.kind == kinds.index("client")
            assert len(set(result.transfers.sender[updates])) < 12
