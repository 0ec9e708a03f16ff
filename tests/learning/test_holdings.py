"""Who trains on what, and what is held out."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.datasets import Digits
from netsim.learning.errors import Infeasible
from netsim.learning.holdings import Holdings, client_parts
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

MakeTask = Callable[..., TrainingTask]


def parts(clients: int, seed: int = 7, **settings: Any) -> Holdings:
    given = {"dataset": "digits", "model": "mlp", "lr": 0.1} | settings
    return client_parts(TaskConfig.model_validate(given), Digits().load(), clients, Streams(seed))


@pytest.mark.parametrize(
    ("most", "share", "trained", "held"),
    [(10, 0.0, 10, 0), (10, 0.3, 7, 3), (4, 0.3, 3, 1), (2, 0.999, 1, 1), (100, 0.29, 71, 29)],
)
def test_the_share_held_out_is_rounded_down(
    most: int, share: float, trained: int, held: int
) -> None:
    """0.29 of 100 is 29, whatever a float makes of it; nothing is in both parts."""
    found = parts(5, samples_per_client=most, holdout=share)
    assert [len(part) for part in found.training] == [trained] * 5 == found.samples.tolist()
    assert [len(part) for part in found.held_out] == [held] * 5
    everything = np.concatenate([*found.training, *found.held_out])
    assert len(set(everything.tolist())) == 5 * most
    assert all((np.diff(part) > 0).all() for part in (*found.training, *found.held_out))


@pytest.mark.parametrize(("most", "share"), [(1, 0.9), (3, 0.3)])
def test_a_share_that_nobody_holds_out_is_refused(most: int, share: float) -> None:
    """There would be no validation; one client with enough samples is enough."""
    with pytest.raises(Infeasible, match=f"{share} of {most} samples, which a client has at most"):
        parts(5, samples_per_client=most, holdout=share)
    uneven = parts(40, partition={"kind": "dirichlet", "alpha": 0.1}, holdout=0.05)
    assert 0 in map(len, uneven.held_out)
    assert any(map(len, uneven.held_out))


def test_what_is_held_out_is_drawn_from_what_would_be_held_without() -> None:
    """The same parts, and by the seed."""
    whole, some = parts(4), parts(4, holdout=0.5)
    for before, train, held in zip(whole.training, some.training, some.held_out, strict=True):
        assert np.array_equal(np.sort(np.concatenate([train, held])), before)
    again = parts(4, holdout=0.5)
    assert all(map(np.array_equal, some.held_out, again.held_out))
    assert not np.array_equal(some.held_out[0], parts(4, seed=8, holdout=0.5).held_out[0])


def test_a_client_with_samples_always_trains() -> None:
    """Whatever the share below one, as it is rounded down."""
    assert parts(3, samples_per_client=2, holdout=0.99).samples.tolist() == [1, 1, 1]
    assert parts(1, holdout=1 - 1e-16).samples.tolist() == [1]


def test_models_are_validated_on_what_is_held_out(make_task: MakeTask) -> None:
    """A global one on all of it, a node's own on the node's."""
    task = make_task(holdout=0.5, samples_per_client=20)
    other = Deferred.of(task.initial.value() * np.float32(1.5))
    (whole,) = task.evaluate([task.initial])
    each = task.evaluate([task.initial] * 3 + [other], nodes=range(4))
    assert whole.validation is not None
    own = [found.validation for found in each if found.validation is not None]
    assert len({found.loss for found in own}) == 4
    (fourth,) = task.evaluate([task.initial], nodes=[3])
    assert fourth.validation is not None
    losses = [found.loss for found in own[:3]] + [fourth.validation.loss]
    assert whole.validation.loss == pytest.approx(np.mean(losses), rel=1e-6)
    assert each[3].loss != each[0].loss == whole.loss


def test_without_a_part_held_out_nothing_is_validated(make_task: MakeTask) -> None:
    """Of all, or of this node."""
    (found,) = make_task().evaluate([(task := make_task()).initial])
    assert found.validation is None
    uneven = make_task(clients=30, holdout=0.3, partition={"kind": "dirichlet", "alpha": 0.05})
    few = int(np.argmin(uneven.samples))
    (found,) = uneven.evaluate([uneven.initial], nodes=[few])
    assert found.validation is None
    assert task.samples.sum() == 1438


def test_a_sample_of_the_test_set(make_task: MakeTask) -> None:
    """Always the same; its accuracies are whole numbers of samples; more than all is refused."""
    config = TaskConfig.model_validate({"dataset": "digits", "model": "mlp", "lr": 0.1})
    tasks = [TrainingTask.build(config, 2, Streams(1), None, count) for count in (50, 50, 359)]
    one, same, all_ = (task.evaluate([task.initial])[0] for task in tasks)
    assert one == same != all_
    assert one.accuracy is not None
    assert (one.accuracy * 50).is_integer()
    (whole,) = (task := TrainingTask.build(config, 2, Streams(1))).evaluate([task.initial])
    assert all_ == whole
    with pytest.raises(Infeasible, match=r"evaluate\.sample: 360 of 359 test samples; leave"):
        TrainingTask.build(config, 2, Streams(1), None, 360)
