"""Times of the clients that stay as they are: stated, listed, or drawn, by class if wanted."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Literal, final

import numpy as np
from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.config import NetworkConfig
from netsim.network.rates.draws import Given, Latencies, Listed, draw_problems, values_K
from netsim.network.sharing.base import Float64
from netsim.scenario.errors import Finding
from netsim.scenario.suggest import hint
from netsim.studies.compute.base import Compute, Timer


class Drawn(Compute):
    """``time`` for all clients, a list with one a client, or a distribution to draw from once.

    ``classes`` gives those of a class of the network (``network.classes``) by its name; each
    class that is left out has ``time``.
    """

    time: Latencies | None = None
    classes: dict[str, Latencies] = Field(default_factory=dict)

    @abstractmethod
    def seconds(self, time_s: float, samples: int) -> float:
        """How long ``samples`` take a client with this time."""

    def timer(self, clients: int, class_K: Sequence[str], streams: Streams) -> Timer:
        """As in the base class."""
        time_K = self._times(clients, class_K, streams).tolist()
        return lambda client, round, samples: self.seconds(time_K[client], samples)

    def problems(self, network: NetworkConfig) -> Iterator[Finding]:
        """As in the base class."""
        known = [each.name for each in network.classes]
        for name, given in self.classes.items():
            if name not in known:
                why = hint(name, known) or ("" if known else "; the network has no classes")
                yield ("classes", name), f"unknown class {name!r}{why}"
            if isinstance(given, (tuple, Listed)):
                text = "a class has no list of its nodes; write one time or a draw"
                yield ("classes", name), text
            else:
                for loc, text in draw_problems(given, network.nodes):
                    yield ("classes", name, *loc), text
        if self.time is not None:
            for loc, text in draw_problems(self.time, network.nodes):
                yield ("time", *loc), text
        elif not known or any(name not in self.classes for name in known):
            yield ("time",), "missing key 'time' (or a time for each class of the network)"

    def _times(self, clients: int, class_K: Sequence[str], streams: Streams) -> Float64:
        time_K = np.zeros(clients)
        if self.time is not None:
            time_K = _drawn(self.time, clients, streams)
        for number, (name, given) in enumerate(self.classes.items(), 1):
            own = np.array([each == name for each in class_K])
            time_K[own] = _drawn(given, clients, streams, number)[own]
        return time_K


@final
class PerRound(Drawn):
    """Times of a client's training in a round, whatever its samples."""

    kind: Literal["per_round"] = "per_round"

    def seconds(self, time_s: float, samples: int) -> float:
        """As in the base class."""
        return time_s


@final
class PerSample(Drawn):
    """Times for each gradient of one sample; SVRG and SAGA compute more of them than SGD."""

    kind: Literal["per_sample"] = "per_sample"

    def seconds(self, time_s: float, samples: int) -> float:
        """As in the base class."""
        return time_s * samples


def _drawn(given: Given, clients: int, streams: Streams, *keys: int) -> Float64:
    return values_K(given, clients, streams.rng("compute", *keys))
