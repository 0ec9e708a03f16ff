"""The local steps of clients."""

from collections.abc import Mapping, Sequence
from typing import Final

import torch
from torch import Tensor

from netsim.learning.base import Float32
from netsim.learning.block import Block, Job
from netsim.learning.chance import Chance
from netsim.learning.config import TaskConfig
from netsim.learning.errors import TrainingDiverged
from netsim.learning.oracle import Oracle
from netsim.learning.rates import Rates
from netsim.learning.threads import one_thread

_MOMENTUM: Final = "momentum "


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
        self._batches = oracle.batches
        self._estimates = config.estimator.start(oracle)
        self._chance = chance
        self._rates = rates
        self._momenta: dict[int, Tensor] = {}
        self.width = oracle.gradients.width

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
        params_WN = torch.zeros(len(lanes), self._n)
        for lane, job in enumerate(lanes):
            if job is not None:
                params_WN.numpy()[lane] = job.params
        steps = [0 if job is None else self._steps_of(job.client) for job in lanes]
        return Block(lanes, steps, params_WN)

    def _steps_of(self, client: int) -> int:
        return self._config.steps_of(len(self._batches.of(client)))

    def _steps(self, block: Block) -> tuple[Tensor, Tensor]:
        """The sum of the steps' directions and that of their losses."""
        config, trained = self._config, self._trained
        before_WM = block.params_WN[:, trained:].clone()
        updates_WN, losses_W = torch.zeros_like(block.params_WN), torch.zeros(self.width)
        momenta_WN, lr_W1 = self._recalled(block), self._lr(block)
        for step in range(max(block.steps)):
            with self._chance(block, step):
                estimate = self._estimates(block, step)
            moving = momenta_WN, updates_WN, losses_W, block.params_WN
            done = block.done(step)
            frozen = [(each, each[done]) for each in moving] if done else []
            momenta_WN.mul_(config.momentum).add_(estimate.gradients_WN)
            updates_WN += momenta_WN
            losses_W += estimate.losses_W
            block.params_WN -= momenta_WN * lr_W1
            if estimate.statistics_WM is not None:
                block.params_WN[:, trained:] = estimate.statistics_WM
            for each, rows in frozen:
                each[done] = rows
        self._remember(block, momenta_WN)
        updates_WN[:, trained:] = (before_WM - block.params_WN[:, trained:]) / lr_W1
        return updates_WN, losses_W

    def _lr(self, block: Block) -> Tensor:
        """Each lane's learning rate, [W, 1]; one for empty lanes."""
        rates = [1.0 if job is None else self._rates(job.round) for job in block.lanes]
        return torch.tensor(rates)[:, None]

    def _recalled(self, block: Block) -> Tensor:
        momenta_WN = torch.zeros_like(block.params_WN)
        for lane, job in enumerate(block.lanes):
            if job is not None and job.client in self._momenta:
                momenta_WN[lane] = self._momenta[job.client]
        return momenta_WN

    def _remember(self, block: Block, momenta_WN: Tensor) -> None:
        if self._config.momentum:
            for lane, job in enumerate(block.lanes):
                if job is not None:
                    self._momenta[job.client] = momenta_WN[lane].clone()
