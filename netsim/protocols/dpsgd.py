"""D-PSGD: decentralised training on a fixed overlay."""

from typing import ClassVar, Literal, final

from netsim.protocols.base import Paper
from netsim.protocols.overlay_gossip import OverlayConfig, OverlayGossip


class DpsgdConfig(OverlayConfig):
    """``overlay``: who talks to whom."""

    kind: Literal["dpsgd"] = "dpsgd"


@final
class Dpsgd(OverlayGossip):
    """Lian et al. 2017, in the form Shatter's baselines use: train, share, average.

    A round: each node trains, sends its model to all its neighbours (r · b bits), and averages
    with Metropolis–Hastings weights 1/(1 + max degree of the two), which are doubly stochastic;
    on a regular overlay all are 1/(r + 1).  The weight of a model that fails goes to the
    node's own.
    """

    title: ClassVar = "Decentralised parallel SGD on a fixed overlay"
    paper: ClassVar = Paper(
        "Lian et al., NeurIPS 2017, Algorithm 1",
        """@inproceedings{lian2017decentralized,
  title = {Can Decentralized Algorithms Outperform Centralized Algorithms?
           A Case Study for Decentralized Parallel Stochastic Gradient Descent},
  author = {Lian, Xiangru and Zhang, Ce and Zhang, Huan and Hsieh, Cho-Jui and Zhang, Wei
            and Liu, Ji},
  booktitle = {NeurIPS},
  year = {2017}
}""",
    )
    messages: ClassVar = {"model": ("node", "node")}
    Config = DpsgdConfig
