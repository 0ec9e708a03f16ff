"""SoteriaFL: shifted compression and local differential privacy at a central server."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, final

from netsim.network.config import Problem
from netsim.protocols.base import Context, Paper
from netsim.protocols.central import Central, CentralConfig
from netsim.protocols.compression import (
    COMPRESSIONS,
    Compression,
    RandKCompression,
    compression_problems,
    mirrors,
    sized_by_values,
)
from netsim.protocols.exchange import Exchange
from netsim.protocols.ldp import Ldp, LdpConfig, ldp_problems
from netsim.protocols.shifting import shifted_exchange
from netsim.protocols.steps.base import Step
from netsim.scenario.kinds import one_of


class SoteriaFlConfig(CentralConfig):
    """``compression`` around which updates are shifted; ``ldp``, or null for none."""

    kind: Literal["soteriafl"] = "soteriafl"
    compression: Annotated[Compression, one_of(*COMPRESSIONS)] = RandKCompression(keep=0.05)
    ldp: LdpConfig | None = LdpConfig(noise_multiplier=0.01)

    def needs_everyone(self) -> bool:
        return mirrors(self.compression)

    def needs_values(self) -> bool:
        return sized_by_values(self.compression.compressor())

    def problems(self, clients: int) -> Iterator[Problem]:
        yield from super().problems(clients)
        yield from compression_problems(self.compression, self.layer().redrawn)
        yield from ldp_problems(self.ldp)


@final
class SoteriaFl(Central):
    """Li et al. 2022, Algorithm 2; SoteriaFL-SGD, -GD, -SVRG or -SAGA by the task's estimator.

    A round: each client clips and noises its update u_k, sends v_k = C(u_k − s_k) and moves
    s_k by γ v_k; the server steps along s + Σ w_k v_k, moves s likewise and broadcasts the
    model and, as a bitmap, whose v_k it used.  The paper has one local step and w_k = 1/K
    (``weights: uniform``).  It bounds each sample's gradient and protects a sample; here, as
    in its authors' experiments, the whole update is clipped, so a client is the unit of
    privacy.  Without noise this is ERIS with shifted compression and one aggregator, bit for
    bit.  Under FSA with masks by shard (``rand_k``) the kept coordinates depend on the cut.
    """

    title: ClassVar = "Shifted compression with local differential privacy at a server"
    paper: ClassVar = Paper(
        "Li et al., NeurIPS 2022, Algorithm 2",
        """@inproceedings{li2022soteriafl,
  title = {{SoteriaFL}: A Unified Framework for Private Federated Learning with Communication
           Compression},
  author = {Li, Zhize and Zhao, Haoyu and Li, Boyue and Chi, Yuejie},
  booktitle = {NeurIPS},
  year = {2022}
}""",
    )
    Config = SoteriaFlConfig

    def __init__(self, config: SoteriaFlConfig, context: Context) -> None:
        self._soteria = config
        self._ldp = None if config.ldp is None else Ldp(config.ldp, context.rounds)
        super().__init__(config, context)

    def steps(self) -> Sequence[Step]:
        return () if self._ldp is None else self._ldp.steps(self.context.streams)

    def exchange(self) -> Exchange:
        weights = self.weights(self.trainers, self._soteria.weights)
        streams, compression = self.context.streams, self._soteria.compression
        return shifted_exchange(self.task, weights, streams, compression, self.sampling)

    def notes(self) -> Mapping[str, Any]:
        spent = {} if self._ldp is None else self._ldp.notes(self.rounds_played)
        return {**super().notes(), **spent}
