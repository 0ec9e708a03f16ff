"""Settings of a protocol on a small network, written in words a second (32 bit/s)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from netsim.studies.scenario import Scenario, problems
from netsim.studies.validate.timed import Setting

Make = Callable[..., Setting]


def words(rates: Sequence[float]) -> list[str]:
    """Rates in words of 32 bit a second."""
    return [f"{32 * rate:.6f} bit/s" for rate in rates]


@pytest.fixture(scope="session")
def make() -> Make:
    """A protocol (kind and fields) between clients with these uplinks and downlinks."""

    def go(
        uplinks: Sequence[float],
        downlinks: Sequence[float],
        parameters: int,
        network: dict[str, Any] | None = None,
        **run: Any,
    ) -> Setting:
        scenario = Scenario.model_validate(
            {
                "name": "validate",
                "rounds": 1,
                "volume": {"parameters": parameters},
                "network": {
                    "nodes": len(uplinks),
                    "uplink": words(uplinks),
                    "downlink": words(downlinks),
                    **(network or {}),
                },
                "runs": [run],
            }
        )
        assert not [each for each in problems(scenario) if "values" not in each[1]]
        return Setting(scenario.runs[0], scenario.network, parameters)

    return go
