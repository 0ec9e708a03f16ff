"""A row of the comparison of leakage: a bound, what was observed, and what to make of it."""

from dataclasses import dataclass
from typing import Literal, final

from netsim.results.format import percent
from netsim.studies.validate.leakage.watched import Measured
from netsim.studies.validate.written import Published

Standing = Literal["proven", "printed", "approximation", "silent"]
"""What the figure of a theorem is: a bound that is proven for the setting; one that is printed and
does not hold in it; no bound but an approximation; one that counts no coordinates."""

ERRORS, ROUNDING = 5.0, 1e-9
"""A mean over draws lies within so many standard errors of what is expected, but for a chance of
less than 1e-6."""


@dataclass(frozen=True)
class Claim:
    """What a ``source`` says of a ``quantity`` that a ``coalition`` gets of one client."""

    source: str
    protocol: str
    setting: str
    coalition: str
    quantity: str
    bound: float | None
    standing: Standing
    reason: str


@final
@dataclass(frozen=True)
class LeakageRow(Published):
    """``observed`` is a mean over rounds and clients, ``most`` the largest count of them;
    ``ratio`` is observed ÷ bound.  ``broken``: a bound that was proven is violated."""

    source: str
    protocol: str
    setting: str
    coalition: str
    quantity: str
    bound: float | None
    observed: float
    most: int | None
    ratio: float | None
    verdict: str
    reason: str
    broken: bool


def judge(claim: Claim, measured: Measured) -> LeakageRow:
    """Compare what is claimed with what was measured."""
    verdict = _verdict(claim, measured)
    return LeakageRow(
        source=claim.source,
        protocol=claim.protocol,
        setting=claim.setting,
        coalition=claim.coalition,
        quantity=claim.quantity,
        bound=claim.bound,
        observed=measured.mean,
        most=measured.most,
        ratio=measured.mean / claim.bound if claim.bound else None,
        verdict=verdict,
        reason=claim.reason,
        broken=verdict.startswith("bound violated"),
    )


def _verdict(claim: Claim, measured: Measured) -> str:
    if claim.bound is None or claim.standing == "silent":
        return "bounds no count"
    gap = measured.mean - claim.bound
    if abs(gap) <= ERRORS * measured.error + ROUNDING * claim.bound:
        return "equal within the draws" if measured.error else "equal"
    share = percent(abs(gap) / claim.bound) if claim.bound else "all of it"
    if claim.standing == "approximation":
        return f"approximation ({share} too {'small' if gap > 0 else 'large'})"
    if gap < 0:
        return f"holds ({share} below)"
    if claim.standing == "proven":
        return f"bound violated ({share} above)"
    return f"no bound here ({share} above)"
