"""What is compared: every protocol on every network, or those of a scenario."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netsim.network.faults.config import Failures
from netsim.protocols import PROTOCOLS
from netsim.protocols.participation import is_everyone
from netsim.studies.scenario import Scenario
from netsim.studies.validate.networks import CLIENTS, NETWORKS
from netsim.studies.validate.rows import Row, row_of
from netsim.studies.validate.timed import Barrier, Setting

PARAMETERS = 10_000
BARRIERS: tuple[Barrier, ...] = ("phase", "round")
VARIANTS: tuple[dict[str, Any], ...] = (
    {
        "kind": "fedavg",
        "label": "fedavg (fsa, A=4)",
        "aggregation": {"kind": "fsa", "aggregators": 4},
    },
    {"kind": "eris", "label": "eris (A=2)", "aggregators": 2},
    {
        "kind": "eris",
        "label": "eris (keep 0.05)",
        "compression": {"kind": "rand_k", "keep": 0.05},
    },
    {
        "kind": "eris",
        "label": "eris (keep 0.05 both ways)",
        "compression": {
            "kind": "rand_k",
            "keep": 0.05,
            "masks": "shared",
            "downlink": "compressed",
        },
    },
    {"kind": "eris", "label": "eris (optimal shards)", "shards": "optimal"},
    {"kind": "shatter", "label": "shatter (own links)", "links": "own"},
)
"""Beside each protocol as it is by default: what changes its formula."""


@dataclass(frozen=True)
class Case:
    """A protocol on a network, both by name."""

    protocol: str
    network: str
    setting: Setting
    barrier: Barrier

    def row(self) -> Row:
        """Run and compare."""
        return row_of(self.protocol, self.network, self.setting, self.barrier)


def default_cases() -> Iterator[Case]:
    """Every protocol × every network × both barriers."""
    kinds = [each.Config.model_fields["kind"].default for each in PROTOCOLS]
    runs = [*({"kind": kind, "label": kind} for kind in kinds), *VARIANTS]
    for name, network in NETWORKS.items():
        scenario = _scenario(runs, network)
        for config, label in zip(scenario.runs, scenario.labels(), strict=True):
            yield from _both(Setting(config, scenario.network, PARAMETERS), label, name)


def _scenario(runs: list[dict[str, Any]], network: dict[str, Any]) -> Scenario:
    return Scenario.model_validate(
        {
            "name": "validate",
            "rounds": 1,
            "volume": {"parameters": PARAMETERS},
            "network": {"nodes": CLIENTS, **network},
            "runs": runs,
        }
    )


def left_out(scenario: Scenario) -> Iterator[str]:
    """What of a scenario the comparison does not play, a line each."""
    if scenario.network.traces:
        yield "network.traces: left out, closed forms are for constant rates"
    if scenario.failures != Failures():
        yield "failures: left out, closed forms are for networks in which nothing fails"
    if not scenario.compute.instant:
        yield "compute: left out, closed forms are for the time of distribution alone"
    if not is_everyone(scenario.participation):
        yield "participation: left out, closed forms are for rounds of all clients"


def scenario_cases(scenario: Scenario, parameters: int) -> Iterator[Case]:
    """Every run of a scenario on its network × both barriers."""
    for config, label in zip(scenario.runs, scenario.labels(), strict=True):
        setting = Setting(config, scenario.network, parameters, scenario.seed)
        yield from _both(setting, label, scenario.name)


def _both(setting: Setting, label: str, network: str) -> Iterator[Case]:
    for barrier in BARRIERS:
        yield Case(label, network, setting, barrier)
