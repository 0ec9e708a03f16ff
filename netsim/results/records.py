"""The records of a run: transfers, rounds and the result they add up to."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from netsim.learning.metrics import METRIC, Metric
from netsim.results.explanation import Explanation, LinkUse
from netsim.results.nodes import NodeTable

STATUSES: Final = ("delivered", "aborted", "local")
DELIVERED: Final = 0
ABORTED: Final = 1
LOCAL: Final = 2

_DTYPES: Final = {
    "kind": np.int16,
    "status": np.int8,
    "start_s": np.float64,
    "end_s": np.float64,
}


@dataclass(frozen=True)
class Kind:
    """A kind of message and the roles of its two ends, which bytes are summed by.

    Two kinds may share a name when the same message is sent by nodes of different roles.
    """

    name: str
    sender_role: str
    receiver_role: str


@dataclass(frozen=True, eq=False)
class Transfers:
    """All messages of a run, one row each, in any order; every array has shape [rows].

    ``node_hosts`` gives the access link each node sits on (0, 1, …; virtual nodes share one).
    ``sender`` and ``receiver`` index ``node_names``, ``kind`` indexes ``kinds`` and ``status``
    indexes ``STATUSES``. ``carried_bits`` is what the network carries when nothing fails (payload
    or wire bits, transport headers included) and ``sent_bits`` what did leave the sender: all of
    it when delivered, a part when aborted, 0 when local. ``end_s`` is the arrival of the last
    bit or the moment of the abort. ``sequence`` is the order of sending at its sender.
    Columns are converted to int64, float64 (times), int16 (kind) and int8 (status).
    """

    node_names: tuple[str, ...]
    node_hosts: tuple[int, ...]
    kinds: tuple[Kind, ...]
    round: npt.NDArray[np.int64]
    sender: npt.NDArray[np.int64]
    receiver: npt.NDArray[np.int64]
    kind: npt.NDArray[np.int16]
    payload_bits: npt.NDArray[np.int64]
    wire_bits: npt.NDArray[np.int64]
    carried_bits: npt.NDArray[np.int64]
    sent_bits: npt.NDArray[np.int64]
    start_s: npt.NDArray[np.float64]
    end_s: npt.NDArray[np.float64]
    sequence: npt.NDArray[np.int64]
    status: npt.NDArray[np.int8]

    def __post_init__(self) -> None:
        for name in self.columns():
            column = np.asarray(getattr(self, name), _DTYPES.get(name, np.int64))
            object.__setattr__(self, name, column)
        assert all(getattr(self, name).shape == (len(self),) for name in self.columns())
        self._check_codes()
        self._check_bits_and_times()

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The names of the array fields."""
        names = [f.name for f in fields(cls)]
        return tuple(names[names.index("round") :])

    @classmethod
    def empty(cls, node_names: tuple[str, ...]) -> Self:
        """No transfers at all, between nodes with a link each."""
        none: Any = np.zeros(0)
        return cls(
            node_names, tuple(range(len(node_names))), (), **dict.fromkeys(cls.columns(), none)
        )

    def __len__(self) -> int:
        return len(self.round)

    @property
    def on_link(self) -> npt.NDArray[np.bool_]:
        """Rows that crossed the network, which local ones did not."""
        return np.not_equal(self.status, LOCAL)

    def select(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Self:
        """The rows of a mask or an index array, in that order."""
        chosen = {name: getattr(self, name)[rows] for name in self.columns()}
        return type(self)(self.node_names, self.node_hosts, self.kinds, **chosen)

    def host_name(self, host: int) -> str:
        """The name of the first node on a host."""
        return self.node_names[self.node_hosts.index(host)]

    def _check_codes(self) -> None:
        assert len(self.node_hosts) == len(self.node_names)
        tables = {
            "sender": self.node_names,
            "receiver": self.node_names,
            "kind": self.kinds,
            "status": STATUSES,
        }
        for name, table in tables.items():
            codes = getattr(self, name)
            assert np.all((codes >= 0) & (codes < len(table))), f"{name} outside its table"

    def _check_bits_and_times(self) -> None:
        whole = np.where(self.status == LOCAL, 0, self.carried_bits)
        assert np.all((self.sent_bits >= 0) & (self.sent_bits <= whole)), "sent more than carried"
        unfinished = (self.status == DELIVERED) & (self.sent_bits != whole)
        assert not unfinished.any(), "delivered in part"
        assert np.isfinite(self.end_s).all(), "a transfer without an end"
        assert np.all(self.end_s >= self.start_s), "a transfer ends before it starts"


@dataclass(frozen=True, eq=False)
class Computations:
    """Local training that took virtual time, a row each, in any order; arrays of shape [rows].

    ``node`` is the number of the node that computed.
    """

    round: npt.NDArray[np.int64]
    node: npt.NDArray[np.int64]
    start_s: npt.NDArray[np.float64]
    end_s: npt.NDArray[np.float64]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, float, float]]) -> Self:
        """From rows of round, node, start and end."""
        round, node, start_s, end_s = np.array(rows, np.float64).reshape(-1, 4).T
        return cls(round.astype(np.int64), node.astype(np.int64), start_s, end_s)


@dataclass(frozen=True)
class RoleTraffic:
    """Bits that left nodes in a role, lost ones included, and bits that reached them."""

    upload_bits: int
    download_bits: int


@dataclass(frozen=True)
class Traffic:
    """What a set of transfers moved, in bits; local messages do not count.

    ``payload_bits`` and ``wire_bits`` are sizes as handed to the network; ``sent_bits`` are
    those that left, which is ``delivered_bits + lost_bits``.
    """

    payload_bits: int = 0
    wire_bits: int = 0
    sent_bits: int = 0
    delivered_bits: int = 0
    lost_bits: int = 0
    by_role: Mapping[str, RoleTraffic] = field(default_factory=dict)


@dataclass(frozen=True)
class Spread:
    """A metric's mean over the nodes' models, the least and the most of any; all one for one."""

    mean: float
    min: float
    max: float


@dataclass(frozen=True)
class RoundRecord:
    """One round in virtual time, from the end of the last one to its own end.

    ``distribution_s`` is None when the round overlaps another. ``idle_s`` is the part of the
    round in which nothing was on its way and nobody computed. ``accuracy`` is the mean over
    the nodes' models where there are several, with the spread beside it; accuracy and loss
    are None where they were not measured. ``metrics`` are others, by name; ``validation_…`` are
    on what was held out of the training samples. ``lr`` is the clients' learning rate, None where
    nothing is trained. ``why`` says what made the round's length.
    ``seen_share`` is the largest share of a client's update that one observer received, None
    where that cannot be said.
    """

    round: int
    start_s: float
    end_s: float
    distribution_s: float | None
    compute_s: float
    idle_s: float
    traffic: Traffic
    loss: float | None = None
    accuracy: float | None = None
    accuracy_min: float | None = None
    accuracy_max: float | None = None
    accuracy_std: float | None = None
    metrics: Mapping[str, Spread] = field(default_factory=dict)
    validation_loss: float | None = None
    validation_accuracy: float | None = None
    lr: float | None = None
    why: Explanation | None = None
    seen_share: float | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, float):
                assert math.isfinite(value), f"round {self.round}: {item.name} is {value}"

    def value(self, metric: Metric) -> float | None:
        """What ``metric`` says, mean over the nodes' models; None where it was not measured."""
        if metric.name == "accuracy":
            return self.accuracy
        found = self.metrics.get(metric.name)
        return None if found is None else found.mean


@dataclass(frozen=True)
class Bound:
    """Closed form, achievable optimum and simulated time of a round's distribution.

    ``ratio`` is the simulated mean ÷ ``optimum_s``. None stands where there is no closed form
    or, for rounds that overlap, no optimum.
    """

    formula: str | None
    formula_s: float | None
    optimum_s: float | None
    ratio: float | None


@dataclass(frozen=True, eq=False)
class RunResult:
    """All that is known of one protocol's run.

    ``params`` holds JSON values. ``failure`` is None for a complete run, else the reason in a
    line; its rounds are then those that were completed. ``targets`` are the accuracies whose
    times are reported. ``links`` is what links carried in the rounds; ``metric`` what models are
    compared by; ``gradients`` the strategy that computed gradients, None where there are none.
    """

    label: str
    protocol: str
    params: Mapping[str, Any]
    rounds: tuple[RoundRecord, ...]
    transfers: Transfers
    digest: str
    model_digest: str | None = None
    bound: Bound | None = None
    failure: str | None = None
    targets: tuple[float, ...] = ()
    links: LinkUse = field(default_factory=LinkUse.none)
    metric: Metric = METRIC["class"]
    gradients: str | None = None
    nodes: NodeTable = field(default_factory=NodeTable.none)

    @property
    def status(self) -> str:
        """``complete``, or ``failed: `` and the reason."""
        return "complete" if self.failure is None else f"failed: {self.failure}"
