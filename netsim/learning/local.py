"""The local steps of clients."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from netsim.learning.base import Float32
from netsim.learning.block import Block, Job
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import TrainingDiverged
from netsim.learning.gradients import Gradients
from netsim.learning.layout import Layout
from netsim.learning.rates import Rates
from netsim.learning.sampling import Batches
from netsim.learning.threads import one_thread


class LocalTraining:
    """Heavy-ball steps: m ← βm + g(x), x ← x − lr·m; the update is the sum of the m.

    Each client's m lives on from round to round. Source: Polyak 1964, as in torch.optim.SGD.
    Running statistics move by no gradient: their part of the update is (before − after) / lr, so
    that x − lr·update has what the client ended with, and a mean of updates their mean.
    Shapes: W lanes, P parameters, M running statistics, N = P + M.
    """

    def __init__(
        self,
        config: TaskConfig,
        gradients: Gradients,
        batches: Batches,
        layout: Layout,
        chance: Chance,
        rates: Rates,
    ) -> None:
        self._config = config
        self._n, self._trained = layout.size, layout.trained
        self._chance = chance
        self._rates = rates
        self._gradients = gradients
        self._batches = batches
        self._momenta: dict[int, Tensor] = {}
        self.width = gradients.width

    def run(self, lanes: Sequence[Job | None]) -> None:
        """Computes the outcomes of the jobs in these lanes."""
        with one_thread():
            block = self._block(lanes)
            updates_WN, losses_W = self._steps(block)
            finite = (losses_W.isfinite() & updates_WN.isfinite().all(1)).tolist()
        for lane, job in enumerate(lanes):
            if job is not None:
                update: Float32 = updates_WN[lane].numpy().copy()
                update.flags.writeable = False
                job.outcome = update if finite[lane] else TrainingDiverged(job.client, job.round)

    def state(self) -> Mapping[str, Float32]:
        """Each client's m, Float32[N]."""
        return {str(client): momentum.numpy() for client, momentum in self._momenta.items()}

    def restore(self, state: Mapping[str, Float32]) -> None:
        """Go on from these m."""
        self._momenta = {int(client): torch.tensor(each) for client, each in state.items()}

    def _block(self, lanes: Sequence[Job | None]) -> Block:
        params_WN = torch.zeros(len(lanes), self._n)
        for lane, job in enumerate(lanes):
            if job is not None:
                params_WN.numpy()[lane] = job.params
        return Block(lanes, params_WN)

    def _steps(self, block: Block) -> tuple[Tensor, Tensor]:
        """The sum of the steps' directions and that of their losses."""
        config, trained = self._config, self._trained
        params_WP, statistics_WM = block.params_WN[:, :trained], block.params_WN[:, trained:]
        updates_WN, losses_W = torch.zeros_like(block.params_WN), torch.zeros(self.width)
        before_WM, momenta_WP = statistics_WM.clone(), self._recalled(block)
        lr_W1 = torch.tensor(
            [[0.0 if job is None else self._rates(job.round)] for job in block.lanes]
        )
        for step in range(config.local_steps):
            with self._chance(block, step):
                estimate = config.estimator.estimate(self._gradients, self._batches, block, step)
            momenta_WP = momenta_WP * config.momentum + estimate.gradients_WP
            updates_WN[:, :trained] += momenta_WP
            losses_W += estimate.losses_W
            params_WP -= momenta_WP * lr_W1
            statistics_WM.copy_(estimate.statistics_WM)
        self._remember(block, momenta_WP)
        updates_WN[:, trained:] = (before_WM - statistics_WM) / lr_W1
        return updates_WN, losses_W

    def _recalled(self, block: Block) -> Tensor:
        momenta_WP = torch.zeros(self.width, self._trained)
        for lane, job in enumerate(block.lanes):
            if job is not None and job.client in self._momenta:
                momenta_WP[lane] = self._momenta[job.client]
        return momenta_WP

    def _remember(self, block: Block, momenta_WP: Tensor) -> None:
        if self._config.momentum:
            for lane, job in enumerate(block.lanes):
                if job is not None:
                    self._momenta[job.client] = momenta_WP[lane].clone()
