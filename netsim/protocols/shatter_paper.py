"""The paper of Shatter, which describes other systems too."""

from typing import Final

from netsim.protocols.base import Paper

_BIBTEX: Final = """@article{biswas2025shatter,
  title = {Noiseless Privacy-Preserving Decentralized Learning},
  author = {Biswas, Sayan and Even, Mathieu and Kermarrec, Anne-Marie and Massouli{\\'e},
            Laurent and Pires, Rafael and Sharma, Rishi and de Vos, Martijn},
  journal = {Proceedings on Privacy Enhancing Technologies},
  year = {2025}
}"""


def shatter_paper(where: str) -> Paper:
    """The paper, cited at ``where``."""
    return Paper(f"Biswas et al., PETS 2025, {where}", _BIBTEX)
