"""How a node mixes its own model with those that arrived."""

from collections.abc import Mapping, Sequence

import numpy as np

from netsim.network.messages import Arrivals
from netsim.protocols.vector import Vector, weighted_sum


def averaged(own: Vector, arrivals: Arrivals) -> Vector:
    """All with the same weight."""
    total = own.copy()
    for each in arrivals:
        total += each.payload.value.value()
    total /= np.float32(len(arrivals) + 1)
    return total


def metropolis(
    client: int,
    own: Vector,
    others: Mapping[int, Vector],
    degrees: Sequence[int],
    step: float = 1.0,
) -> Vector:
    """Each of ``others``, by node, weighs ``step``/(1 + max degree of the two); the own has the
    rest."""
    shares = {each: step / (1 + max(degrees[client], degrees[each])) for each in others}
    models = {**others, client: own}
    shares[client] = 1 - sum(shares.values())
    return weighted_sum(len(own), ((shares[each], models[each]) for each in sorted(models)))
