"""Choosing a way to share links."""

import logging
import sys

import numpy as np
import pytest

from netsim.network.sharing.fifo import Fifo
from netsim.network.sharing.max_min import MaxMin
from netsim.network.sharing.optimal import Optimal
from netsim.network.sharing.policies import POLICIES, fair_sharing
from netsim.network.sharing.python_max_min import PythonMaxMin


def test_policies_by_name() -> None:
    """Each name makes its class."""
    made = {name: type(make(np.array([1.0]))) for name, make in POLICIES.items()}
    assert made == {"max_min": MaxMin, "fifo": Fifo, "optimal": Optimal}


def test_plain_python_where_numba_is_absent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without numba the slow implementation serves, and says so."""
    monkeypatch.setitem(sys.modules, "numba", None)
    with caplog.at_level(logging.WARNING):
        assert isinstance(fair_sharing(np.array([1.0])), PythonMaxMin)
    assert "plain Python" in caplog.text
