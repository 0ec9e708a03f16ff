"""Failures drawn a round at a time, each by its name, whatever else was drawn."""

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.network.faults.config import LinksPerRound, NodesPerRound

Bool = npt.NDArray[np.bool_]
Uint64 = npt.NDArray[np.uint64]


def pairs_down(
    config: LinksPerRound, streams: Streams, round: int, first_M: Uint64, second_M: Uint64
) -> Bool:
    """Bool[M]: which of M pairs of hosts are cut off from each other for the round.

    The same for both directions; a pair's fate depends on the pair and the round alone.
    """
    key = np.uint64(streams.integer("link failures", round))
    low, high = np.minimum(first_M, second_M), np.maximum(first_M, second_M)
    mixed = _mix(_mix(low + key) ^ high)
    uniform = (mixed >> np.uint64(11)).astype(np.float64) / 2**53
    return np.asarray(uniform < config.rate)


def _mix(x: Uint64) -> Uint64:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014), which scrambles all bits."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


class Churn:
    """Which clients stay away from a round: a chain over rounds for each client."""

    def __init__(self, config: NodesPerRound, streams: Streams, clients: int) -> None:
        self._config = config
        self._streams = streams
        self._away = np.zeros(clients, bool)
        self._round = 0

    def away(self, round: int) -> Bool:
        """Bool[K]; asked round by round, or for the same round again."""
        assert round >= self._round - 1, f"round {round} after round {self._round - 1}"
        while self._round <= round:
            uniform = self._streams.rng("churn", self._round).random(len(self._away))
            chance = self._config.rate + self._config.correlation * self._away
            self._away = uniform < chance
            self._round += 1
        return self._away


def aggregators_off(share: float, streams: Streams, round: int, count: int) -> list[int]:
    """Which of ``count`` aggregators are off in a round: a fixed number, drawn anew."""
    order = streams.rng("aggregator dropout", round).permutation(count)
    return sorted(order[: round_half_up(share * count)].tolist())


def round_half_up(value: float) -> int:
    """The nearest whole number; halves go up."""
    return int(np.floor(value + 0.5))
