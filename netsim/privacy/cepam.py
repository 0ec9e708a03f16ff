"""What CEPAM promises of a round: Ling et al. 2025, Theorems 12 and 13.

Towards other clients, who see the mean of the updates; the aggregator is trusted, and a sample
is what is protected.  The theorems assume that

- a sample takes part in each of τ local steps with probability q, 1/|D| in the paper, and
  changes its client's update, divided by its norm and times γ, by at most 2τγ;
- the norms of the updates, which scale the noise and are sent as they are, tell nothing;
- nothing but the model goes on from round to round, so no momentum.

Theorem 13 is about one coordinate: over all m of an update the sensitivity that the Laplace
mechanism asks for may be √m times as large.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Guarantee:
    """(ε, δ)-differential privacy."""

    epsilon: float
    delta: float

    def times(self, rounds: int) -> "Guarantee":
        """Of so many rounds one after the other: ε and δ add up."""
        return Guarantee(rounds * self.epsilon, min(1.0, rounds * self.delta))


def gaussian_guarantee(ratio: float, base_epsilon: float, steps: int, share: float) -> Guarantee:
    """Theorem 12 (Eq. 16) at ε̃ = ``base_epsilon``, for τ ``steps`` and q = ``share``.

    ``ratio`` is the sensitivity over the noise's deviation in the mean of the updates,
    2τγ/(√K σ) for K clients of equal weight and norm.  A δ above 1 is 1.
    """
    total = 0.0
    for j in range(1, steps + 1):
        profile = gaussian_delta(ratio, base_epsilon / j)
        if profile > 0:
            group = _log_expm1(base_epsilon) - _log_expm1(base_epsilon / j)
            term = _log_binomial(j, steps, share) + math.log(profile) + group
            total += math.exp(min(term, 0.0))
    return Guarantee(amplified(base_epsilon, steps, share), min(total, 1.0))


def laplace_guarantee(ratio: float, base_epsilon: float, steps: int, share: float) -> Guarantee:
    """Theorem 13 at ε̃ = ``base_epsilon``, for τ ``steps`` and q = ``share``.

    ``ratio`` is 2τγ/b.  The theorem asks for ε̃ ≥ ``ratio``, where δ is 0; below it δ is p times
    that of the base mechanism, whose sensitivity holds for any number of appearances.
    """
    taking_part = -math.expm1(steps * math.log1p(-share)) if share < 1 else 1.0
    delta = taking_part * laplace_delta(ratio, base_epsilon)
    return Guarantee(amplified(base_epsilon, steps, share), delta)


def amplified(base_epsilon: float, steps: int, share: float) -> float:
    """ln(1 + p(e^ε̃ − 1)) with p = 1 − (1 − q)^τ, the chance that a sample takes part."""
    if share == 1:
        return base_epsilon
    out = steps * math.log1p(-share)
    taken = math.log(-math.expm1(out)) + base_epsilon
    larger = max(out, taken)
    return larger + math.log(math.exp(out - larger) + math.exp(taken - larger))


def gaussian_delta(ratio: float, epsilon: float) -> float:
    """δ(ε) of the Gaussian mechanism with a sensitivity of ``ratio`` deviations (Theorem 8)."""
    from scipy.special import log_ndtr

    lower, upper = (sign * ratio / 2 - epsilon / ratio for sign in (-1, 1))
    delta = math.exp(log_ndtr(upper)) - math.exp(epsilon + log_ndtr(lower))
    return max(0.0, delta)


def laplace_delta(ratio: float, epsilon: float) -> float:
    """δ(ε) of the Laplace mechanism with a sensitivity of ``ratio`` scales.

    max(0, 1 − e^((ε − ratio)/2)); the paper's Theorem 10 has the exponent's sign wrong.
    """
    return -math.expm1((epsilon - ratio) / 2) if epsilon < ratio else 0.0


def _log_expm1(x: float) -> float:
    """ln(e^x − 1)."""
    return x + math.log(-math.expm1(-x))


def _log_binomial(j: int, steps: int, share: float) -> float:
    """ln of the probability of j appearances."""
    if share == 1:
        return 0.0 if j == steps else -math.inf
    ways = math.lgamma(steps + 1) - math.lgamma(j + 1) - math.lgamma(steps - j + 1)
    return ways + j * math.log(share) + (steps - j) * math.log1p(-share)
