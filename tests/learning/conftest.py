"""Small tasks on digits."""

from collections.abc import Callable
from typing import Any

import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask

MakeTask = Callable[..., TrainingTask]


@pytest.fixture
def make_task() -> MakeTask:
    """Builds a task on digits: settings of TaskConfig, and clients and seed."""

    def make(clients: int = 4, seed: int = 7, **settings: Any) -> TrainingTask:
        config = TaskConfig.model_validate(
            {"dataset": "digits", "model": "mlp", "lr": 0.1} | settings
        )
        return TrainingTask.build(config, clients, Streams(seed))

    return make
