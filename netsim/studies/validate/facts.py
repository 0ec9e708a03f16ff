"""What is known of a case, for the rules that say why its figures differ."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from netsim.network.topology import Float64, Int64
from netsim.results.records import LOCAL
from netsim.studies.records import load_s_L, phase_rows
from netsim.studies.validate.timed import Barrier, Timed

SAME = 1e-9
"""Times that differ by less than this part are the same."""


@dataclass(frozen=True, eq=False)
class Facts:
    """Figures of one case, s, and the round they were taken from.

    ``least_s`` is what no schedule beats, ``phases_s`` the sum of the phases' bounds, which is
    the same where there are barriers.
    """

    barrier: Barrier
    fair: Timed
    formula: str | None
    formula_s: float | None
    least_s: float
    phases_s: float
    fifo_s: float | None
    optimal_s: float | None
    tcp: bool

    @property
    def max_min_s(self) -> float:
        """The round under max-min fair sharing."""
        return self.fair.time_s

    @property
    def fastest_s(self) -> float:
        """The shortest of the simulated times."""
        times = (self.max_min_s, self.fifo_s, self.optimal_s)
        return min(time_s for time_s in times if time_s is not None)

    @property
    def clients(self) -> int:
        """K."""
        return self.fair.topology.clients

    @cached_property
    def phases(self) -> list[Int64]:
        """The rows of each phase."""
        return phase_rows(self.fair.transfers)

    @cached_property
    def latency_s(self) -> float:
        """The longest path's latency, as often as a node sends in turn in a phase."""
        return latency_s(self.fair)

    @cached_property
    def access_s(self) -> float:
        """The sum of the phases' bounds if only access links had rates."""
        hosts = len(self.fair.topology.uplink_bps_H)
        return float(sum(load_s[: 2 * hosts].max() for load_s in self._loads_s))

    @cached_property
    def slowest_link(self) -> int:
        """The link that sets the bound of the longest phase."""
        longest = max(self._loads_s, key=lambda load_s: float(load_s.max()))
        return int(longest.argmax())

    @property
    def slowest_name(self) -> str:
        """That link in words."""
        return self.fair.topology.link_name(self.slowest_link)

    @property
    def inner_name(self) -> str:
        """The link between routers that is slower than all access links in its phase, by most."""
        inner = 2 * len(self.fair.topology.uplink_bps_H)
        late_s = [load_s[inner:] - load_s[:inner].max() for load_s in self._loads_s]
        link = max(late_s, key=lambda each_s: float(each_s.max())).argmax()
        return self.fair.topology.link_name(inner + int(link))

    @property
    def slowest_is_uplink(self) -> bool:
        """Whether that link is some node's uplink."""
        hosts = len(self.fair.topology.uplink_bps_H)
        return self.slowest_link < 2 * hosts and self.slowest_link % 2 == 0

    @cached_property
    def local_share(self) -> float:
        """At the host of the slowest link, the share of its messages that stay on the host.

        Among those of kinds of which some cross links.
        """
        transfers, host_N = self.fair.transfers, self.fair.topology.host_N
        crossing = np.isin(transfers.kind, np.unique(transfers.kind[transfers.on_link]))
        own = crossing & (host_N[transfers.sender] == self.slowest_link // 2)
        return float((own & (transfers.status == LOCAL)).sum() / max(own.sum(), 1))

    @property
    def all_receive(self) -> bool:
        """Whether in the first phase every client gets messages."""
        receivers = np.unique(self.fair.transfers.receiver[self.phases[0]])
        return len(receivers) >= self.clients

    @cached_property
    def _loads_s(self) -> list[Float64]:
        fair = self.fair
        return [load_s_L(fair.transfers, fair.topology, rows) for rows in self.phases]


def latency_s(timed: Timed) -> float:
    """The longest path's latency, as often as a node sends in turn in a phase."""
    transfers, total_s = timed.transfers, 0.0
    for rows in phase_rows(transfers):
        sender, start_s = transfers.sender[rows], transfers.start_s[rows]
        path_s = timed.topology.path_latency_s(sender, transfers.receiver[rows])
        sendings = np.unique(np.stack([transfers.round[rows], sender, start_s]), axis=1)
        turns = np.unique(sendings[:2], axis=1, return_counts=True)[1]
        total_s += float(path_s.max()) * int(turns.max())
    return total_s / timed.rounds


def above(time_s: float, other_s: float) -> bool:
    """Whether a time is longer than another, rounding aside."""
    return time_s > other_s * (1 + SAME)
