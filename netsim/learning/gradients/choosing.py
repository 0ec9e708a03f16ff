"""The one strategy of a task."""

from math import prod

from netsim.learning.errors import Infeasible
from netsim.learning.gradients.base import Gradients
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.problem import Problem
from netsim.learning.gradients.products import Products
from netsim.learning.gradients.shared import Shared
from netsim.learning.gradients.stacked import Stacked
from netsim.learning.models.base import Model

STRATEGIES: tuple[type[Gradients], ...] = (Loop, Shared, Stacked, Products)


def choose(name: str, model: Model, problem: Problem, load: Load) -> Gradients:
    """The strategy called ``name``; for ``auto`` what is fastest by rule.

    That is products for plain layers, stacking for others while a batch has at most the model's
    ``stack_limit`` numbers, and the loop for the rest: a rule on model and batch alone, as
    strategies differ in their last bits.  Raises Infeasible.
    """
    if name == "auto":
        return _fastest(model, problem, load)
    kind = next(strategy for strategy in STRATEGIES if strategy.name == name)
    chosen = kind.of(problem, load)
    if chosen is None:
        instead = _fastest(model, problem, load).name
        text = f"{name} cannot compute {model.kind}; write {instead}"
        raise Infeasible(text, "task", "gradients")
    return chosen


def _fastest(model: Model, problem: Problem, load: Load) -> Gradients:
    stackable = load.largest * prod(problem.inputs.shape[1:]) <= model.stack_limit
    stacked = Stacked.of(problem, load) if stackable else None
    return Products.of(problem, load) or stacked or Loop.of(problem, load)
