"""The nodes of a run: their access links, and what they hold."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from netsim.network.topology import Topology
from netsim.results.explanation import Float64, Int64


@dataclass(frozen=True, eq=False)
class NodeTable:
    """Nodes as a run begins, clients first; every array has shape [nodes].

    ``classes`` has the class of each client, and is empty where the network has none.  Nodes on
    one access link have the same rates and latency.  ``samples`` are those that a client trains
    on, Int64[K] for K clients, or empty where nothing is trained.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    uplink_bps: Float64
    downlink_bps: Float64
    latency_s: Float64
    samples: Int64

    @classmethod
    def of(cls, topology: Topology, samples: Int64) -> Self:
        """Of a network, and what each client trains on."""
        host_N = topology.host_N
        return cls(
            topology.names,
            topology.class_K,
            topology.uplink_bps_H[host_N],
            topology.downlink_bps_H[host_N],
            topology.latency_s_H[host_N],
            samples,
        )

    @classmethod
    def none(cls) -> Self:
        """No nodes at all."""
        real = np.zeros(0)
        return cls((), (), real, real, real, np.zeros(0, np.int64))

    @property
    def without_samples(self) -> list[int]:
        """The clients that hold nothing to train on and are left out."""
        empty: list[int] = np.flatnonzero(self.samples == 0).tolist()
        return empty
