"""Learning rates over the rounds."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from netsim.learning.base import Evaluation
from netsim.learning.metrics import METRIC
from netsim.learning.rates import Rates
from netsim.learning.schedules import Constant, Plateau
from netsim.learning.signature import Answer
from netsim.learning.task import TrainingTask

MakeTask = Callable[..., TrainingTask]


@pytest.mark.parametrize(
    ("scores", "rate"),
    [
        ([], 1.0),
        ([0.1, 0.2, 0.3, 0.4], 1.0),
        ([0.5, 0.4, 0.4], 1.0),
        ([0.5, 0.4, 0.4, 0.4], 0.5),
        ([0.5, 0.5, 0.5, 0.5], 0.5),
        ([0.5, 0.4, 0.4, 0.6, 0.4, 0.4], 1.0),
        ([0.5, *[0.4] * 6], 0.25),
        ([0.5, *[0.4] * 30], 0.1),
    ],
)
def test_the_rate_falls_after_three_tests_without_a_gain(
    scores: Sequence[float], rate: float
) -> None:
    """Halved each third time, an equal score being no gain, but never under 0.1."""
    assert Plateau(factor=0.5, patience=3, least=0.1).rate(1.0, scores) == rate
    assert Constant().rate(1.0, scores) == 1.0


def test_a_least_rate_above_the_first_changes_nothing() -> None:
    """It is a floor, no step up."""
    assert Plateau(patience=1, least=5.0).rate(1.0, [0.1, 0.1]) == 1.0


def test_a_gain_below_the_threshold_is_none() -> None:
    """By 0.05 or less it does not count."""
    plateau = Plateau(patience=2, threshold=0.05)
    assert plateau.rate(1.0, [0.5, 0.54, 0.55]) == 0.5
    assert plateau.rate(1.0, [0.5, 0.56, 0.6]) == 1.0


def observed(answer: Answer, *evaluations: Evaluation, validated: bool = False) -> Rates:
    rates = Rates(1.0, Plateau(patience=1), METRIC[answer], validated)
    for round, evaluation in enumerate(evaluations):
        rates.observe(2 * round + 1, [evaluation])
    return rates


def test_a_round_s_rate_is_by_what_was_known_before_it() -> None:
    """Tested after rounds 1 and 3; the second is worse: from round 4 on it is halved."""
    rates = observed("class", Evaluation(1.0, 0.5), Evaluation(1.0, 0.4))
    assert [rates(round) for round in range(6)] == [1, 1, 1, 1, 0.5, 0.5]


def test_validation_counts_where_there_is_any() -> None:
    """Better on the test set, worse on what is held out."""
    held_out = (Evaluation(1.0, 0.5), Evaluation(1.0, 0.4))
    both = [Evaluation(1.0, i / 2, validation=held) for i, held in enumerate(held_out)]
    assert observed("class", *both, validated=True)(4) == 0.5
    assert observed("class", *both)(4) == 1.0


def test_models_whose_nodes_hold_nothing_out_tell_nothing() -> None:
    """The test set takes no part in a task with validation."""
    held_out = Evaluation(1.0, 0.1, validation=Evaluation(1.0, 0.5))
    without = Evaluation(1.0, 0.0)
    assert observed("class", held_out, without, without, validated=True)(6) == 1.0


def test_a_lower_rmse_is_a_gain() -> None:
    """For metrics that fall."""
    better = observed("rating", *(Evaluation(1.0, None, {"rmse": x}) for x in (1.2, 1.1)))
    worse = observed("rating", *(Evaluation(1.0, None, {"rmse": x}) for x in (1.1, 1.2)))
    assert (better(4), worse(4)) == (1.0, 0.5)


def test_clients_step_by_the_rate_of_their_round(make_task: MakeTask) -> None:
    """Half the rate after two tests alike; late rounds in a block with early ones."""
    settings = {"local_steps": 2, "samples_per_client": 8}
    task = make_task(lr=0.4, schedule={"kind": "plateau", "patience": 1}, **settings)
    early = task.update(0, task.initial, 0)
    for round in range(2):
        task.observe(round, task.evaluate([task.initial]))
    late = task.update(1, task.initial, 2)
    assert [task.rate(round) for round in range(3)] == [0.4, 0.4, 0.2]
    for lr, client, update, round in ((0.4, 0, early, 0), (0.2, 1, late, 2)):
        plain = make_task(lr=lr, **settings)
        assert np.array_equal(update.value(), plain.update(client, plain.initial, round).value())
