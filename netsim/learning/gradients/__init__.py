"""Gradients of many clients: one file a strategy."""

from netsim.learning.gradients.base import Estimate, Gradients
from netsim.learning.gradients.choosing import STRATEGIES, choose
from netsim.learning.gradients.load import Load
from netsim.learning.gradients.problem import Problem

__all__ = ["STRATEGIES", "Estimate", "Gradients", "Load", "Problem", "choose"]
