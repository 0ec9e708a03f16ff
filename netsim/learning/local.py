"""The local steps of clients."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from netsim.learning.base import Float32
from netsim.learning.block import Block, Job
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import TrainingDiverged
from netsim.learning.gradients import Estimate, Gradients
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
            updates_WN, losses_W = self._steps(self._block(lanes))
            finite = _finite(updates_WN, losses_W)
        updates: Float32 = updates_WN.numpy()
        updates.flags.writeable = False
        # A lane of a full block may stay where it is: all of its memory is in use.
        lone = None in lanes
        for lane, job in enumerate(lanes):
            if job is not None:
                update = _fixed(updates[lane]) if lone else updates[lane]
                job.outcome = update if finite[lane] else TrainingDiverged(job.client, job.round)

    def state(self) -> Mapping[str, Float32]:
        """Each client's m, Float32[N]."""
        return {str(client): momentum.numpy() for client, momentum in self._momenta.items()}

    def restore(self, state: Mapping[str, Float32]) -> None:
        """Go on from these m."""
        self._momenta = {int(client): torch.tensor(each) for client, each in state.items()}

    def _block(self, lanes: Sequence[Job | None]) -> Block:
        jobs = [job for job in lanes if job is not None]
        if all(job.params is jobs[0].params for job in jobs):
            return Block(lanes, torch.from_numpy(jobs[0].params.copy()).expand(len(lanes), -1))
        params_WN = torch.zeros(len(lanes), self._n)
        for lane, job in enumerate(lanes):
            if job is not None:
                params_WN.numpy()[lane] = job.params
        return Block(lanes, params_WN)

    def _steps(self, block: Block) -> tuple[Tensor, Tensor]:
        """The sum of the steps' directions and that of their losses."""
        trained, before_WM = self._trained, block.params_WN[:, self._trained :]
        lr_W1 = torch.tensor(
            [[1.0 if job is None else self._rates(job.round)] for job in block.lanes]
        )
        direction_WP, losses_W, after_WM = self._direction(block, 0, self._recalled(block))
        updates_WP = direction_WP
        for step in range(1, self._config.local_steps):
            params_WP = block.params_WN[:, :trained] - direction_WP * lr_W1
            block.params_WN = _joined(params_WP, after_WM)
            last_WP = direction_WP if self._config.momentum else None
            direction_WP, more_W, after_WM = self._direction(block, step, last_WP)
            updates_WP, losses_W = updates_WP + direction_WP, losses_W + more_W
        self._remember(block, direction_WP)
        return _joined(updates_WP, (before_WM - after_WM) / lr_W1), losses_W

    def _direction(self, block: Block, step: int, momenta_WP: Tensor | None) -> Estimate:
        """Where a local step goes, its losses, and the running statistics after it."""
        config = self._config
        with self._chance(block, step):
            estimate = config.estimator.estimate(self._gradients, self._batches, block, step)
        if momenta_WP is None:
            return estimate
        direction_WP = momenta_WP * config.momentum + estimate.gradients_WP
        return estimate._replace(gradients_WP=direction_WP)

    def _recalled(self, block: Block) -> Tensor | None:
        """Each lane's momentum from rounds before; None without momentum."""
        if not self._config.momentum:
            return None
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


def _joined(parameters_WP: Tensor, statistics_WM: Tensor) -> Tensor:
    """Both in one tensor, which is the first where there are no statistics."""
    if statistics_WM.shape[1] == 0:
        return parameters_WP
    return torch.cat([parameters_WP, statistics_WM], 1)


def _finite(updates_WN: Tensor, losses_W: Tensor) -> list[bool]:
    """Whether all is finite, lane by lane; a sum is only if all its terms are, and is sooner."""
    fine: list[bool] = (updates_WN.sum(1) + losses_W).isfinite().tolist()
    if not all(fine):
        fine = (losses_W.isfinite() & updates_WN.isfinite().all(1)).tolist()
    return fine


def _fixed(vector: Float32) -> Float32:
    fixed = vector.copy()
    fixed.flags.writeable = False
    return fixed
