"""Local differential privacy: clipping and Gaussian noise at the client."""

from collections.abc import Iterator, Mapping
from typing import Any, final

from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.network.config import Problem
from netsim.privacy.accounting import needed_multiplier, spent_epsilon
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.clip import Clip
from netsim.protocols.steps.gaussian import GaussianNoise
from netsim.scenario.config import Config

_LEAST, _MOST = 1e-100, 1e100
"""Beyond these the squares of what privacy costs are no numbers any more."""


class LdpConfig(Config):
    """A client's whole update is clipped to the norm ``clip`` C and gets N(0, (z C)²) noise.

    Either ``noise_multiplier`` z is given, or ``epsilon``, which ``rounds`` rounds together
    (by default all of the scenario) may cost at ``delta``.  Two updates of norm at most C
    differ by at most 2C, so each round is a Gaussian mechanism of multiplier z/2 on all that a
    client holds.
    """

    clip: float = Field(default=1.0, ge=1e-30, le=1e30)
    noise_multiplier: float | None = Field(default=None, ge=0, le=_MOST)
    epsilon: float | None = Field(default=None, ge=_LEAST, le=_MOST)
    delta: float = Field(default=1e-5, ge=_LEAST, lt=1)
    rounds: int | None = Field(default=None, ge=1)

    def problems(self) -> Iterator[Problem]:
        """What does not go together."""
        if (self.noise_multiplier is None) == (self.epsilon is None):
            yield (), "write either noise_multiplier or epsilon"
        if 0 < (self.noise_multiplier or 0) < _LEAST:
            yield ("noise_multiplier",), f"must be 0 or at least {_LEAST:g}"
        if self.epsilon is None and self.rounds is not None:
            yield ("rounds",), "rounds says what epsilon is for; write epsilon or leave it out"


def ldp_problems(ldp: LdpConfig | None) -> Iterator[Problem]:
    """What is wrong with a protocol's ``ldp``, if it has one."""
    if ldp is not None:
        for loc, text in ldp.problems():
            yield ("ldp", *loc), text


@final
class Ldp:
    """The noise of a run of ``rounds`` rounds, and what it has cost."""

    def __init__(self, config: LdpConfig, rounds: int) -> None:
        self._clip, self._delta = config.clip, config.delta
        if config.epsilon is not None:
            rounds = config.rounds or rounds
            multiplier = 2 * needed_multiplier(config.epsilon, config.delta, rounds)
        else:
            assert config.noise_multiplier is not None
            multiplier = config.noise_multiplier
        self.noise_multiplier = multiplier

    def steps(self, streams: Streams) -> list[Step]:
        """Clip, then add noise."""
        clip = Clip(self._clip)
        if self.noise_multiplier == 0:
            return [clip]
        return [clip, GaussianNoise(self.noise_multiplier * self._clip, streams)]

    def notes(self, rounds: int) -> Mapping[str, Any]:
        """The noise and the privacy spent in ``rounds`` rounds; ε is None without noise."""
        epsilon = None
        if self.noise_multiplier > 0:
            epsilon = spent_epsilon(self.noise_multiplier / 2, rounds, self._delta)
        noise = self.noise_multiplier
        return {"noise_multiplier": noise, "epsilon": epsilon, "delta": self._delta}
