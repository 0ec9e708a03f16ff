"""The figures of docs/formulas.md: where simulated rounds leave the papers' formulas."""

from collections.abc import Callable

from analysis.findings import barrier, eq53, fairness, fifo, latency, masks, shatter
from analysis.plots import Panel

FINDINGS: dict[str, Callable[[], list[Panel]]] = {
    "formulas_shatter": shatter.panels,
    "formulas_barrier": barrier.panels,
    "formulas_masks": masks.panels,
    "formulas_fairness": fairness.panels,
    "formulas_latency": latency.panels,
    "formulas_eq53": eq53.panels,
    "formulas_fifo": fifo.panels,
}
"""By the name of its picture."""
