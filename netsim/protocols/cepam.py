"""What CEPAM and the baselines of its paper share."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import Field

from netsim.privacy.cepam import Guarantee
from netsim.protocols.base import Paper, Protocol
from netsim.protocols.central import CentralConfig

_BIBTEX: Final = """@article{ling2025cepam,
  title = {Communication-Efficient and Privacy-Adaptable Mechanism for Federated Learning},
  author = {Ling, Chih Wei and Wu, Youqi and Sun, Jiande and Li, Cheuk Ting and Song, Linqi
            and Xu, Weitao},
  journal = {arXiv preprint arXiv:2501.12046},
  year = {2025}
}"""


def cepam_paper(where: str) -> Paper:
    """The paper, cited at ``where``."""
    return Paper(f"Ling et al., arXiv 2025, {where}", _BIBTEX)


class ScaledConfig(CentralConfig):
    """``gamma`` γ: noise and cells are in units of ‖update‖/γ; √n by default, so in units of
    the update's root mean square (the paper does not publish its γ).  n is the length of the
    vector that is normalised (Algorithm 2, line 3, m there): all that is sent, running
    statistics included, as ‖update‖ is that of the same vector."""

    gamma: float | None = Field(default=None, ge=1e-6, le=1e6)


def guarantee_notes(
    protocol: Protocol, rounds: int, of_client: Callable[[int, float, int, float], Guarantee]
) -> Mapping[str, Any]:
    """The privacy of a round and of ``rounds`` rounds, for the client that has least.

    ``of_client`` gives a round's guarantee from client, sensitivity 2τγ, steps τ and chance q.
    """
    gamma = protocol.config.gamma or math.sqrt(protocol.task.n)
    each = []
    for client in protocol.trainers:
        steps, share = protocol.task.appearances(client)
        each.append(of_client(client, 2 * steps * gamma, steps, share))
    worst = Guarantee(max(g.epsilon for g in each), max(g.delta for g in each))
    spent = worst.times(rounds)
    return {
        "epsilon_per_round": worst.epsilon,
        "delta_per_round": worst.delta,
        "epsilon": spent.epsilon,
        "delta": spent.delta,
    }
