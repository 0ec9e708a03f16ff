"""One protocol on one network, written as in a scenario."""

from typing import Any, Final

from netsim.studies.scenario import Scenario
from netsim.studies.validate.timed import Setting

UNEQUAL: Final = {"kind": "uniform", "low": "10 Mbit/s", "high": "100 Mbit/s"}
PARAMETERS: Final = 100_000


def setting(
    run: dict[str, Any], network: dict[str, Any], parameters: int = PARAMETERS, seed: int = 0
) -> Setting:
    """``run`` and ``network`` as in a scenario; ``seed`` draws rates and overlays."""
    scenario = Scenario.model_validate(
        {
            "name": "findings",
            "rounds": 1,
            "volume": {"parameters": parameters},
            "network": network,
            "runs": [run],
        }
    )
    return Setting(scenario.runs[0], scenario.network, parameters, seed)


def equal(clients: int, rate: str = "100 Mbit/s", **more: Any) -> dict[str, Any]:
    """Links of one rate both ways."""
    return {"nodes": clients, "uplink": rate, "downlink": rate, **more}


def unequal(clients: int) -> dict[str, Any]:
    """Links that all differ, from 10 to 100 Mbit/s."""
    return {"nodes": clients, "uplink": UNEQUAL, "downlink": UNEQUAL}
