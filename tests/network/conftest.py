"""A few nodes on a virtual clock, 1 kB/s each way and no latency unless told otherwise."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from netsim.kernel import run, running_loop
from netsim.network.config import NetworkConfig
from netsim.network.network import Network
from netsim.network.node import Node
from netsim.network.sharing.policies import POLICIES
from netsim.network.table import MOVING
from netsim.network.topology import Guest, Topology


@dataclass
class World:
    """The network and its nodes, inside the loop."""

    network: Network
    nodes: list[Node]

    @property
    def now(self) -> float:
        """Virtual time, s."""
        return running_loop().time()

    def moving(self, kind: str) -> Any:
        """The rows of a kind that are on their way."""
        table = self.network.table
        code = table.kind_code(kind)
        rows = np.arange(table.rows)
        return rows[(table.status[rows] == MOVING) & (table.kind[rows] == code)]

    async def at(self, node: int, sender: int, kind: str, round: int = 0) -> float:
        """When ``node`` gets this message."""
        await self.nodes[node].receive(sender, kind, round)
        return self.now


@dataclass(frozen=True)
class Parcel:
    """A payload that is its size; ``wire_bits`` like ``payload_bits`` unless given."""

    payload_bits: int
    wire_bits: int


Simulate = Callable[..., Any]


@pytest.fixture
def simulate() -> Simulate:
    """Runs ``main(world)`` on a network with these settings and returns what it returns."""

    def play(
        main: Callable[[World], Awaitable[Any]],
        guests: tuple[Guest, ...] = (),
        deliver: Any = None,
        **settings: Any,
    ) -> Any:
        rates = {"nodes": 2, "uplink": "1 kB/s", "downlink": "1 kB/s", "latency": "0 s"}
        config = NetworkConfig.model_validate(rates | settings)

        async def inside() -> Any:
            topology = Topology.build(config, guests)
            sharing = POLICIES[config.sharing](topology.capacity_bps_L)
            network = Network(topology, sharing, config.count, deliver)
            nodes = [Node(network, index) for index in range(len(topology.names))]
            return await main(World(network, nodes))

        return run(inside())

    return play


@pytest.fixture
def parcel() -> Callable[..., Parcel]:
    """Makes a payload of so many bytes."""

    def make(size_bytes: int, wire_bytes: int | None = None) -> Parcel:
        return Parcel(8 * size_bytes, 8 * (size_bytes if wire_bytes is None else wire_bytes))

    return make
