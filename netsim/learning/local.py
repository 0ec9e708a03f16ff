"""The local steps of clients."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor

from netsim.learning.base import Float32
from netsim.learning.block import Block, Job
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import TrainingDiverged
from netsim.learning.gradients import Estimate
from netsim.learning.oracle import Oracle
from netsim.learning.rates import Rates
from netsim.learning.threads import one_thread

_MOMENTUM: Final = "momentum "
_ROW: Final = 16
"""Numbers in 64 bytes."""


class LocalTraining:
    """Heavy-ball steps: m ← βm + g(x), x ← x − lr·m; the update is the sum of the m.

    Each client's m lives on from round to round. Source: Polyak 1964, as in torch.optim.SGD.
    Clients of a block may take different numbers of steps. Raises Infeasible if the estimator
    would take too much memory.
    Running statistics move by no gradient: their part of the update is (before − after) / lr, so
    that x − lr·update has what the client ended with, and a mean of updates their mean.
    Shapes: W lanes, N coordinates, of them M running statistics, the last ones.
    """

    def __init__(self, config: TaskConfig, oracle: Oracle, chance: Chance, rates: Rates) -> None:
        self._config = config
        self._n, self._trained = oracle.layout.size, oracle.layout.trained
        self._steps_K = [config.steps_of(held) if held else 0 for held in oracle.batches.held_K]
        self._estimates = config.estimator.start(oracle)
        self._chance = chance
        self._rates = rates
        self._momenta: dict[int, Tensor] = {}
        self.width = oracle.gradients.width

    def run(self, lanes: Sequence[Job | None]) -> None:
        """Computes the outcomes of the jobs in these lanes."""
        with one_thread():
            updates_WN, losses_W = self._steps(self._block(lanes))
            finite = _finite(updates_WN, losses_W)
        updates: Float32 = updates_WN.numpy()
        updates.flags.writeable = False
        # A lane of a full block may stay where it is: all of its memory is in use.
        gaps = None in lanes
        for lane, job in enumerate(lanes):
            if job is not None:
                update = _fixed(updates[lane]) if gaps else updates[lane]
                job.outcome = update if finite[lane] else TrainingDiverged(job.client, job.round)

    def state(self) -> Mapping[str, Float32]:
        """Each client's m, Float32[N], and what the estimator remembers."""
        momenta = {f"{_MOMENTUM}{client}": m.numpy() for client, m in self._momenta.items()}
        return momenta | {name: each.numpy() for name, each in self._estimates.state().items()}

    def restore(self, state: Mapping[str, Float32]) -> None:
        """Go on from these."""
        known = {name: torch.tensor(each) for name, each in state.items()}
        momenta = [name for name in known if name.startswith(_MOMENTUM)]
        self._momenta = {int(name.removeprefix(_MOMENTUM)): known.pop(name) for name in momenta}
        self._estimates.restore(known)

    def _block(self, lanes: Sequence[Job | None]) -> Block:
        steps = [0 if job is None else self._steps_K[job.client] for job in lanes]
        jobs = [job for job in lanes if job is not None]
        if all(job.params is jobs[0].params for job in jobs):
            params_N = torch.from_numpy(jobs[0].params.copy())
            return Block(lanes, steps, params_N.expand(len(lanes), -1))
        params_WN = _aligned(len(lanes), self._n)
        for lane, job in enumerate(lanes):
            if job is not None:
                params_WN.numpy()[lane] = job.params
        return Block(lanes, steps, params_WN)

    def _steps(self, block: Block) -> tuple[Tensor, Tensor]:
        """The sum of the steps' directions and that of their losses."""
        before_WM = block.params_WN[:, self._trained :]
        total = last = self._direction(block, 0, self._recalled(block))
        for step in range(1, max(block.steps)):
            block.params_WN = self._moved(block.params_WN, last, self._lr(block))
            momenta_WN = last.gradients_WN if self._config.momentum else None
            following = self._direction(block, step, momenta_WN)
            done = block.done(step)
            # In place, unless what stood there is needed once more.
            into_WN = None if done else total.gradients_WN
            total = _except(done, _sum(total, following, into_WN), total)
            last = _except(done, following, last)
        self._remember(block, last.gradients_WN)
        updates_WN = total.gradients_WN
        if last.statistics_WM is not None:
            moved_WM, lr_W1 = before_WM - last.statistics_WM, self._lr(block)
            # A rate of nothing moves nothing.
            moved_WM = torch.where(lr_W1 > 0, moved_WM / lr_W1, 0.0)
            updates_WN[:, self._trained :] = moved_WM
        return updates_WN, total.losses_W

    def _direction(self, block: Block, step: int, momenta_WN: Tensor | None) -> Estimate:
        """Where a local step goes, as its gradient, with its losses and running statistics."""
        with self._chance(block, step):
            estimate = self._estimates(block, step)
        if momenta_WN is None:
            return estimate
        direction_WN = momenta_WN * self._config.momentum + estimate.gradients_WN
        return estimate._replace(gradients_WN=direction_WN)

    def _moved(self, params_WN: Tensor, step: Estimate, lr_W1: Tensor) -> Tensor:
        """The parameters and running statistics after a step."""
        step_WN = step.gradients_WN * lr_W1
        moved_WN = torch.sub(params_WN, step_WN, out=step_WN)
        if step.statistics_WM is not None:
            moved_WN[:, self._trained :] = step.statistics_WM
        return moved_WN

    def _lr(self, block: Block) -> Tensor:
        """Each lane's learning rate, [W, 1]; one for empty lanes."""
        rates = [1.0 if job is None else self._rates(job.round) for job in block.lanes]
        return torch.from_numpy(np.array(rates, np.float32)[:, None])

    def _recalled(self, block: Block) -> Tensor | None:
        """Each lane's momentum from rounds before; None without momentum."""
        if not self._config.momentum:
            return None
        momenta_WN = torch.zeros(block.params_WN.shape)
        for lane, job in enumerate(block.lanes):
            if job is not None and job.client in self._momenta:
                momenta_WN[lane] = self._momenta[job.client]
        return momenta_WN

    def _remember(self, block: Block, momenta_WN: Tensor) -> None:
        if self._config.momentum:
            for lane, job in enumerate(block.lanes):
                if job is not None:
                    self._momenta[job.client] = momenta_WN[lane].clone()


def _aligned(lanes: int, n: int) -> Tensor:
    """Zeros [W, N] whose rows begin like a vector of its own, at a multiple of 64 bytes.

    Products of matrices may differ in their last bits by where in memory a matrix begins.
    """
    return torch.zeros(lanes, -(-n // _ROW) * _ROW)[:, :n]


def _sum(total: Estimate, more: Estimate, into_WN: Tensor | None) -> Estimate:
    gradients_WN = torch.add(total.gradients_WN, more.gradients_WN, out=into_WN)
    return Estimate(gradients_WN, total.losses_W + more.losses_W)


def _except(lanes: list[int], changed: Estimate, before: Estimate) -> Estimate:
    """What is ``changed``, in place, but for ``lanes``, which stay as they were."""
    for after, kept in zip(changed, before, strict=True) if lanes else ():
        if after is not None and kept is not None:
            after[lanes] = kept[lanes]
    return changed


def _finite(updates_WN: Tensor, losses_W: Tensor) -> list[bool]:
    """Whether all is finite, lane by lane; a sum is only if all its terms are, and is sooner."""
    fine: list[bool] = np.isfinite((updates_WN.sum(1) + losses_W).numpy()).tolist()
    if not all(fine):
        fine = (losses_W.isfinite() & updates_WN.isfinite().all(1)).tolist()
    return fine


def _fixed(vector: Float32) -> Float32:
    fixed = vector.copy()
    fixed.flags.writeable = False
    return fixed
