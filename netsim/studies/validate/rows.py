"""A row of the comparison: formula, the least possible, simulations and what to make of it."""

from dataclasses import dataclass, replace
from typing import final

from netsim.network.transport.config import Fluid
from netsim.studies.records import optimum_s
from netsim.studies.validate.bounds import free_bound_s
from netsim.studies.validate.facts import Facts, latency_s
from netsim.studies.validate.formulas import closed_form
from netsim.studies.validate.timed import Barrier, Setting, time_round
from netsim.studies.validate.verdicts import Verdict, judge
from netsim.studies.validate.written import Published


@final
@dataclass(frozen=True)
class Row(Published):
    """Times of one round's distribution, s; None where there is none to give.

    ``optimum_s`` with barriers between phases (``phase``) is what the best rates attain;
    without (``round``) what no schedule beats.  ``optimal_s`` is there where the best rates are
    known: with barriers, without latency.  ``broken``: a bound that was proven is violated.
    """

    protocol: str
    network: str
    barrier: Barrier
    formula: str | None
    formula_s: float | None
    optimum_s: float
    max_min_s: float
    fifo_s: float | None
    optimal_s: float | None
    verdict: str
    reason: str
    broken: bool


def row_of(protocol: str, network: str, setting: Setting, barrier: Barrier) -> Row:
    """Run the setting and compare.  Raises ``Deadlock`` where a needed link has rate zero.

    Under TCP its cost hides what else holds, so the reason adds what the case is without TCP.
    """
    facts = _facts(setting, barrier)
    found = judge(facts)
    bare = judge(_facts(_without_tcp(setting), barrier)) if facts.tcp else found
    return Row(
        protocol=protocol,
        network=network,
        barrier=barrier,
        formula=facts.formula,
        formula_s=facts.formula_s,
        optimum_s=facts.least_s,
        max_min_s=facts.max_min_s,
        fifo_s=facts.fifo_s,
        optimal_s=facts.optimal_s,
        verdict=found.verdict,
        reason=_reason(found, bare),
        broken=found.broken,
    )


def _without_tcp(setting: Setting) -> Setting:
    return replace(setting, network=setting.network.model_copy(update={"transport": Fluid()}))


def _reason(found: Verdict, bare: Verdict) -> str:
    if bare.reason == found.reason:
        return found.reason
    return f"{found.reason}; without TCP {bare.verdict}: {bare.reason}"


def _facts(setting: Setting, barrier: Barrier) -> Facts:
    fair = time_round(setting, barrier, "max_min")
    fluid = setting.network.transport == Fluid()
    phases_s = optimum_s(fair.transfers, fair.topology) or 0.0
    least_s = phases_s if barrier == "phase" else free_bound_s(fair.transfers, fair.topology)
    ideal = barrier == "phase" and fluid and latency_s(fair) == 0
    formula, formula_s = closed_form(fair)
    return Facts(
        barrier=barrier,
        fair=fair,
        formula=formula,
        formula_s=formula_s,
        least_s=least_s,
        phases_s=phases_s,
        fifo_s=time_round(setting, barrier, "fifo").time_s if fluid else None,
        optimal_s=time_round(setting, barrier, "optimal").time_s if ideal else None,
        tcp=not fluid,
    )
