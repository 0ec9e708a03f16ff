"""What a run's figures say, in a sentence."""

from netsim.results.format import percent, seconds
from netsim.results.records import Bound, RunResult

_EQUAL = 1e-6
"""Relative difference up to which two times count as equal."""
_FEW = 8


def without_samples_in_words(run: RunResult) -> str:
    """Which clients hold nothing to train on; nothing if all do."""
    names = [run.nodes.names[client] for client in run.nodes.without_samples]
    if not names:
        return ""
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    who = "1 client holds" if len(names) == 1 else f"{len(names)} clients hold"
    return f"{who} no samples to train on: {', '.join(names[:_FEW])}{more}"


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
