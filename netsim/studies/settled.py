"""A scenario with what a run of it settled."""

from netsim.results.records import RunResult
from netsim.studies.scenario import Scenario


def settled(scenario: Scenario, result: RunResult) -> Scenario:
    """``scenario`` naming the strategy that computed gradients, so that every run of it takes
    the same: another gives other last bits."""
    if scenario.task is None or result.gradients is None:
        return scenario
    task = scenario.task.model_copy(update={"gradients": result.gradients})
    return scenario.model_copy(update={"task": task})
