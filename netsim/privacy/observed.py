"""What honest-but-curious nodes received of each client's updates, from a run's messages.

A client with what it brought along (virtual nodes) is one observer; so is a node of its own, such
as a server.  What counts is the payload of messages that arrived, in bits: of float32 values, 32
a coordinate.  Messages from those who aggregate tell of no client alone and do not count.  A
message's payload is the sender's as it stands: where models are gossiped, with what it took in
before.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import comb
from typing import Final, Self

import numpy as np

from netsim.network.table import DELIVERED, MessageTable
from netsim.network.topology import Float64, Int64

_AGGREGATE: Final = ("server", "aggregator")


@dataclass(frozen=True, eq=False)
class Observed:
    """A row for each payload and each observer it reached.  Shapes: R rounds, K clients.

    ``content`` tells payloads apart: one that is sent to several nodes, or twice to an observer,
    is one.  A payload that a ``scatter`` holds for several receivers is as many.  ``message`` is
    the row that the first to arrive has in the table of messages, ``amounts`` its payload in
    bits, or what else is counted.
    """

    rounds: int
    clients: int
    round: Int64
    client: Int64
    content: Int64
    observer: Int64
    amounts: Int64
    message: Int64

    @classmethod
    def of(
        cls, table: MessageTable, roles: Mapping[str, tuple[str, str]], owner_N: Int64, clients: int
    ) -> Self:
        """From the messages of a run.

        ``roles`` gives each kind's sender and receiver role, ``owner_N`` the client that each
        node belongs to, −1 for none.
        """
        single = np.array([roles[kind][0] not in _AGGREGATE for kind in table.kinds], bool)
        sender, receiver = table.column("sender"), table.column("receiver")
        client = owner_N[sender]
        observer = np.where(owner_N[receiver] < 0, receiver, owner_N[receiver])
        counts = (table.column("status") == DELIVERED) & (client >= 0) & (client != observer)
        rows = np.flatnonzero(counts & single[table.column("kind")])
        place = np.where(table.column("copied"), -1, table.column("index"))
        which = (table.column("sending").astype(np.int64) << 32) + place + 1
        content = np.unique(which[rows], return_inverse=True)[1]
        both = content * len(owner_N) + observer[rows]
        first = np.unique(both, return_index=True)[1]
        kept = rows[first]
        return cls(
            rounds=int(table.column("round").max(initial=-1)) + 1,
            clients=clients,
            round=table.column("round")[kept].astype(np.int64),
            client=client[kept],
            content=content[first].astype(np.int64),
            observer=observer[kept],
            amounts=table.column("payload_bits")[kept],
            message=kept,
        )

    def counting(self, amounts: Int64) -> Self:
        """The same with other amounts, one a row, such as coordinates."""
        return replace(self, amounts=amounts)

    def largest(self) -> Int64:
        """The most that one observer received of one client in each round, Int64[R]."""
        observers = int(self.observer.max(initial=-1)) + 1
        whose = (self.round * self.clients + self.client) * observers + self.observer
        pairs, place = np.unique(whose, return_inverse=True)
        sums = np.zeros(len(pairs), np.int64)
        np.add.at(sums, place, self.amounts)
        most = np.zeros(self.rounds, np.int64)
        np.maximum.at(most, pairs // max(1, self.clients * observers), sums)
        return most

    def by(self, coalition: Collection[int]) -> Int64:
        """How much of each client's payloads these observers together received, Int64[R, K].

        What one of them sent itself it knows anyway and does not count.
        """
        among = np.isin(self.observer, list(coalition)) & ~np.isin(self.client, list(coalition))
        rows = np.flatnonzero(among)
        rows = rows[np.unique(self.content[rows], return_index=True)[1]]
        total = np.zeros((self.rounds, self.clients), np.int64)
        np.add.at(total, (self.round[rows], self.client[rows]), self.amounts[rows])
        return total

    def mean_by(self, colluding: int, candidates: Collection[int]) -> Float64:
        """The mean of ``by`` over all coalitions of ``colluding`` candidates, Float64[R, K].

        For each client they are drawn from the candidates other than itself, of whom there must
        be as many.  Exact: a payload that h of M got is missed by C(M − h, c)/C(M, c) of the
        coalitions.
        """
        those = list(candidates)
        mask = np.isin(self.observer, those)
        found = np.unique(self.content[mask], return_index=True, return_counts=True)
        rows, reached = np.flatnonzero(mask)[found[1]], found[2]
        others = len(those) - np.isin(self.client[rows], those)
        pairs = zip(others.tolist(), reached.tolist(), strict=True)
        seen = np.array([_seen(several, hit, colluding) for several, hit in pairs])
        total = np.zeros((self.rounds, self.clients))
        np.add.at(total, (self.round[rows], self.client[rows]), seen * self.amounts[rows])
        return total


@cache
def _seen(others: int, reached: int, colluding: int) -> float:
    """How likely so many of the others include one of those reached."""
    return 1 - comb(others - reached, colluding) / comb(others, colluding)
