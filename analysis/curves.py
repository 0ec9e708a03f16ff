"""Distribution time as ERIS's figures draw it: a formula's line, and simulated rounds on it.

Equal links, no latency, messages counted as the papers count them.
"""

from collections.abc import Callable, Mapping

import numpy as np

from analysis.plots import Point
from netsim.studies.scenario import Scenario
from netsim.studies.validate.cases import BARRIERS
from netsim.studies.validate.papers import central, overlay, sharded
from netsim.studies.validate.papers.amounts import Place, simulate
from netsim.studies.validate.papers.reading import Reading
from netsim.studies.validate.rows import row_of
from netsim.studies.validate.timed import Setting
from netsim.theory.distribution import eq54_ako_s

CLIENTS, PARAMETERS, RATE_BPS = 50, 10_000_000, 100e6
"""50 clients, 320 Mbit, 100 Mbit/s each way, where nothing else varies."""
KEPT, PRUNED, DEGREE = 0.05, 0.3, 4

UNEQUAL = "Eq. 53; without a barrier"

Method = Callable[[Place], Reading]


def curve(method: Method, places: Mapping[float, Place]) -> list[Point]:
    """A point at each place."""
    points = []
    for x, place in places.items():
        reading = method(place)
        run = reading.simulated
        simulated_s = None if run is None else run["time_s"]
        points.append(Point(x, reading.formula["time_s"], simulated_s))
    return points


def baselines(first: bool) -> dict[str, Method]:
    """What ERIS is compared with in its ``first`` version, which compresses the downlink too."""
    return {
        "FedAvg": lambda place: central.fedavg(place)[0],
        f"PriPrune ({PRUNED:g})": lambda place: _priprune(place, first),
        f"SoteriaFL ({KEPT:.0%})": lambda place: central.soteriafl(place, KEPT, first)[0],
        "Ako": _ako,
        f"Shatter (r={DEGREE})": lambda place: overlay.shatter(place, DEGREE)[0],
    }


def eris(first: bool, kept: float, aggregators: int | None = None) -> Method:
    """Eq. 53 as printed; every client is an aggregator unless their number is given."""
    return lambda place: sharded.eris(place, kept, first, aggregators)[0]


def unequal(counts: tuple[int, ...]) -> dict[str, list[Point]]:
    """ERIS with A of 50 clients whose rates are uniform from 10 to 100 Mbit/s.

    Eq. 53 with the round as it is without a barrier, and the phases' bounds with one.
    """
    rates = {"kind": "uniform", "low": "10 Mbit/s", "high": "100 Mbit/s"}
    scenario = Scenario.model_validate(
        {
            "name": "unequal links",
            "rounds": 1,
            "volume": {"parameters": PARAMETERS},
            "network": {"nodes": CLIENTS, "uplink": rates, "downlink": rates},
            "runs": [{"kind": "eris", "aggregators": count} for count in counts],
        }
    )
    lines: dict[str, list[Point]] = {UNEQUAL: [], "sum of phase bounds; with a barrier": []}
    for count, config in zip(counts, scenario.runs, strict=True):
        setting = Setting(config, scenario.network, PARAMETERS)
        free, kept = (row_of("eris", "unequal", setting, each) for each in BARRIERS[::-1])
        assert free.formula_s is not None
        by_name = dict(zip(lines, (free.formula_s, kept.optimum_s), strict=True))
        for (name, formula_s), row in zip(by_name.items(), (free, kept), strict=True):
            lines[name].append(Point(count, formula_s, row.max_min_s))
    return lines


def over_clients(counts: tuple[int, ...]) -> dict[float, Place]:
    """From few clients to many."""
    return {count: Place(count, PARAMETERS, RATE_BPS) for count in counts}


def over_sizes(exponents: tuple[float, ...]) -> dict[float, Place]:
    """Models of 10 to the power of each exponent, in Mbit."""
    sizes = {10.0**exponent: round(1e6 * 10.0**exponent / 32) for exponent in exponents}
    return {size: Place(CLIENTS, parameters, RATE_BPS) for size, parameters in sizes.items()}


def over_rates(rates_Mbps: tuple[float, ...]) -> dict[float, Place]:
    """Slow links to fast ones, Mbit/s."""
    return {rate: Place(CLIENTS, PARAMETERS, 1e6 * rate) for rate in rates_Mbps}


def _priprune(place: Place, first: bool) -> Reading:
    return central.priprune(place, PRUNED, first, (1 - PRUNED) * place.model_MB)[0]


def _ako(place: Place) -> Reading:
    """Eq. 54 has v = K partitions, one for each of the others."""
    rates = np.full(place.clients, place.rate_bps)
    run = simulate(place, {"kind": "ako", "partitions": place.clients})
    return Reading("", {"time_s": eq54_ako_s(place.model_bits, rates, rates)}, run)
