"""The speed-ups that ERIS's text names for its Figures 7 (first version) and 8 (second)."""

import re
from dataclasses import replace

from netsim.studies.validate.papers.amounts import Amounts, Place, simulate
from netsim.studies.validate.papers.central import eq52, soteriafl
from netsim.studies.validate.papers.reading import Reading
from netsim.studies.validate.papers.sharded import eris

PLACE = Place(50, 10_000_000, 100e6)
"""50 clients, 320 Mbit, 100 Mbit/s each way."""
KEPT = 0.05

_FORM = re.compile(r"eris_dsc A=(\d+) over (\w+)")


def speedup(method: str, first: bool) -> list[Reading]:
    """How many times longer the other method takes than ERIS with A aggregators."""
    form = _FORM.fullmatch(method)
    assert form is not None, method
    if form[2] == "fedavg":
        theirs = Reading("", eq52(PLACE, 1, 1), simulate(PLACE, {"kind": "fedavg"}))
    else:
        theirs = soteriafl(PLACE, KEPT, first)[-1]
    return [
        replace(
            each,
            formula=_ratio(theirs.formula, each.formula),
            simulated=_ratio(theirs.simulated, each.simulated),
        )
        for each in eris(PLACE, KEPT, first, int(form[1]))
    ]


def _ratio(theirs: Amounts | None, ours: Amounts | None) -> Amounts:
    assert theirs is not None
    assert ours is not None
    return {"speedup": theirs["time_s"] / ours["time_s"]}
