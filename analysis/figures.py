"""All figures of distribution time, each with simulated rounds over the formulas.

    python -m analysis.figures --out DIR

draws ERIS's Figure 7 of the first version, its Figures 8 and 9 of the second, both versions
against the number of aggregators, and the figures of docs/formulas.md, from scratch; DIR gets a
PNG and a CSV of each.
"""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from analysis.curves import (
    CLIENTS,
    KEPT,
    Method,
    baselines,
    curve,
    eris,
    over_clients,
    over_rates,
    over_sizes,
    unequal,
)
from analysis.findings import FINDINGS
from analysis.plots import Panel, draw, write
from netsim.studies.validate.papers.amounts import Place

COUNTS = (2, 5, 10, 20, 30, 40, 50, 60, 80, 100)
EXPONENTS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
RATES_MBPS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
AGGREGATORS = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50)


def panel(
    title: str, x: str, methods: Mapping[str, Method], places: Mapping[float, Place], log_x: bool
) -> Panel:
    """Every method at every place."""
    return Panel(title, x, log_x, {name: curve(each, places) for name, each in methods.items()})


def first_version() -> dict[str, Method]:
    """The methods of Figure 7: ERIS compresses, and the downlink is counted so too."""
    return {
        **baselines(first=True),
        "ERIS (A=2)": eris(True, KEPT, 2),
        "ERIS (A=K)": eris(True, KEPT),
    }


def second_version() -> dict[str, Method]:
    """The methods of Figures 8 and 9: ERIS with and without DSC, a dense downlink."""
    return {
        **baselines(first=False),
        "ERIS (A=2)": eris(False, 1.0, 2),
        "ERIS + DSC (A=2)": eris(False, KEPT, 2),
        "ERIS (A=K)": eris(False, 1.0),
        "ERIS + DSC (A=K)": eris(False, KEPT),
    }


def clients_and_sizes(methods: Mapping[str, Method]) -> list[Panel]:
    """Time against clients at 320 Mbit, and against the model's size at 50 clients."""
    sizes = over_sizes(EXPONENTS)
    return [
        panel("320 Mbit, 100 Mbit/s", "clients", methods, over_clients(COUNTS), log_x=False),
        panel("50 clients, 100 Mbit/s", "model size, Mbit", methods, sizes, log_x=True),
    ]


def rates() -> list[Panel]:
    """Time against the rate of all links."""
    x, places = "rate each way, Mbit/s", over_rates(RATES_MBPS)
    return [panel("50 clients, 320 Mbit", x, second_version(), places, log_x=True)]


def aggregators() -> list[Panel]:
    """Time against A: equal links in both versions, and links that all differ."""
    equal = over_clients((CLIENTS,))[CLIENTS]
    versions = {
        "first version, 5 % both ways": (True, KEPT),
        "second version, dense": (False, 1.0),
        "second version, 5 % up": (False, KEPT),
    }
    lines = {
        name: [replace(curve(eris(*how, count), {0: equal})[0], x=count) for count in AGGREGATORS]
        for name, how in versions.items()
    }
    x = "aggregators A"
    return [
        Panel("50 clients, 320 Mbit, 100 Mbit/s", x, True, lines),
        Panel("dense, links of 10 to 100 Mbit/s", x, True, unequal(AGGREGATORS)),
    ]


FIGURES: dict[str, Callable[[], list[Panel]]] = {
    "eris_v1_figure7": lambda: clients_and_sizes(first_version()),
    "eris_v2_figure8": lambda: clients_and_sizes(second_version()),
    "eris_v2_figure9": rates,
    "eris_aggregators": aggregators,
    **FINDINGS,
}


def main() -> None:
    """Draw and write every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, panels_of in FIGURES.items():
        panels = panels_of()
        draw(panels, out / f"{name}.png")
        write(panels, out / f"{name}.csv")
        print(out / f"{name}.png")


if __name__ == "__main__":
    main()
