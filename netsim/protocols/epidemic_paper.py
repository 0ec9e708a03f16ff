"""The paper of both forms of Epidemic Learning."""

from netsim.protocols.base import Paper

EPIDEMIC_PAPER = Paper(
    "De Vos et al., NeurIPS 2023, Algorithm 1",
    """@inproceedings{devos2023epidemic,
  title = {Epidemic Learning: Boosting Decentralized Learning with Randomized Communication},
  author = {de Vos, Martijn and Farhadkhani, Sadegh and Guerraoui, Rachid and
            Kermarrec, Anne-Marie and Pires, Rafael and Sharma, Rishi},
  booktitle = {NeurIPS},
  year = {2023}
}""",
)
