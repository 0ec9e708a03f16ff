"""A whole scenario: every layer's section, and what must fit between them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.network.config import NetworkConfig, Problem
from netsim.network.faults.config import Failures, NodesTrace
from netsim.network.faults.processes import TraceError, read_trace
from netsim.protocols import PROTOCOLS
from netsim.protocols.base import ProtocolConfig
from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.kinds import one_of
from netsim.scenario.units import Duration, duration
from netsim.studies.compute import COMPUTES, Compute, NoTime


class Volume(Config):
    """A model that is only a size: times and bytes as if it were there, no accuracy."""

    parameters: int = Field(ge=1)


class Evaluate(Config):
    """Test the models after ``every`` so many rounds, and after the last."""

    every: int = Field(default=1, ge=1)


class Scenario(Config):
    """Protocols side by side on one task and one network.

    ``barrier``: wait for the slowest after every ``phase``, every ``round``, or never
    (``none``).  ``wire``: take sizes as computed, or really ``encode`` and decode every message
    as well.  ``patience``: virtual time without an arrival after which a run whose links fail
    and are repaired for ever counts as a deadlock.  ``targets``: accuracies whose virtual time
    is reported.
    """

    name: str = Field(min_length=1)
    seed: int = Field(default=0, ge=0)
    rounds: int = Field(ge=1)
    task: TaskConfig | None = None
    volume: Volume | None = None
    network: NetworkConfig
    compute: Annotated[Compute, one_of(*COMPUTES)] = NoTime()
    failures: Failures = Failures()
    patience: Duration = Field(default=duration("24 h"), gt=0)
    barrier: Literal["phase", "round", "none"] = "round"
    wire: Literal["size", "encode"] = "size"
    evaluate: Evaluate = Evaluate()
    targets: tuple[Annotated[float, Field(gt=0, le=1)], ...] = (0.5, 0.8, 0.9)
    runs: tuple[Annotated[ProtocolConfig, one_of(*(each.Config for each in PROTOCOLS))], ...] = (
        Field(min_length=1)
    )

    def labels(self) -> list[str]:
        """A different name for each run: as given, or told by what it is."""
        wished = [run.label or run.describe(self.network.nodes) for run in self.runs]
        return [
            label if wished.count(label) == 1 else f"{label} #{wished[: at + 1].count(label)}"
            for at, label in enumerate(wished)
        ]


def load(path: Path) -> Scenario:
    """Read a scenario; raises `ScenarioError` with all that is wrong with it."""
    return Document.load(path).parse(Scenario, problems)


def problems(scenario: Scenario) -> Iterator[Problem]:
    """What no section can see for itself."""
    if (scenario.task is None) == (scenario.volume is None):
        yield (), "write either task (what is trained) or volume (a size only)"
    for loc, message in scenario.network.problems(Streams(scenario.seed)):
        yield ("network", *loc), message
    for loc, message in scenario.failures.problems():
        yield ("failures", *loc), message
    if scenario.barrier == "none" and isinstance(scenario.failures.nodes, NodesTrace):
        yield ("failures", "nodes"), "nodes rejoin at the start of a round; write barrier: round"
    if isinstance(scenario.failures.nodes, NodesTrace):
        try:
            read_trace(scenario.failures.nodes.file, scenario.network.nodes)
        except TraceError as error:
            yield ("failures", "nodes", "file"), str(error)
    labels = [run.label for run in scenario.runs if run.label is not None]
    for at, run in enumerate(scenario.runs):
        for loc, message in run.problems(scenario.network.nodes):
            yield ("runs", at, *loc), message
        if scenario.barrier == "none" and run.needs_rounds():
            yield ("runs", at), "needs rounds that end together; write barrier: round"
        if run.label is not None and labels.count(run.label) > 1:
            yield ("runs", at, "label"), f"two runs are called '{run.label}'"
