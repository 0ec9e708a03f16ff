"""What CEPAM and the baselines of its paper share."""

from typing import Final

from pydantic import Field

from netsim.protocols.base import Paper
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
    the update's root mean square (the paper does not publish its γ)."""

    gamma: float | None = Field(default=None, gt=0)
