"""The networks on which protocols are validated when no scenario says which."""

from typing import Any

CLIENTS = 10

NETWORKS: dict[str, dict[str, Any]] = {
    "equal": {"uplink": "20 Mbit/s", "downlink": "20 Mbit/s"},
    "asymmetric 1:5": {"uplink": "20 Mbit/s", "downlink": "100 Mbit/s"},
    "three classes": {
        "classes": [
            {"name": "fibre", "share": 0.3, "uplink": "100 Mbit/s", "downlink": "100 Mbit/s"},
            {"name": "cable", "share": 0.5, "uplink": "20 Mbit/s", "downlink": "100 Mbit/s"},
            {"name": "mobile", "share": 0.2, "uplink": "5 Mbit/s", "downlink": "20 Mbit/s"},
        ]
    },
    "all different": {
        "uplink": {"kind": "uniform", "low": "10 Mbit/s", "high": "100 Mbit/s"},
        "downlink": {"kind": "uniform", "low": "10 Mbit/s", "high": "100 Mbit/s"},
    },
    "slow server": {
        "uplink": "20 Mbit/s",
        "downlink": "20 Mbit/s",
        "server": {"uplink": "4 Mbit/s", "downlink": "4 Mbit/s"},
    },
    "one straggler": {
        "uplink": "20 Mbit/s",
        "downlink": "20 Mbit/s",
        "overrides": {CLIENTS - 1: {"uplink": "2 Mbit/s", "downlink": "2 Mbit/s"}},
    },
    "inner bottleneck": {
        "uplink": "20 Mbit/s",
        "downlink": "20 Mbit/s",
        "underlay": {"kind": "star_of_clusters", "clusters": 2, "rate": "8 Mbit/s"},
    },
}
"""The ``network:`` section of each, for ``CLIENTS`` clients: no latency, no failures.

A server is like the median client where nothing is said; in the last network two clusters of
five clients share a trunk each, and the server sits in the first.
"""
