"""``netsim bench``: its table, its JSON, and cases that there are not."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.testing import Result

from netsim.studies.bench.measured import Measured
from netsim.studies.bench.trained import Trained

Netsim = Callable[..., Result]


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows without a measurement."""

    def rows(module: str, names: list[str], row: type[Any]) -> Iterator[Any]:
        for name in names:
            if row is Measured:
                yield Measured(name, 0.5, 2.0, 2**20, "SimGrid", 1.0, 2.0)
            elif name.endswith("1000"):
                yield Trained(name, 4.0, 0.25, 3 * 10**9, "loop")
            else:
                peer = "PyTorch loop, 2 threads"
                yield Trained(name, 0.1, 10.0, 5 * 10**8, "products", peer, 0.25, 2.5, 3e-7)

    monkeypatch.setattr("netsim.studies.bench.processes.measure", rows)


@pytest.mark.usefixtures("measured")
def test_learning_prints_a_line_a_case(netsim: Netsim) -> None:
    """Rounds a second, strategy, memory, and what it is beside the peer's."""
    done = netsim("bench", "learning")
    lines = done.output.splitlines()
    assert (done.exit_code, len(lines)) == (0, 7)
    first = "lenet5_4 10 rounds/s products 500 MB 2.50 × PyTorch loop, 2 threads error 3.0e-07"
    assert " ".join(lines[1].split()) == first
    assert " ".join(lines[-1].split()) == "eris_1000 0.25 rounds/s loop 3.00 GB"


@pytest.mark.usefixtures("measured")
def test_learning_as_json(netsim: Netsim) -> None:
    """One object, with only the cases asked for."""
    done = netsim("bench", "learning", "--json", "--case", "lenet5_16", "--case", "fedavg_1000")
    lenet5, fedavg = json.loads(done.output)["rows"]
    assert (lenet5["case"], lenet5["ratio"], lenet5["error"]) == ("lenet5_16", 2.5, 3e-7)
    assert (fedavg["peak_memory_bytes"], fedavg["peer"]) == (3 * 10**9, None)


@pytest.mark.usefixtures("measured")
def test_network_beside_its_peer(netsim: Netsim) -> None:
    """As before."""
    done = netsim("bench", "network", "--case", "star_100000")
    assert "2 × SimGrid" in " ".join(done.output.split())


@pytest.mark.parametrize("what", ["network", "learning"])
def test_an_unknown_case_is_refused(netsim: Netsim, what: str) -> None:
    """With those there are; nothing is measured."""
    done = netsim("bench", what, "--case", "lenet")
    assert done.exit_code == 2
    assert "unknown case" in done.output
