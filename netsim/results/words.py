"""What the comparison with a bound says, in a sentence."""

from netsim.results.format import percent, seconds
from netsim.results.records import Bound

_EQUAL = 1e-6
"""Relative difference up to which two times count as equal."""


def bound_in_words(bound: Bound) -> str:
    """The simulated mean against the optimum, then the closed form against the optimum."""
    return " ".join(filter(None, (_simulated(bound), _formula(bound))))


def _simulated(bound: Bound) -> str:
    if bound.optimum_s is None or bound.ratio is None:
        return "No round is complete and apart from the others, so there is no optimum."
    optimum = f"the achievable optimum of {seconds(bound.optimum_s)} a round"
    excess = bound.ratio - 1
    if abs(excess) <= _EQUAL:
        return f"The simulated time equals {optimum}."
    if excess < 0:
        return f"The simulated time lies {percent(-excess)} below {optimum}: bound violated."
    return f"The simulated time lies {percent(excess)} above {optimum}."


def _formula(bound: Bound) -> str:
    if bound.formula is None or bound.formula_s is None:
        return ""
    says = f"The closed form {bound.formula} gives {seconds(bound.formula_s)}"
    if not bound.optimum_s:
        return f"{says}."
    excess = bound.formula_s / bound.optimum_s - 1
    if abs(excess) <= _EQUAL:
        return f"{says}, the same as the optimum."
    if excess > 0:
        return f"{says}, {percent(excess)} above the optimum, so it is no lower bound here."
    return (
        f"{says}, {percent(-excess)} below the optimum; closed forms count values alone, the "
        "optimum all that links carry."
    )
