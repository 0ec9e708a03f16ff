"""What Gaussian noise costs in privacy, by the library dp-accounting."""

import math
from typing import Any, Final

_LARGE: Final = 1e100


def spent_epsilon(noise_multiplier: float, rounds: int, delta: float) -> float:
    """ε at ``delta`` of ``rounds`` Gaussian mechanisms one after the other, without sampling.

    ``noise_multiplier`` is the noise's deviation over the sensitivity.  T mechanisms are
    exactly one whose multiplier is √T times smaller, and its δ has a closed form (Balle and
    Wang 2018, Theorem 8), so no accuracy is lost to discretisation.  0 for a multiplier above
    1e100, infinite below 1e-100, whose squares are no numbers any more.
    """
    if rounds == 0:
        return 0.0
    multiplier = noise_multiplier / math.sqrt(rounds)
    if not 1 / _LARGE < multiplier < _LARGE:
        return 0.0 if multiplier > 1 else math.inf
    mechanism = _mechanism(multiplier)
    if mechanism.get_delta_for_epsilon(0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while mechanism.get_delta_for_epsilon(high) > delta:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if mechanism.get_delta_for_epsilon(middle) > delta:
            low = middle
        else:
            high = middle
    return high


def needed_multiplier(epsilon: float, delta: float, rounds: int) -> float:
    """The noise multiplier whose ``rounds`` together cost (ε, δ)."""
    from dp_accounting.pld import common, privacy_loss_mechanism

    budget = common.DifferentialPrivacyParameters(epsilon, delta)
    whole = privacy_loss_mechanism.GaussianPrivacyLoss.from_privacy_guarantee(budget)
    return float(whole.standard_deviation) * math.sqrt(rounds)


def _mechanism(noise_multiplier: float) -> Any:
    from dp_accounting.pld.privacy_loss_mechanism import GaussianPrivacyLoss

    return GaussianPrivacyLoss(noise_multiplier)
