"""How the learning rate changes over the rounds: one file a schedule."""

from netsim.learning.schedules.base import Schedule
from netsim.learning.schedules.constant import Constant
from netsim.learning.schedules.plateau import Plateau

SCHEDULES: tuple[type[Schedule], ...] = (Constant, Plateau)

__all__ = ["SCHEDULES", "Constant", "Plateau", "Schedule"]
