"""A way to read what a paper says, and how a figure fares under several of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from netsim.studies.validate.papers.amounts import Amounts

AGREED = "formula and simulation round to the printed figure"
LEFT_OUT = "no such protocol to simulate"
ALL = frozenset({"upload_MB", "download_MB", "total_MB", "time_s", "speedup"})
BACK = ALL - {"upload_MB"}
"""What depends on how the downlink is counted."""


@dataclass(frozen=True)
class Reading:
    """What formula and simulation give under ``condition``.

    The condition is the paper's own but for the quantities it ``concerns``.  ``apart`` says why
    simulation and formula may differ; ``notes`` what else to say, by quantity.
    """

    condition: str
    formula: Amounts
    simulated: Amounts | None
    concerns: frozenset[str] = frozenset()
    apart: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """A figure against its readings: the values of the one that fits, or of the last."""

    formula: float
    simulated: float | None
    verdict: str
    reason: str


def compare(
    readings: Sequence[Reading], quantity: str, agrees: Callable[[float], bool], why: str
) -> Outcome:
    """The first reading that fits in formula and simulation, else the first whose formula does.

    ``why`` is said where none fits.
    """
    by_formula = [each for each in readings if agrees(each.formula[quantity])]
    wholly = [each for each in by_formula if _agrees(each.simulated, quantity, agrees)]
    if by_formula:
        fitting = (wholly or by_formula)[0]
        return _fitting(fitting, quantity, bool(wholly))
    last = readings[-1]
    formula, simulated = last.formula[quantity], _of(last.simulated, quantity)
    under = f" with {last.condition}" if last.condition else ""
    run = LEFT_OUT if simulated is None else f"simulated {simulated:.6g}"
    reason = f"formula {formula:.6g}{under}, {run}"
    return Outcome(formula, simulated, f"not reproduced: {why}", reason)


def _fitting(reading: Reading, quantity: str, wholly: bool) -> Outcome:
    formula, simulated = reading.formula[quantity], _of(reading.simulated, quantity)
    own = quantity not in reading.concerns and (wholly or simulated is None)
    if wholly:
        reason = AGREED
    elif simulated is None:
        reason = f"by the formula; {LEFT_OUT}"
    else:
        reason = f"by the formula; simulated {simulated:.6g}: {reading.apart}"
    if quantity in reading.notes:
        reason += f"; {reading.notes[quantity]}"
    verdict = "reproduced" if own else f"reproduced only with {reading.condition}"
    return Outcome(formula, simulated, verdict, reason)


def _of(amounts: Amounts | None, quantity: str) -> float | None:
    return None if amounts is None else amounts[quantity]


def _agrees(amounts: Amounts | None, quantity: str, agrees: Callable[[float], bool]) -> bool:
    return amounts is not None and agrees(amounts[quantity])
