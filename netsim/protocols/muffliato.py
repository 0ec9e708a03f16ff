"""Muffliato: noise, then many exchanges with neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, final

from pydantic import Field

from netsim.network.config import Problem
from netsim.network.overlay import OVERLAYS, Complete, Overlay, RandomRegular, usual_degree
from netsim.privacy.accounting import spent_epsilon
from netsim.protocols.base import Context, Paper, ProtocolConfig
from netsim.protocols.overlay_gossip import OverlayGossip
from netsim.protocols.steps.base import Step
from netsim.protocols.steps.clip import Clip
from netsim.protocols.steps.gaussian import GaussianNoise
from netsim.protocols.vector import Vector
from netsim.scenario.kinds import one_of
from netsim.wire.deferred import Deferred


class MuffliatoConfig(ProtocolConfig):
    """``noise`` σ on each parameter, ``gossip_rounds`` m a round, and the ``overlay``: by
    default a random regular graph of degree 4, or fewer where there are fewer others, drawn
    anew for each of them.

    Updates are clipped to the norm ``clip`` where it is given; then ``notes`` has the ε spent
    at ``delta``.
    """

    kind: Literal["muffliato"] = "muffliato"
    noise: float = Field(default=0.025, ge=0, le=1e30)
    gossip_rounds: int = Field(default=10, ge=1)
    overlay: Annotated[Overlay, one_of(*OVERLAYS)] | None = None
    clip: float | None = Field(default=None, ge=1e-30, le=1e30)
    delta: float = Field(default=1e-5, ge=1e-100, lt=1)

    def describe(self, clients: int) -> str:
        return f"muffliato (m={self.gossip_rounds}, σ={self.noise:g})"

    def problems(self, clients: int) -> Iterator[Problem]:
        if self.overlay is not None:
            for loc, message in self.overlay.problems(clients):
                yield ("overlay", *loc), message


@final
class Muffliato(OverlayGossip):
    """Cyffers et al. 2022, Muffliato-SGD, as Shatter runs it (Sections 3 and 6.1).

    A round: each node trains, adds N(0, σ²) to each parameter, then m times sends its model to
    its neighbours and averages (m · r · b bits), with D-PSGD's weights.  Shatter takes m = 10,
    r = 8 and a new random regular graph each time, and for σ from 0.009 to 0.25 (its Table 1;
    0.025 is its low noise on CIFAR-10).  The original clips gradients and adds the noise to
    them, which is the same with ``clip`` and σ divided by the learning rate, on a fixed graph,
    where it may also accelerate the gossip; this one does not.  Without noise and with m = 1 it
    is D-PSGD on the same overlay, bit for bit.

    Failures are those of D-PSGD, in each exchange on its own; all exchanges of a round are
    messages of one kind, so a deadline counts for them together.  ε is that of local privacy,
    against one who sees every message; the paper shows that a node far away learns less.
    """

    title: ClassVar = "Muffliato: local noise, then several gossip rounds"
    paper: ClassVar = Paper(
        "Cyffers et al., NeurIPS 2022",
        """@inproceedings{cyffers2022muffliato,
  title = {Muffliato: Peer-to-Peer Privacy Amplification for Decentralized Optimization and
           Averaging},
  author = {Cyffers, Edwige and Even, Mathieu and Bellet, Aur{\\'e}lien and Massouli{\\'e},
            Laurent},
  booktitle = {NeurIPS},
  year = {2022}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = MuffliatoConfig

    def __init__(self, config: MuffliatoConfig, context: Context) -> None:
        self._muffliato = config
        self.exchanges = config.gossip_rounds
        super().__init__(config, context)
        self._noise = GaussianNoise(config.noise, context.streams)

    def overlay(self) -> Overlay:
        nodes = len(self.clients)
        if self._muffliato.overlay is not None:
            return self._muffliato.overlay
        return RandomRegular(degree=usual_degree(None, nodes)) if nodes > 1 else Complete()

    def steps(self) -> Sequence[Step]:
        return () if self._muffliato.clip is None else [Clip(self._muffliato.clip)]

    def trained(
        self, client: int, model: Deferred[Vector], update: Deferred[Vector], round: int
    ) -> Deferred[Vector]:
        half = super().trained(client, model, update, round)
        if self._muffliato.noise == 0:
            return half
        return self.task.defer(self._noise.run(half, client, round).value)

    def notes(self) -> Mapping[str, Any]:
        config, moved = self._muffliato, self.task.lr * (self._muffliato.clip or 0)
        epsilon = None
        if config.noise > 0 and moved > 0:
            epsilon = spent_epsilon(config.noise / (2 * moved), self.rounds_played, config.delta)
        return {"noise": config.noise, "epsilon": epsilon, "delta": config.delta}
