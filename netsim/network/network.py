"""Messages between nodes: posted, carried, and put where their receiver waits."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import compress
from typing import Any, Literal

import numpy as np

from netsim.kernel import running_loop, waiting
from netsim.network.carrier import Carrier
from netsim.network.entry import Post, enter, enter_again
from netsim.network.failures import DeadlineMissed, LinkDown, NodeDown, TransferFailed
from netsim.network.faults.guard import OUTAGE, Guard, Why
from netsim.network.ledger import Ledger
from netsim.network.mail import Mail
from netsim.network.mailbox import Mailbox
from netsim.network.messages import Arrivals, Deliver, Sending
from netsim.network.reasons import Reasons
from netsim.network.sharing.base import Sharing
from netsim.network.table import LOCAL, MOVING, MessageTable
from netsim.network.topology import Float64, Int64, Topology
from netsim.network.transport.config import Fluid, Transport

_FLUID = Fluid()


class Network:
    """The nodes' post office on a virtual clock.

    What is posted at one instant starts together at the end of that instant.  Messages meet
    their receiver by kind and round; messages between nodes on one host cost nothing.
    ``count`` says which size the links carry; ``deliver`` what is done to a payload on arrival;
    ``guard`` what fails; ``transport`` what it adds to a message; ``ledger`` keeps and knows
    sizes that depend on values.  ``arrivals`` counts the messages that arrived or failed,
    ``capacity_bps_L`` are the rates of the links now.
    """

    def __init__(
        self,
        topology: Topology,
        sharing: Sharing,
        count: Literal["wire", "payload"] = "wire",
        deliver: Deliver | None = None,
        guard: Guard | None = None,
        transport: Transport = _FLUID,
        ledger: Ledger | None = None,
    ) -> None:
        self.topology = topology
        self.table = MessageTable()
        self._count = count
        self._transport = transport
        self._guard = guard
        self._ledger = ledger
        self._loop = running_loop()
        self._mail = Mail(self.table, deliver)
        self._carrier = Carrier(topology, sharing, self.table, self._on_left, self._on_arrived)
        self.capacity_bps_L = topology.capacity_bps_L
        self._reasons = Reasons(topology, self.table, self._carrier, self.capacity_bps_L)
        self._posts: list[Post] = []
        self._numbers = 0
        self._why = self._reasons.unsent
        self.arrivals = 0
        self._opened: set[tuple[int, str]] = set()

    def post(
        self,
        sender: int,
        receivers: Sequence[int] | Int64,
        payloads: Any,
        kind: str,
        round: int,
        each: bool = False,
    ) -> Sending:
        """Start sending to each of ``receivers``: one payload for all, or one for ``each`` (a list
        or a `Batch`)."""
        to = np.asarray(receivers, dtype=np.int64)
        count = len(to)
        sizes = _sizes(payloads, each, count)
        if self._ledger is not None:
            sizes = self._ledger.sizes(payloads, sender, to, kind, round) or sizes
        number = self._numbers = self._numbers + 1
        name = self.topology.names[sender]
        sending = Sending(name, number, payloads, each, count, self._why)
        if count:
            self._mail.sendings[number] = sending
            if not self._posts:
                self._loop.at_instant_end(self._flush)
            code = self.table.kind_code(kind)
            self._posts.append(Post(number, sender, to, count, *sizes, code, round, not each))
        return sending

    async def collect(
        self, receiver: int, senders: Sequence[int] | Int64, kind: str, round: int
    ) -> Arrivals:
        """Wait for one message of this kind and round from each of ``senders``."""
        wanted = senders.tolist() if isinstance(senders, np.ndarray) else list(senders)
        wanted.sort()
        where = receiver, self.table.kind_code(kind), round
        while True:
            box = self._mail.box(where)
            gone, coming = self._expected(box, wanted, receiver, kind, round)
            rows = box.take(coming, self.table)
            if rows is not None:
                break
            why = partial(self._reasons.missing, box, wanted, where)
            with waiting(self.topology.names[receiver], why):
                await box.until(len(coming))
        self._mail.close(where)
        return self._mail.open(where, coming, rows, gone)

    def set_capacity(self, links: Int64, capacity_bps: Float64) -> None:
        """Change the rates of links, now."""
        self.capacity_bps_L[links] = capacity_bps
        self._carrier.set_capacity(links, capacity_bps)

    def fail(self, rows: Int64, error: type[TransferFailed], reason: str) -> None:
        """Abort rows that are on their way; both ends are told ``error``."""
        rows = rows[self.table.status[rows] == MOVING]
        unsent = rows[~self.table.left[rows]]
        self._carrier.abort(rows)
        self._tell(rows, unsent, (error, reason))

    def begin(self, round: int) -> None:
        """The round begins, and with it the time that what is trained in it has."""
        if self._guard is not None:
            self._watch((round, kind) for kind in self._guard.attendance.trained)

    def leave(self, nodes: Sequence[int], role: str, round: int) -> None:
        """Nodes stop playing ``role`` in the round; what was on its way to or from them fails."""
        assert self._guard is not None
        for node in nodes:
            self._guard.attendance.leave(round, role, node)
        rows = self.table.moving()
        rows = rows[self.table.round[rows] == round]
        for some, (error, reason) in list(self._guard.refusals(self.table, rows)):
            if error is NodeDown:
                self.fail(some, error, reason)
        self._mail.poke(round)

    def switch(self, host: int, up: bool) -> None:
        """The access link of ``host`` is repaired, or fails: bits that were leaving stop."""
        assert self._guard is not None
        self._guard.down_H[host] = not up
        if not up:
            table, host_N = self.table, self.topology.host_N
            rows = self.table.moving()
            rows = rows[table.slot[rows] >= 0]
            hit = (host_N[table.sender[rows]] == host) | (host_N[table.receiver[rows]] == host)
            self._interrupt(rows[hit])

    def forget(self, round: int) -> None:
        """A round is over: what nobody took of it is let go."""
        self._mail.forget(round)

    def close(self) -> None:
        """End what is still on its way; bits already sent stay charged."""
        self._carrier.abort(self.table.moving())

    def _expected(
        self, box: Mailbox, wanted: list[int], receiver: int, kind: str, round: int
    ) -> tuple[dict[int, TransferFailed], list[int]]:
        """Whose message will never come and why, and whose is here or can still come."""
        if self._guard is None:
            return {}, wanted
        away = self._guard.gone(np.array(wanted, np.int64), kind, round)
        if away is None:
            return {}, wanted
        never, why = away
        lost = Counter(box.missing(list(compress(wanted, never)), self.table))
        coming = sorted((Counter(wanted) - lost).elements())
        return {each: self._error(each, receiver, kind, why) for each in lost}, coming

    def _flush(self) -> None:
        posts, self._posts = self._posts, []
        rows = enter(self.table, posts, self._count, self._loop.time())
        sizes = self.table.carried_bits[rows]
        self.table.carried_bits[rows] = self._transport.on_link(sizes)
        kinds = self.table.kinds
        self._watch((post.round, kinds[post.kind]) for post in posts)
        self._carry(rows)

    def _carry(self, rows: Int64) -> None:
        table, host = self.table, self.topology.host_N
        table.end_s[rows] = np.inf
        if self._guard is not None:
            rows = self._refuse(rows)
        local = host[table.sender[rows]] == host[table.receiver[rows]]
        if local.any():
            here = rows[local]
            table.status[here] = LOCAL
            table.end_s[here] = self._loop.time()
            self._on_left(here)
            self._on_arrived(here)
            rows = rows[~local]
        if len(rows):
            self._carrier.carry(rows)

    def _refuse(self, rows: Int64) -> Int64:
        """Fail the rows that cannot be carried; returns the others."""
        assert self._guard is not None
        for some, (error, reason) in list(self._guard.refusals(self.table, rows)):
            if reason == OUTAGE:
                self._interrupt(some)
            else:
                self.fail(some, error, reason)
        still: Int64 = rows[self.table.status[rows] == MOVING]
        return still

    def _interrupt(self, rows: Int64) -> None:
        """An outage stops rows; they are sent again later, or fail when they were too often."""
        assert self._guard is not None
        rows = rows[self.table.status[rows] == MOVING]
        retries = self._guard.failures.retries
        if retries is not None:
            again = self.table.attempt[rows] < retries.times
            self._carrier.abort(rows[again])
            for row in rows[again].tolist():
                delay = retries.backoff * 2.0 ** int(self.table.attempt[row])
                self._loop.call_later(delay, self._send_again, np.array([row]))
            rows = rows[~again]
        self.fail(rows, LinkDown, OUTAGE)

    def _send_again(self, rows: Int64) -> None:
        self._carry(enter_again(self.table, rows, self._loop.time()))

    def _watch(self, kinds: Iterable[tuple[int, str]]) -> None:
        """The time that kinds of message have in their round starts, unless it has before."""
        if self._guard is None or self._guard.failures.deadline is None:
            return
        for round, kind in kinds:
            if (round, kind) not in self._opened:
                self._opened.add((round, kind))
                self._loop.call_later(self._guard.failures.deadline, self._expire, round, kind)

    def _expire(self, round: int, kind: str) -> None:
        assert self._guard is not None
        self._guard.attendance.close(round, kind)
        if kind in self.table.kinds:
            rows = self.table.moving()
            code = self.table.kind_code(kind)
            rows = rows[(self.table.round[rows] == round) & (self.table.kind[rows] == code)]
            self.fail(rows, DeadlineMissed, "still on its way at the deadline")
        self._mail.poke(round)

    def _on_left(self, rows: Int64) -> None:
        self._mail.tell(rows, Sending.sent)

    def _on_arrived(self, rows: Int64) -> None:
        self.arrivals += len(rows)
        self._mail.tell(rows, Sending.settle)
        self._mail.put(rows)

    def _tell(self, rows: Int64, unsent: Int64, why: Why) -> None:
        """Tell both ends that rows failed."""
        table = self.table
        for row in rows.tolist():
            sender, receiver = int(table.sender[row]), int(table.receiver[row])
            error = self._error(sender, receiver, table.kinds[table.kind[row]], why)
            self._mail.errors[row] = error
            self._mail.sendings[int(table.sending[row])].failed[receiver] = error
        self._mail.tell(unsent, Sending.sent)
        self._on_arrived(rows)

    def _error(self, sender: int, receiver: int, kind: str, why: Why) -> TransferFailed:
        error, reason = why
        return error(self.topology.names[sender], self.topology.names[receiver], kind, reason)


def _sizes(payloads: Any, each: bool, count: int) -> tuple[int | Int64, int | Int64]:
    """Payload and wire bits: of the one payload, or, where there are many, of each."""
    if not each:
        return payloads.payload_bits, payloads.wire_bits
    if isinstance(payloads, list):
        payload = np.array([one.payload_bits for one in payloads], np.int64)
        wire = np.array([one.wire_bits for one in payloads], np.int64)
    else:
        payload, wire = payloads.payload_bits_M, payloads.wire_bits_M
    assert len(payload) == count, "one payload a receiver"
    return (payload.item(), wire.item()) if count == 1 else (payload, wire)
