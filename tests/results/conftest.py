"""Runs made up for tests: a few rounds between four nodes, no simulation."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from netsim.network.config import NetworkConfig
from netsim.network.topology import Guest, Topology
from netsim.results.critical import Span
from netsim.results.digest import run_digest
from netsim.results.explanation import Explanation
from netsim.results.links import link_use
from netsim.results.manifest import build_manifest
from netsim.results.measure import distribution_times, traffic_by_round
from netsim.results.nodes import NodeTable
from netsim.results.records import (
    ABORTED,
    DELIVERED,
    LOCAL,
    Bound,
    Computations,
    Kind,
    RoundRecord,
    RunResult,
    Traffic,
    Transfers,
)
from netsim.results.why import explain

KINDS = (Kind("shard", "client", "aggregator"), Kind("model", "aggregator", "client"))
MODEL = "ab" * 32


def _table(nodes: int = 3, kinds: tuple[Kind, ...] = KINDS, **columns: Any) -> Transfers:
    """Transfers with these columns; by default 800 bits from node 0 to node 1 in 100 s."""
    rows = len(next(iter(columns.values())))
    status = np.array(columns.get("status", [DELIVERED] * rows))
    carried = np.array(columns.get("carried_bits", [800] * rows))
    filled: dict[str, Any] = {
        "round": [0] * rows,
        "sender": [0] * rows,
        "receiver": [1] * rows,
        "kind": [0] * rows,
        "payload_bits": carried - 32,
        "wire_bits": carried,
        "carried_bits": carried,
        "sent_bits": np.select([status == ABORTED, status == LOCAL], [carried // 2, 0], carried),
        "start_s": [0.0] * rows,
        "end_s": [100.0] * rows,
        "sequence": range(rows),
        "status": status,
    }
    names = tuple(f"node {i}" for i in range(nodes))
    return Transfers(names, tuple(range(nodes)), kinds, **(filled | columns))


def _exchange(rounds: int, pace: float, bits: int) -> Transfers:
    """Each round every node sends a shard to every node (its own is local), then a model.

    The first shard of round 1 is aborted half way.
    """
    shape = (rounds, 2, 4, 4)
    number, kind, sender, receiver = (axis.ravel() for axis in np.indices(shape))
    status = np.where(sender == receiver, LOCAL, DELIVERED)
    status[(number == 1) & (kind == 0) & (sender == 0) & (receiver == 1)] = ABORTED
    start_s = pace * (number + 0.4 * kind)
    return _table(
        4,
        round=number,
        kind=kind,
        sender=sender,
        receiver=receiver,
        status=status,
        carried_bits=np.full(len(number), bits),
        start_s=start_s,
        end_s=start_s + pace * (0.4 - 0.02 * receiver),
        sequence=2 * number + kind,
    )


def _rounds(transfers: Transfers, rounds: int, pace: float, speed: float) -> tuple[Any, ...]:
    times, traffic = distribution_times(transfers), traffic_by_round(transfers)
    accuracies = [0.95 - 0.85 * float(np.exp(-speed * (i + 1))) for i in range(rounds)]
    return tuple(
        RoundRecord(
            round=i,
            start_s=pace * i,
            end_s=pace * (i + 1),
            distribution_s=times[i],
            compute_s=0.0,
            idle_s=pace - (times[i] or 0.0),
            traffic=traffic[i],
            loss=1.1 - accuracy,
            accuracy=accuracy,
            accuracy_min=accuracy - 0.03,
            accuracy_max=accuracy + 0.02,
        )
        for i, accuracy in enumerate(accuracies)
    )


def _run(
    label: str = "eris (A=4)",
    rounds: int = 3,
    pace: float = 1.0,
    bits: int = 8_000_000,
    speed: float = 0.5,
    **changes: Any,
) -> RunResult:
    """A learning run of rounds of ``pace`` seconds; ``changes`` replace its fields."""
    transfers = _exchange(rounds, pace, bits)
    fields: dict[str, Any] = {
        "protocol": "eris",
        "params": {"aggregators": 4, "compression": {"kind": "rand_k", "keep": 0.05}},
        "rounds": _rounds(transfers, rounds, pace, speed),
        "transfers": transfers,
        "digest": run_digest(transfers, MODEL),
        "model_digest": MODEL,
        "bound": Bound("eq53", 0.9 * pace, 0.75 * pace, 0.8 / 0.75),
        "targets": (0.5, 0.925),
    }
    return RunResult(label, **(fields | changes))


def _volume_run(label: str = "volume") -> RunResult:
    """A run of sizes alone: no accuracy, no model, no bound, and rounds that overlap."""
    transfers = _exchange(3, 1.0, 8_000_000)
    traffic = traffic_by_round(transfers)
    records = tuple(RoundRecord(i, float(i), i + 1.0, None, 0.0, 0.0, traffic[i]) for i in range(3))
    return RunResult(label, "fedavg", {}, records, transfers, run_digest(transfers, None))


@pytest.fixture(scope="session")
def held() -> Callable[..., NodeTable]:
    """Clients and a server on links of 20 and 40 Mbit/s and 10 ms; how many samples each client
    holds, and their classes, if any."""

    def build(*samples: int, classes: tuple[str, ...] = ()) -> NodeTable:
        names = (*(f"node {k}" for k in range(len(samples))), "server")
        rates = (np.full(len(names), each) for each in (20e6, 40e6, 0.01))
        return NodeTable(names, classes, *rates, np.array(samples, np.int64))

    return build


@pytest.fixture(scope="session")
def table() -> Callable[..., Transfers]:
    """Builds transfers from some of their columns."""
    return _table


@pytest.fixture(scope="session")
def make_run() -> Callable[..., RunResult]:
    """Builds a learning run."""
    return _run


@pytest.fixture(scope="session")
def volume_run() -> RunResult:
    """A run without accuracies."""
    return _volume_run()


@pytest.fixture(scope="session")
def manifest() -> dict[str, Any]:
    """The manifest of a result."""
    return build_manifest("name: made up\n", seed=7, wall_time_s=1.5)


Send = tuple[int, int, str, int, float, float]
"""Sender, receiver, kind, bits, start and end."""


class Story:
    """A made-up history of messages between nodes whose access links are known.

    Four nodes (the last called ``server``) on 8 Mbit/s without latency, if not said otherwise.
    """

    def __init__(self, nodes: int = 4, guests: Any = None, **network: Any) -> None:
        guests = (Guest("server"),) if guests is None else guests
        usual = {"uplink": "8 Mbit/s", "downlink": "8 Mbit/s"}
        config = NetworkConfig(nodes=nodes - len(guests), **(usual | network))
        self.topology = Topology.build(config, tuple(guests))

    def transfers(self, sends: Sequence[Send], **columns: Any) -> Transfers:
        """Delivered messages of round 0; ``columns`` replace those of the table."""
        names = sorted({kind for _, _, kind, *_ in sends})
        sender, receiver, kind, bits, start_s, end_s = zip(*sends, strict=True)
        filled = {
            "sender": sender,
            "receiver": receiver,
            "kind": [names.index(each) for each in kind],
            "carried_bits": bits,
            "payload_bits": bits,
            "start_s": start_s,
            "end_s": end_s,
        }
        kinds = tuple(Kind(name, "node", "node") for name in names)
        hosts = tuple(self.topology.host_N.tolist())
        made = _table(len(hosts), kinds, **(filled | columns))
        return dataclasses.replace(made, node_names=self.topology.names, node_hosts=hosts)

    def why(
        self,
        sends: Sequence[Send],
        span: tuple[float, float],
        computed: Sequence[tuple[int, int, float, float]] = (),
        number: int = 0,
        **columns: Any,
    ) -> Explanation:
        """The explanation of round ``number``, from ``span[0]`` to ``span[1]``."""
        transfers = self.transfers(sends, **columns)
        of = Computations.of(computed)
        (explained,) = explain(transfers, of, self.topology, [Span(number, *span)])
        return explained


@pytest.fixture(scope="session")
def story() -> Callable[..., Story]:
    """Builds networks for made-up histories."""
    return Story


def _explained_run(label: str = "fedavg", slow_s: float = 3.0) -> RunResult:
    """Two rounds of an update and a model each; the second takes ``slow_s`` + 2.5 s."""
    story = Story(latency="500 ms", server={"uplink": "16 Mbit/s"})
    first, second = (0.0, 4.0), (4.0, 6.5 + slow_s)
    sends = [
        (0, 3, "update", 8_000_000, 0, 1.5),
        (3, 0, "model", 8_000_000, 1.5, 4),
        (1, 3, "update", 8_000_000, 5, 5 + slow_s),
        (3, 1, "model", 8_000_000, 5 + slow_s, 6.5 + slow_s),
    ]
    transfers = story.transfers(sends, round=[0, 0, 1, 1])
    computed = Computations.of([(1, 1, 4.0, 5.0)])
    spans = [Span(number, *span) for number, span in enumerate((first, second))]
    whys = explain(transfers, computed, story.topology, spans)
    records = tuple(
        RoundRecord(span.round, span.start_s, span.end_s, None, 0.0, 0.0, Traffic(), why=why)
        for span, why in zip(spans, whys, strict=True)
    )
    links = link_use(transfers, story.topology, spans)
    return RunResult(label, "fedavg", {}, records, transfers, "00", links=links)


@pytest.fixture(scope="session")
def explained_run() -> Callable[..., RunResult]:
    """Builds a run of two rounds whose times are explained."""
    return _explained_run
