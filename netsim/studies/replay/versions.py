"""What a result depends on beside its scenario and the type of CPU."""

from functools import cache
from importlib.metadata import version

import netsim


@cache
def versions() -> dict[str, str]:
    """Those of netsim, numpy and torch, which is not imported for it."""
    return {"netsim": netsim.__version__} | {name: version(name) for name in ("numpy", "torch")}
