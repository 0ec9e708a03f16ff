"""Every failure with every protocol: the run ends, and no bit is unaccounted for."""

from pathlib import Path

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.volume import VolumeTask
from netsim.network.failures import TransferFailed
from netsim.network.faults.config import Failures, NodesPerRound, NodesTrace
from netsim.network.faults.draws import Churn
from netsim.network.faults.processes import read_trace
from netsim.protocols.participation import Sampling
from netsim.results.progress import run_progress
from netsim.results.records import ABORTED, DELIVERED, LOCAL, RunResult
from netsim.scenario.csv_file import CsvError
from netsim.scenario.document import Document
from netsim.studies.run import run_protocol
from netsim.studies.scenario import Scenario, problems

ROUNDS, CLIENTS = 5, 8
FAILURES = {
    "links": "{links: {kind: per_round, rate: 0.3}}",
    "outages": "{links: {kind: outages, mtbf: 3 s, mttr: 500 ms}}",
    "retries": "{links: {kind: outages, mtbf: 3 s, mttr: 500 ms}, "
    "retries: {times: 3, backoff: 200 ms}}",
    "churn": "{nodes: {kind: per_round, rate: 0.3, correlation: 0.1}}",
    "aggregators": "{aggregators: 0.4}",
    "all off": "{aggregators: 1.0}",
    "all away": "{nodes: {kind: per_round, rate: 1.0}}",
    "deadline": "{deadline: 300 ms}",
    "together": "{links: {kind: outages, mtbf: 3 s, mttr: 500 ms}, "
    "retries: {times: 2, backoff: 100 ms}, nodes: {kind: per_round, rate: 0.2}, "
    "aggregators: 0.2, deadline: 2 s}",
}
RUNS = {
    "fedavg": "{kind: fedavg}",
    "dpsgd": "{kind: dpsgd}",
    "epidemic": "{kind: epidemic}",
    "el_local": "{kind: el_local}",
    "sparse": "{kind: sparse_dpsgd, keep: 0.9}",
    "dp": "{kind: dp_sgd}",
    "quantised": "{kind: q_dpsgd_1}",
    "muffliato": "{kind: muffliato, gossip_rounds: 3}",
    "ako": "{kind: ako}",
    "eris": "{kind: eris}",
    "few aggregators": "{kind: eris, aggregators: 3}",
    "dsc": "{kind: eris, masks: random, compression: {kind: rand_k, keep: 0.1}}",
    "redrawn": "{kind: eris, masks: random, redraw: true, compression: {kind: rand_k, keep: 0.1}}",
    "shatter": "{kind: shatter}",
    "shatter own links": "{kind: shatter, links: own}",
}
TRACE = "time_s,node,on\n0.2,1,0\n1.2,1,1\n2,3,0\n2.5,0,0\n9,0,1\n"


def played(
    failures: str, run: str, barrier: str = "round", compute: str = "none", rounds: int = ROUNDS
) -> RunResult:
    """A run without values."""
    text = f"""
name: failing
seed: 3
rounds: {rounds}
volume: {{parameters: 20000}}
network: {{nodes: {CLIENTS}, uplink: 2 Mbit/s, downlink: 4 Mbit/s, latency: 5 ms}}
barrier: {barrier}
compute: {compute}
failures: {failures}
runs: [{run}]
"""
    scenario = Document.of(text, "failing.yaml").parse(Scenario, problems)
    with run_progress() as progress:
        task = VolumeTask(20000, CLIENTS)
        return run_protocol(scenario, scenario.runs[0], "run", task, progress).result


def check(result: RunResult) -> None:
    """All rounds were played and each bit that left was delivered or is charged as lost."""
    assert result.failure is None
    assert len(result.rounds) == ROUNDS
    moved = result.transfers
    assert np.isin(moved.status, (DELIVERED, ABORTED, LOCAL)).all()
    delivered = moved.status == DELIVERED
    assert (moved.sent_bits[delivered] == moved.carried_bits[delivered]).all()
    assert (moved.sent_bits <= moved.carried_bits).all()
    assert (moved.sent_bits[moved.status == LOCAL] == 0).all()


@pytest.mark.parametrize("barrier", ["round", "none"])
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("failures", FAILURES)
def test_every_failure_with_every_protocol_ends(failures: str, run: str, barrier: str) -> None:
    if barrier == "none" and run == "redrawn":
        pytest.skip("redrawn masks with compression need rounds that end together")
    check(played(FAILURES[failures], RUNS[run], barrier))


@pytest.mark.parametrize("failures", FAILURES)
@pytest.mark.parametrize("run", ["fedavg", "eris", "shatter"])
def test_what_arrives_takes_no_less_than_it_must(failures: str, run: str) -> None:
    """What never left, or was lost, is not in the optimum; where nothing arrives there is none."""
    result = played(FAILURES[failures], RUNS[run], "phase")
    assert result.bound is not None
    some = (result.transfers.status == DELIVERED).any()
    assert (result.bound.ratio is not None) == some
    assert not some or result.bound.ratio >= 1 - 1e-9


@pytest.mark.parametrize("run", RUNS)
def test_nodes_that_go_and_come_back_by_a_trace(run: str, tmp_path: Path) -> None:
    file = tmp_path / "churn.csv"
    file.write_text(TRACE)
    result = played(f"{{nodes: {{kind: trace, file: {file}}}}}", RUNS[run])
    check(result)
    away = result.transfers.select(result.transfers.round == 1)
    assert (away.status == ABORTED).any()


@pytest.mark.parametrize("run", ["fedavg", "eris", "el_local", "shatter"])
def test_the_same_clients_are_away_with_and_without_barriers(run: str) -> None:
    """Those that the draw says, also when some nodes are rounds ahead of others."""
    churn = Churn(NodesPerRound(rate=0.3, correlation=0.1), Streams(3), CLIENTS)
    there = {(round, k) for round in range(ROUNDS) for k in np.flatnonzero(~churn.away(round))}
    for barrier in ("round", "none"):
        moved = played(FAILURES["churn"], RUNS[run], barrier).transfers
        clients = moved.sender < CLIENTS
        sent = {*zip(moved.round[clients].tolist(), moved.sender[clients].tolist(), strict=True)}
        assert sent <= there if run == "shatter" else sent == there


def test_the_same_failures_meet_every_run_of_a_seed() -> None:
    one, other = (played(FAILURES["together"], RUNS["eris"]) for _ in range(2))
    assert one.digest == other.digest


def test_retries_deliver_more_than_none() -> None:
    """An outage of half a second is outlived by three retries."""
    shares = [
        (played(FAILURES[failures], RUNS["eris"]).transfers.status == DELIVERED).sum()
        for failures in ("outages", "retries")
    ]
    assert shares[1] > shares[0]


def test_aggregator_dropout_is_the_stated_share_of_each_round() -> None:
    """With 3 aggregators and 40 % off, one is: none of its messages arrive."""
    result = played(FAILURES["aggregators"], RUNS["few aggregators"])
    for round in range(ROUNDS):
        rows = result.transfers.select(result.transfers.round == round)
        lost = {int(each) for each in rows.receiver[rows.status == ABORTED]}
        assert len(lost) == 1
        assert (rows.sent_bits[rows.status == ABORTED] == 0).all()


SECOND = "{kind: per_round, time: 1 s}"


@pytest.mark.parametrize("barrier", ["round", "phase", "none"])
def test_a_deadline_counts_from_the_start_of_the_round(barrier: str) -> None:
    """An update is computed for 1 s and sent for 2.56 s at least: in time or late as a whole.

    8 clients share the server's 4 Mbit/s for 640 kbit each: 1.28 s and 5 ms.
    """
    ends = 1 + 8 * 640_000 / 4e6 + 0.005
    for deadline_s, status in ((ends + 0.01, DELIVERED), (ends - 0.01, ABORTED)):
        failures = f"{{deadline: {deadline_s:.6f} s}}"
        result = played(failures, "{kind: fedavg}", barrier, SECOND, rounds=3)
        for round in range(3):
            sent = result.transfers.select(result.transfers.round == round)
            names = [sent.kinds[kind].name for kind in sent.kind.tolist()]
            updates = sent.select(np.array([name == "update" for name in names]))
            assert (updates.status == status).all()
            start_s = result.rounds[round].start_s
            if status == ABORTED:
                assert updates.end_s == pytest.approx(start_s + deadline_s)


@pytest.mark.parametrize("run", RUNS)
def test_who_trains_for_too_long_is_done_without(run: str) -> None:
    """All nodes still compute at the deadline: nothing that they trained is taken or sent."""
    result = played("{deadline: 900 ms}", RUNS[run], "round", SECOND, rounds=2)
    assert result.failure is None
    kinds = [kind.sender_role in ("client", "node") for kind in result.transfers.kinds]
    trained = np.array(kinds)[result.transfers.kind]
    assert trained.any()
    assert (result.transfers.status[trained] == ABORTED).all()
    assert (result.transfers.sent_bits[trained] == 0).all()


def test_an_answer_has_its_time_from_its_first_message() -> None:
    """The model arrives after the deadline of the updates, 2.56 s after it was first sent."""
    result = played("{deadline: 2.7 s}", "{kind: fedavg}", "round", SECOND, rounds=2)
    assert (result.transfers.status == DELIVERED).all()
    assert result.rounds[0].end_s > 2.7


@pytest.mark.parametrize("seconds", [60, 90_000])
def test_patience_waits_for_who_computes(seconds: int) -> None:
    """Rounds of computing far longer than it, while links could fail and be repaired for ever."""
    failures = "{links: {kind: outages, mtbf: 1000 h, mttr: 1 s}}\npatience: 10 s"
    result = played(failures, "{kind: fedavg}", "round", f"{{kind: per_round, time: {seconds} s}}")
    check(result)
    assert result.rounds[-1].end_s > ROUNDS * seconds


def test_patience_ends_a_run_in_which_nothing_arrives() -> None:
    """The report says what ended it."""
    text = """
name: stuck
rounds: 1
volume: {parameters: 1000}
network: {nodes: 2, uplink: 1 MB/s, downlink: 1 MB/s, overrides: {1: {uplink: 0 bit/s}}}
failures: {links: {kind: outages, mtbf: 1000 h, mttr: 1 s}}
patience: 7 min
runs: [fedavg]
"""
    scenario = Document.of(text, "stuck.yaml").parse(Scenario, problems)
    with run_progress() as progress:
        task = VolumeTask(1000, 2)
        outcome = run_protocol(scenario, scenario.runs[0], "run", task, progress)
    assert outcome.result.failure == "deadlock"
    first, *waits = str(outcome.deadlock).splitlines()
    assert first == "nothing arrived in the 7 min (patience) before 840 s, but these wait:"
    assert any("node 1; the uplink of node 1 has rate 0" in wait for wait in waits)


def test_a_trace_that_cannot_be_read(tmp_path: Path) -> None:
    """No file, no text, no CSV: the path once, and why."""
    file = tmp_path / "churn.csv"
    with pytest.raises(CsvError, match=r"churn\.csv: cannot be read: No such file"):
        read_trace(file, CLIENTS)
    for content in (b"\xff", b"0" * 200_000):
        file.write_bytes(content)
        with pytest.raises(CsvError, match="is no CSV file: "):
            read_trace(file, CLIENTS)


def test_failures_have_names() -> None:
    """All are `TransferFailed`, with both ends, the kind and the reason in words."""
    error = TransferFailed("node 1", "server", "update", "the link is down for the round")
    assert str(error) == "update from node 1 to server: the link is down for the round"


def test_who_trained_alone_and_goes_takes_what_is_leaving_along(tmp_path: Path) -> None:
    """Also where the next round is for others, so that no model is waited for."""
    scenario = Document.of(
        """
name: going
rounds: 2
volume: {parameters: 20000}
network: {nodes: 4, uplink: 2 Mbit/s, downlink: 4 Mbit/s}
participation: 1
runs: [fedavg]
""",
        "going.yaml",
    ).parse(Scenario, problems)
    sampling = Sampling(1, range(4), Streams(scenario.seed))
    (first,), (second,) = sampling.trainers(0), sampling.trainers(1)
    assert first != second
    file = tmp_path / "nodes.csv"
    file.write_text(f"time_s,node,on\n0.1,{first},0\n")
    goes = scenario.model_copy(update={"failures": Failures(nodes=NodesTrace(file=file))})
    for each, status in ((scenario, DELIVERED), (goes, ABORTED)):
        with run_progress() as progress:
            task = VolumeTask(20000, 4)
            done = run_protocol(each, each.runs[0], "run", task, progress).result
        sent = (done.transfers.sender == first) & (done.transfers.round == 0)
        assert done.transfers.status[sent].tolist() == [status]
