"""No underlay to speak of."""

from typing import Literal

from netsim.kernel.streams import Streams
from netsim.network.underlay.backbone import Backbone
from netsim.network.underlay.base import Underlay


class AccessOnly(Underlay):
    """Access links meet in one router: the core is never the bottleneck."""

    kind: Literal["access"] = "access"

    def backbone(self, streams: Streams) -> Backbone:
        return Backbone.of(("core",), ())
