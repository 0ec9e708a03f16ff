"""What a round costs a client: by a formula, or as it was simulated."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from netsim.protocols import PROTOCOLS
from netsim.results.measure import host_traffic, traffic
from netsim.studies.scenario import Scenario
from netsim.studies.validate.timed import Setting, Timed, time_round

MB_BITS = 8e6

Amounts = Mapping[str, float]
"""By name what a round costs one client in the mean, MB: ``upload_MB`` and ``download_MB`` in
its role as a client, ``total_MB`` and ``messages`` its share of all that is sent anywhere, and
``elsewhere_MB`` what it sends in other roles; and the round's ``time_s``."""


@dataclass(frozen=True)
class Place:
    """K ``clients`` whose links take ``rate_bps`` each way, and a model of ``parameters``."""

    clients: int
    parameters: int
    rate_bps: float

    @property
    def model_bits(self) -> float:
        """b."""
        return 32.0 * self.parameters

    @property
    def model_MB(self) -> float:
        """b in MB."""
        return self.model_bits / MB_BITS


def both_ends(amounts: Amounts) -> Amounts:
    """With a total that counts what is received as well as what is sent."""
    return {**amounts, "total_MB": amounts["upload_MB"] + amounts["download_MB"]}


def simulate(
    place: Place, config: dict[str, Any], half_duplex: bool = False, rounds: int = 1
) -> Amounts | None:
    """A round of the protocol that ``config`` describes, or the mean of several.

    None where there is no such protocol.
    """
    kinds = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
    if config["kind"] not in kinds:
        return None
    return _simulate(place, json.dumps(config), half_duplex, rounds)


@cache
def _simulate(place: Place, config: str, half_duplex: bool, rounds: int) -> Amounts:
    rate = f"{place.rate_bps:.0f} bit/s"
    network: dict[str, Any] = {"nodes": place.clients, "uplink": rate}
    network |= {"half_duplex": True} if half_duplex else {"downlink": rate}
    scenario = Scenario.model_validate(
        {
            "name": "papers",
            "rounds": 1,
            "volume": {"parameters": place.parameters},
            "network": network,
            "runs": [json.loads(config)],
        }
    )
    setting = Setting(scenario.runs[0], scenario.network, place.parameters, rounds=rounds)
    return _measured(time_round(setting, "phase", "max_min"))


def _measured(timed: Timed) -> Amounts:
    clients, share = timed.topology.clients, timed.topology.clients * timed.rounds
    whole, hosts = traffic(timed.transfers), host_traffic(timed.transfers)
    role = whole.by_role.get("client")
    sent_bits = float(np.sum(hosts.upload_bits[:clients]))
    if role is None:
        up_bits, down_bits = sent_bits, float(np.sum(hosts.download_bits[:clients]))
    else:
        up_bits, down_bits = float(role.upload_bits), float(role.download_bits)
    return {
        "upload_MB": up_bits / MB_BITS / share,
        "download_MB": down_bits / MB_BITS / share,
        "total_MB": whole.sent_bits / MB_BITS / share,
        "elsewhere_MB": (sent_bits - up_bits) / MB_BITS / share,
        "messages": len(timed.transfers) / share,
        "time_s": timed.time_s,
    }
