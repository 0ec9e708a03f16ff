"""Clients that stay away from rounds are ahead of the others where there are no barriers."""

import numpy as np
import pytest

from netsim.protocols import PROTOCOLS
from netsim.protocols.central import CentralConfig

CHURN = {"nodes": {"kind": "per_round", "rate": 0.4, "correlation": 0.2}}
FSA = {"kind": "fsa", "aggregators": 3}
CONFIGS = [protocol.Config for protocol in PROTOCOLS]
RUNS = [{"kind": config.model_fields["kind"].default} for config in CONFIGS]
RUNS += [
    run | {"aggregation": FSA}
    for config, run in zip(CONFIGS, RUNS, strict=True)
    if issubclass(config, CentralConfig)
]
SHARED = {"kind": "rand_k", "keep": 0.3, "masks": "shared"}
RUNS += [
    {"kind": "eris", "aggregators": 3, "compression": {"kind": "rand_k", "keep": 0.3}},
    {"kind": "eris", "aggregators": 3, "compression": SHARED | {"downlink": "compressed"}},
    {"kind": "shatter", "links": "own"},
]


@pytest.mark.parametrize("run", RUNS, ids=str)
@pytest.mark.parametrize("barrier", ["round", "none"])
def test_every_protocol_plays_on(play, toy, run, barrier):
    """Through many rounds with half of the clients away, and every model stays finite."""
    played = play(run, toy(6, 120), rounds=8, failures=CHURN, barrier=barrier)
    assert len(played.player.rounds) == 8
    assert all(np.isfinite(model).all() for models in played.models for model in models)
