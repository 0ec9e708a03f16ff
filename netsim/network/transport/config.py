"""The ``transport:`` field of a network."""

from abc import abstractmethod
from typing import Literal

import numpy as np
from pydantic import Field

from netsim.network.sharing.base import Int64
from netsim.scenario.config import Config
from netsim.scenario.units import Size, size


class Transport(Config):
    """How messages use the links."""

    kind: str

    @abstractmethod
    def on_link(self, bits: Int64) -> Int64:
        """Bits the links carry for messages of these sizes."""


class Fluid(Transport):
    """Bits and nothing else."""

    kind: Literal["fluid"] = "fluid"

    def on_link(self, bits: Int64) -> Int64:
        return bits


class Tcp(Transport):
    """TCP as a fluid: headers, handshake, slow start, window and acknowledgements.

    Goes with ``sharing: max_min``.  Acknowledgements take room on links; as they are no messages,
    neither bytes sent nor the utilisation of links has them.

    ``segment`` payload bytes and ``header`` bytes of each segment: 1448 and 66 with Ethernet,
    IPv4, TCP and time stamps (RFC 791, 9293, 7323) at an MTU of 1500.  ``initial_window``
    segments leave before the first acknowledgement (RFC 6928: 10), and the window doubles each
    round trip (RFC 5681) up to ``window`` (Linux's default send buffer, 4 MiB).  A connection
    between two hosts is opened once, for one round trip (``handshake``).  With
    ``acknowledgements`` one of ``header`` bytes goes back for every two segments (RFC 1122,
    delayed acknowledgements).  With ``rtt_weights`` connections share a full link in proportion
    to 1 / round trip, as those do whose windows meet the same losses (Mathis, Semke, Mahdavi and
    Ott 1997); else equally.

    Limits: no losses, no queues; each message starts from the initial window, as after an idle
    time (RFC 5681, 4.1).  The weights are those of Reno's congestion control and of unloaded
    paths: CUBIC's shares differ less (RFC 9438, section 5: window ∝ RTT^0.75 at equal losses),
    and queues make round trips more alike.
    """

    kind: Literal["tcp"] = "tcp"
    segment: Size = Field(default=size("1448 B"), gt=0)
    header: Size = Field(default=size("66 B"), ge=0)
    initial_window: int = Field(default=10, ge=1)
    window: Size = Field(default=size("4 MiB"), gt=0)
    handshake: bool = True
    acknowledgements: bool = True
    rtt_weights: bool = False

    def segments(self, bits: Int64) -> Int64:
        """Segments that messages of ``bits`` are cut into."""
        return -(-bits // self.segment)

    def on_link(self, bits: Int64) -> Int64:
        return bits + self.segments(bits) * self.header

    def returned_bits(self, carried: Int64) -> Int64:
        """Bits of the acknowledgements of transfers that carry so many bits."""
        return np.asarray(-(-carried // (2 * (self.segment + self.header))) * self.header)

    @property
    def first_window_bits(self) -> int:
        """What leaves in the first round trip, headers included."""
        return self.initial_window * (self.segment + self.header)


TRANSPORTS = (Fluid, Tcp)
