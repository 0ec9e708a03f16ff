"""The ``failures:`` section of a scenario."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from netsim.network.config import Problem
from netsim.scenario.config import Config
from netsim.scenario.kinds import one_of
from netsim.scenario.units import Duration

Rate01 = Annotated[float, Field(ge=0, le=1)]


class Never(Config):
    """Nothing fails."""

    kind: Literal["none"] = "none"


class LinksPerRound(Config):
    """Each pair of nodes is cut off from each other for a round with probability ``rate``."""

    kind: Literal["per_round"] = "per_round"
    rate: Rate01


class Outages(Config):
    """Each access link fails and is repaired in turn, after exponential times of these means.

    ``mtbf``: from repair to failure; ``mttr``: from failure to repair.
    """

    kind: Literal["outages"] = "outages"
    mtbf: Duration = Field(gt=0)
    mttr: Duration = Field(gt=0)


class NodesPerRound(Config):
    """Each client stays away from a round with probability ``rate``.

    After a round away the probability is ``rate`` + ``correlation`` (at most 1), as in
    Shatter, Appendix E (0.1 there).
    """

    kind: Literal["per_round"] = "per_round"
    rate: Rate01
    correlation: Rate01 = 0.0


class NodesTrace(Config):
    """Clients go and come back as a CSV file says: ``time_s,node,on`` with ``on`` 1 or 0.

    Times of all nodes together ascend; a node is on until a line says otherwise.  One that goes
    misses the rest of the round and joins the next that starts when it is back.
    """

    kind: Literal["trace"] = "trace"
    file: Path


class Retries(Config):
    """A message stopped by an outage is sent again up to ``times`` times.

    The first time after ``backoff``, then after twice as long each time.  Goes with ``links:
    {kind: outages, …}``, the only failures that pass within a round.
    """

    times: int = Field(ge=1)
    backoff: Duration


LINK_FAULTS = (Never, LinksPerRound, Outages)
NODE_FAULTS = (Never, NodesPerRound, NodesTrace)


class Failures(Config):
    """What fails.  ``aggregators``: the share of ERIS aggregators that are off in each round
    (Appendix F.5).  ``deadline``: how long after a round's start what clients or nodes trained
    in it may arrive, computing included; what is sent in answer to that (a model, a chunk passed
    on) may arrive as long after the first message of its kind.  It ends waiting, not computing: who
    computes on is part of the round until he has finished.  Rounds without a barrier start when
    their first node does."""

    links: Annotated[Never | LinksPerRound | Outages, one_of(*LINK_FAULTS)] = Never()
    nodes: Annotated[Never | NodesPerRound | NodesTrace, one_of(*NODE_FAULTS)] = Never()
    aggregators: Rate01 = 0.0
    deadline: Duration | None = Field(default=None, gt=0)
    retries: Retries | None = None

    def problems(self) -> Iterator[Problem]:
        """What pydantic cannot see."""
        if self.retries is not None and not isinstance(self.links, Outages):
            yield ("retries",), "only outages pass within a round; write links: {kind: outages, …}"
