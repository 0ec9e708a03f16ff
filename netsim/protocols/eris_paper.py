"""The paper of ERIS, whose two versions have different titles and, as yet, no named authors."""

from typing import Final

from netsim.protocols.base import Paper

_BIBTEX: Final = """@unpublished{eris,
  title = {{ERIS}: Enhancing Privacy and Scalability in Federated Learning via Federated Shard
           Aggregation},
  author = {{Anonymous authors}},
  note = {First version: Enhancing Privacy and Communication Efficiency in Serverless Federated
          Learning; under double-blind review}
}"""


def eris_paper(where: str) -> Paper:
    """The paper, cited at ``where``."""
    return Paper(f"ERIS, under review, {where}", _BIBTEX)
