"""Classes of access links, such as fibre, cable and mobile, with their shares of the nodes."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from netsim.kernel.streams import Streams
from netsim.network.rates.draws import Latencies, Listed, Rates
from netsim.network.sharing.base import Int64
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding
from netsim.scenario.units import duration

_PERCENT = re.compile(r"\s*(\d{1,20}(?:\.\d{0,20})?)\s*%\s*")
_SLACK = 1e-6


def _share(given: object) -> object:
    """``60 %`` as 0.6; anything else as it is."""
    if isinstance(given, (int, float)) and given > 1:
        raise ValueError(f"{given} is more than all nodes; write '{given} %'")
    form = _PERCENT.fullmatch(given) if isinstance(given, str) else None
    return given if form is None else float(Fraction(Decimal(form.group(1))) / 100)


Share = Annotated[float, BeforeValidator(_share), Field(gt=0, le=1)]
"""A field: a part of the whole, as ``60 %`` or 0.6."""


class NodeClass(Config):
    """Nodes with the same kind of access: a ``share`` of all, with their rates and latency.

    One value for all nodes of the class or a distribution, not a list.  Which nodes are in a class
    is drawn by the seed.
    """

    name: str = Field(min_length=1)
    share: Share
    uplink: Rates
    downlink: Rates | None = None
    latency: Latencies = duration("0 s")

    def problems(self, nodes: int) -> Iterator[Finding]:
        """What pydantic cannot see."""
        for field in ("uplink", "downlink", "latency"):
            given = getattr(self, field)
            if isinstance(given, (tuple, Listed)):
                yield (field,), "a class has no list of its nodes; write one value or a draw"
            elif given is not None and not isinstance(given, float):
                yield from (((field, *loc), text) for loc, text in given.problems(nodes))


def class_problems(classes: Sequence[NodeClass], nodes: int) -> Iterator[Finding]:
    """What is wrong with the classes of a network."""
    names = [each.name for each in classes]
    for at, each in enumerate(classes):
        if each.name in names[:at]:
            yield (at, "name"), f"another class is called '{each.name}'"
        yield from (((at, *loc), text) for loc, text in each.problems(nodes))
    total = _total(classes)
    if classes and abs(total - 1) > _SLACK:
        yield (), f"the shares add up to {float(100 * total):g} %, not 100 %"


def class_of_K(classes: Sequence[NodeClass], nodes: int, streams: Streams) -> Int64:
    """For each of K nodes its class: counts by exact shares, at random who is what.

    Counts are the shares of ``nodes`` rounded down; what is left goes to the largest
    remainders (Hamilton's method), earlier classes first.
    """
    total = _total(classes)
    quotas = [_exact(each.share) * nodes / total for each in classes]
    counts = [int(quota) for quota in quotas]
    left = [quota - count for quota, count in zip(quotas, counts, strict=True)]
    by_remainder = sorted(range(len(left)), key=lambda each: -left[each])
    for each in by_remainder[: nodes - sum(counts)]:
        counts[each] += 1
    members = np.repeat(np.arange(len(classes), dtype=np.int64), counts)
    return streams.rng("network classes").permutation(members)


def _total(classes: Sequence[NodeClass]) -> Fraction:
    return sum((_exact(each.share) for each in classes), Fraction(0))


def _exact(share: float) -> Fraction:
    """The decimal that was written."""
    return Fraction(repr(share))
