"""What a study shows, in words and numbers."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from netsim.results.format import TIME_UNITS, Unit, digits, unit_for
from netsim.studies.survey.crossings import Reign, reigns
from netsim.studies.survey.curves import Panel
from netsim.studies.survey.elasticity import elasticity
from netsim.studies.survey.table import StudyTable

_RATE_UNITS = (
    Unit("bit/s", 1.0, 0.0),
    Unit("kbit/s", 1e3, 1e3),
    Unit("Mbit/s", 1e6, 1e6),
    Unit("Gbit/s", 1e9, 1e9),
)
_GOAL = "time_to_"
_SCALES = {"bit/s": _RATE_UNITS, "s": TIME_UNITS}


def scale_of(unit: str | None, value: float) -> Unit:
    """The unit in which ``value`` reads best, among those of its kind."""
    if unit in _SCALES:
        return unit_for(abs(value), _SCALES[unit])
    return Unit(unit or "", 1.0, 0.0)


def amount(value: Any, unit: str | None) -> str:
    """A value of a swept field as people write it: ``3.20 Mbit/s``."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    scale = scale_of(unit, value)
    number = f"{value:g}" if unit is None else digits(value / scale.factor)
    return f"{number} {scale.name}".rstrip()


def setting_text(setting: Mapping[str, Any], table: StudyTable) -> str:
    """The setting of a panel: ``network.latency = 1.00 ms``; empty where there is only one."""
    parts = (f"{path} = {amount(value, table.units.get(path))}" for path, value in setting.items())
    return ", ".join(parts)


def crossing_lines(panel: Panel, table: StudyTable, x: str, y: str) -> list[str]:
    """Who has the least ``y`` where: a line a stretch of x."""
    found, unit = reigns(panel), table.units.get(x)
    return [_reign_text(found, at, unit, y) for at in range(len(found))]


def _reign_text(found: Sequence[Reign], at: int, unit: str | None, y: str) -> str:
    start, end = amount(found[at].start, unit), amount(found[at].end, unit)
    if len(found) == 1:
        where = f"from {start} to {end}"
    elif at == 0:
        where = f"below {end}"
    else:
        where = f"above {start}" if at == len(found) - 1 else f"between {start} and {end}"
    best = found[at].best
    if best is None:
        return f"{where} none has a {y}"
    verb = "is" if len(best) == 1 else "are"
    return f"{where} {' and '.join(best)} {verb} {_superlative(y)}"


def _superlative(y: str) -> str:
    """Of a figure of which less is better."""
    if y.startswith(_GOAL):
        return f"the fastest to accuracy {y.removeprefix(_GOAL).removesuffix('_s')}"
    if y.endswith("_s"):
        return f"the fastest by {y.removesuffix('_s').replace('_', ' ')}"
    return f"the least by {y.removesuffix('_bytes').replace('_', ' ')}"


def elasticity_rows(panel: Panel) -> list[tuple[str, str, str, str]]:
    """Name and elasticities (lowest two x, highest two x, all) of each curve."""
    rows = []
    for curve in panel.curves:
        found = elasticity(curve)
        if found is not None:
            low, high, whole = map(_slope_text, (found.low, found.high, found.whole))
            rows.append((curve.name, low, high, whole))
    return rows


def _slope_text(value: float) -> str:
    assert math.isfinite(value)
    return f"{value + 0.0:+.2f}"
