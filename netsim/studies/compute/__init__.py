"""How long local training takes in virtual time: one file a way to say so."""

from netsim.studies.compute.base import Compute, Timer
from netsim.studies.compute.drawn import PerRound, PerSample
from netsim.studies.compute.nothing import NoTime
from netsim.studies.compute.trace import Trace

COMPUTES: tuple[type[Compute], ...] = (NoTime, PerRound, PerSample, Trace)

__all__ = ["COMPUTES", "Compute", "NoTime", "PerRound", "PerSample", "Timer", "Trace"]
