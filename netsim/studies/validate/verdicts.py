"""What to make of a case, and why: the first rule that fits gives the reason."""

from collections.abc import Callable
from dataclasses import dataclass

from netsim.results.format import percent, seconds
from netsim.studies.validate.facts import Facts, above
from netsim.studies.validate.formulas import AS_SENT

PROVEN = frozenset({"eq52", "r·b / min rate"})
"""Formulas that are bounds; the phase bound is one as well."""


@dataclass(frozen=True)
class Verdict:
    """``broken``: what was proven does not hold, which is a fault of the simulator."""

    verdict: str
    reason: str
    broken: bool = False


Rule = tuple[Callable[[Facts], bool], Callable[[Facts], str]]


def judge(facts: Facts) -> Verdict:
    """Compare formula, least possible and simulated times."""
    formula_s, least_s, fastest_s = facts.formula_s, facts.least_s, facts.fastest_s
    if not facts.phases:
        return Verdict("bound violated" if formula_s else "equal", "no message crosses a link")
    if above(least_s, fastest_s):
        return Verdict("bound violated", "faster than any schedule can be", broken=True)
    if facts.optimal_s is not None and above(facts.optimal_s, least_s):
        return Verdict("bound violated", "the best rates miss the phase bound", broken=True)
    if formula_s is not None and above(formula_s, fastest_s):
        low = f"{percent(1 - fastest_s / formula_s)} below it: {_first(VIOLATED, facts)}"
        return Verdict("bound violated", low + _slower(facts), facts.formula in PROVEN)
    if formula_s is not None and above(least_s, formula_s):
        loose = f"formula loose by {percent(least_s / formula_s - 1)}" if formula_s else "formula 0"
        return Verdict(loose, _first(LOOSE, facts) + _slower(facts))
    if above(facts.max_min_s, max(least_s, formula_s or 0.0)):
        return _above_bound(facts, facts.max_min_s / least_s - 1)
    return Verdict("equal", _first(EQUAL, facts))


def _above_bound(facts: Facts, share: float) -> Verdict:
    ideal = facts.optimal_s is not None
    cost = f"fairness cost {percent(share)}" if ideal else percent(share)
    return Verdict(f"simulated above bound ({cost})", _why_above(facts))


def _slower(facts: Facts) -> str:
    """Why max-min takes longer than the optimum, if it does, to be added to another reason."""
    slower = above(facts.max_min_s, facts.least_s)
    return f"; max-min is above the optimum: {_why_above(facts)}" if slower else ""


def _why_above(facts: Facts) -> str:
    """All that is known to hold up max-min beyond what no schedule beats."""
    if facts.tcp:
        return "TCP's slow start, windows and acknowledgements, and latency, which no bound counts"
    latency = f"{seconds(facts.latency_s)} of latency, one way in each phase, which no bound counts"
    reasons = [latency] if facts.latency_s > 0 else []
    if above(facts.max_min_s, facts.least_s + facts.latency_s):
        reasons.append(
            "nodes wait for each other, and no schedule is known to reach the bound"
            if facts.barrier == "round"
            else "max-min gives large and small messages the same rate"
        )
    return "; ".join(reasons)


def _first(rules: tuple[Rule, ...], facts: Facts) -> str:
    return next(words(facts) for fits, words in rules if fits(facts))


def _formula_s(facts: Facts) -> float:
    assert facts.formula_s is not None
    return facts.formula_s


def _own_shard_explains(facts: Facts) -> bool:
    """Whether Eq. 53 is no more too high once each of K aggregators keeps its own shard."""
    kept_s = _formula_s(facts) * (facts.clients - 1) / facts.clients
    return facts.formula == "eq53" and facts.all_receive and not above(kept_s, facts.fastest_s)


VIOLATED: tuple[Rule, ...] = (
    (
        lambda facts: facts.formula == "eq53" and not above(_formula_s(facts), facts.phases_s),
        lambda facts: (
            "without a barrier aggregators send out while others still collect; Eq. 53 adds "
            "the longest of each (erratum 9)"
        ),
    ),
    (
        _own_shard_explains,
        lambda facts: (
            "every client is an aggregator and keeps its own shard, Eq. 53 charges it (erratum 2)"
        ),
    ),
    (
        lambda facts: facts.formula == "eq53",
        lambda facts: (
            "unequal links: Eq. 53 puts the least rates of different nodes in one term and "
            "charges own shards (erratum 9)"
        ),
    ),
    (
        lambda facts: facts.formula == "eq55" and facts.local_share > 0,
        lambda facts: (
            f"behind the {facts.slowest_name} {percent(facts.local_share)} of the messages join "
            "virtual nodes of one node and cost nothing"
        ),
    ),
    (
        lambda facts: "up then down" in (facts.formula or ""),
        lambda facts: "all up and then all down is counted; links carry both at once (erratum 19)",
    ),
    (
        lambda facts: facts.formula == "eq54",
        lambda facts: "a node sends K − 1 of K partitions, Eq. 54 counts K",
    ),
    (
        lambda facts: facts.formula == AS_SENT,
        lambda facts: "clients' messages differ in size, Eq. 52 has one size",
    ),
    (
        lambda facts: True,
        lambda facts: f"the {facts.slowest_name} carries less than the formula counts",
    ),
)
LOOSE: tuple[Rule, ...] = (
    (
        lambda facts: facts.tcp,
        lambda facts: "TCP headers, which the formula does not count",
    ),
    (
        lambda facts: not above(facts.access_s, _formula_s(facts)),
        lambda facts: f"the {facts.inner_name} is slower; the formula knows access links",
    ),
    (
        lambda facts: facts.fair.topology.half_duplex,
        lambda facts: "both directions share a link, the formula has one for each",
    ),
    (
        lambda facts: facts.formula in {"eq52", "eq53"} and len(facts.phases) > 2,
        lambda facts: f"{len(facts.phases)} kinds of messages, the formula counts two",
    ),
    (
        lambda facts: facts.formula == "s·b / min rate" and not facts.slowest_is_uplink,
        lambda facts: f"the {facts.slowest_name} gets more models than the s that each node sends",
    ),
    (
        lambda facts: facts.formula == "eq55" and len(facts.phases) > 1,
        lambda facts: (
            "chunks go to virtual nodes on links of their own, between them and back: three "
            "phases, Eq. 55 counts one"
        ),
    ),
    (
        lambda facts: facts.formula == "eq55" and facts.slowest_is_uplink,
        lambda facts: f"the {facts.slowest_name} carries r models, Eq. 55 counts one (erratum 7)",
    ),
    (
        lambda facts: facts.formula == AS_SENT,
        lambda facts: "clients' messages differ in size, Eq. 52 has one size",
    ),
    (
        lambda facts: True,
        lambda facts: f"the {facts.slowest_name} carries more than the formula counts",
    ),
)
EQUAL: tuple[Rule, ...] = (
    (
        lambda facts: facts.formula is None,
        lambda facts: "no closed form; max-min reaches the least possible",
    ),
    (
        lambda facts: above(facts.max_min_s, facts.least_s),
        lambda facts: "max-min takes what the formula says",
    ),
    (
        lambda facts: True,
        lambda facts: "max-min reaches the least possible, and the formula says so",
    ),
)
"""Each rule: when it fits, and the reason in words.  The last of each always fits."""
