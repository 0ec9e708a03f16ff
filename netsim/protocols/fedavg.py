"""FedAvg: a central server averages the clients' updates."""

from typing import ClassVar, Literal, final

from netsim.protocols.base import Paper
from netsim.protocols.central import Central, CentralConfig


class FedAvgConfig(CentralConfig):
    """``weights``: by the clients' samples, or uniform; ``aggregation``: server or FSA."""

    kind: Literal["fedavg"] = "fedavg"


@final
class FedAvg(Central):
    """McMahan et al. 2017, Algorithm 1, with all clients in every round, or some of them by
    ``participation``.

    A round: each client trains on the model it holds and sends its update (b bits); the server
    averages what arrived, steps, and broadcasts the new model (b bits a client).  A client
    whose update fails is left out of the average; one that misses the broadcast trains on the
    model it has; when no update arrives the model stays.
    """

    title: ClassVar = "Federated averaging at a central server"
    paper: ClassVar = Paper(
        "McMahan et al., AISTATS 2017",
        """@inproceedings{mcmahan2017communication,
  title = {Communication-Efficient Learning of Deep Networks from Decentralized Data},
  author = {McMahan, Brendan and Moore, Eider and Ramage, Daniel and Hampson, Seth
            and {Ag{\\"u}era y Arcas}, Blaise},
  booktitle = {AISTATS},
  year = {2017}
}""",
    )
    Config = FedAvgConfig
