"""What is waited for, in words, for the report of a deadlock."""

from typing import Final, final

import numpy as np

from netsim.network.carrier import Carrier
from netsim.network.mail import Where
from netsim.network.mailbox import Mailbox
from netsim.network.table import MessageTable
from netsim.network.topology import Float64, Int64, Topology

_FEW: Final = 16


@final
class Reasons:
    """Names the messages that are waited for, and the links that stop them.

    ``capacity_bps_L`` are the rates of the links, kept up to date by their owner.
    """

    def __init__(
        self, topology: Topology, table: MessageTable, carrier: Carrier, capacity_bps_L: Float64
    ) -> None:
        self._topology = topology
        self._table = table
        self._carrier = carrier
        self._capacity_bps_L = capacity_bps_L

    def missing(self, box: Mailbox, wanted: list[int], where: Where) -> str:
        """What has not come to the mailbox at ``where`` from all ``wanted``."""
        table, (receiver, kind, round) = self._table, where
        missing = box.missing(wanted, table)
        names = ", ".join(self._topology.names[sender] for sender in missing[:_FEW])
        more = f" and {len(missing) - _FEW} more" if len(missing) > _FEW else ""
        rows = table.moving()
        coming_M = (table.receiver[rows] == receiver) & (table.kind[rows] == kind)
        coming_M &= (table.round[rows] == round) & np.isin(table.sender[rows], missing)
        dead = self._dead(rows[coming_M])
        return f"'{table.kinds[kind]}' of round {round} from {names}{more}{dead}"

    def unsent(self, number: int) -> str:
        """What of a sending has not left."""
        table = self._table
        rows = table.moving()
        rows = rows[(table.sending[rows] == number) & ~table.left[rows]]
        to = ", ".join(self._topology.names[node] for node in table.receiver[rows[:_FEW]])
        return f"'{table.kinds[table.kind[rows[0]]]}' to reach {to}{self._dead(rows)}"

    def _dead(self, rows: Int64) -> str:
        stopped = rows[self._carrier.rate_bps(rows) == 0]
        ends = self._table.sender[stopped], self._table.receiver[stopped]
        _, links = self._topology.routes(*ends)
        dead = [link for link in np.unique(links) if self._capacity_bps_L[link] == 0]
        return "".join(f"; the {self._topology.link_name(int(link))} has rate 0" for link in dead)
