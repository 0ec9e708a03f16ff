"""Virtual time: asyncio on a SimPy environment."""

from netsim.kernel.bridge import as_event, until
from netsim.kernel.deadlock import Deadlock, Wait, waiting
from netsim.kernel.loop import VirtualLoop, running_loop
from netsim.kernel.runner import run
from netsim.kernel.sleeping import sleep
from netsim.kernel.streams import Streams

__all__ = [
    "Deadlock",
    "Streams",
    "VirtualLoop",
    "Wait",
    "as_event",
    "run",
    "running_loop",
    "sleep",
    "until",
    "waiting",
]
