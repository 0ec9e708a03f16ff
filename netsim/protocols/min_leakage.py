"""Min. Leakage: the reference in which no gradient leaves a client."""

from typing import ClassVar, Literal, final

from netsim.protocols.central import Central, CentralConfig
from netsim.protocols.eris_paper import eris_paper
from netsim.protocols.exchange import Exchange
from netsim.protocols.withheld import WithheldExchange


class MinLeakageConfig(CentralConfig):
    """``weights``: by the clients' samples, or uniform; ``aggregation``: server or FSA."""

    kind: Literal["min_leakage"] = "min_leakage"


@final
class MinLeakage(Central):
    """The idealised reference of ERIS (v1, Section 4; v2, Section 4): FedAvg's models, but an
    observer sees models only.

    No real system does this: the mean of the updates is known to the server although none is
    sent.  Up goes an empty message that says a client has trained (no payload, a header on the
    wire), down the model, b bits a client.  Models and failures are FedAvg's, bit for bit.
    """

    title: ClassVar = "FedAvg whose updates nobody sees, an idealised reference"
    paper: ClassVar = eris_paper("Section 4")
    Config = MinLeakageConfig

    def exchange(self) -> Exchange:
        return WithheldExchange(self.task, self.weigh)
