"""Gradients of many clients: one file a computing mode."""

from math import prod

from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.loop import Loop
from netsim.learning.gradients.problem import Problem
from netsim.learning.gradients.stacked import Stacked

__all__ = ["Estimate", "Gradients", "Problem", "choose"]

_WIDEST = 10


def choose(problem: Problem, clients: int, batch: int, stack_limit: int) -> Gradients:
    """The one computing mode of a task: modes differ in their last bits, so it never changes.

    Clients are stacked if a batch has at most ``stack_limit`` numbers, as stacking saves
    overhead but slows convolutions; otherwise, and where the model is ``lone``, each is
    computed by itself.
    """
    if problem.model.lone or batch * prod(problem.inputs.shape[1:]) > stack_limit:
        return Loop(problem)
    blocks = -(-clients // _WIDEST)
    return Stacked(problem, width=-(-clients // blocks), batch=batch)
