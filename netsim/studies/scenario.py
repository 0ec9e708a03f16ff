"""A whole scenario: every layer's section, and what must fit between them."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, Field

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.network.config import NetworkConfig, Problem
from netsim.network.faults.config import Failures, NodesTrace
from netsim.network.faults.processes import read_trace
from netsim.network.transport.links import weight_problems
from netsim.protocols import PROTOCOLS
from netsim.protocols.base import ProtocolConfig
from netsim.protocols.participation import EVERYONE, Participation, is_everyone
from netsim.scenario.config import Config
from netsim.scenario.csv_file import CsvError
from netsim.scenario.document import Check, Document
from netsim.scenario.errors import Problem as LocatedProblem
from netsim.scenario.errors import ScenarioError
from netsim.scenario.kinds import one_of
from netsim.scenario.units import Duration, duration
from netsim.studies.compute import COMPUTES, Compute, NoTime

SWEEP = "sweep"
"""The section that makes a scenario a study."""

M = TypeVar("M", bound=Config)
Run = Annotated[ProtocolConfig, one_of(*(each.Config for each in PROTOCOLS))]


def _no_path(name: str) -> str:
    """``name``, which names a folder of results; raises ValueError if it leads elsewhere."""
    if set(name) & set("/\\\0") or name in (".", ".."):
        raise ValueError("is a name, not a path; the folder of a result is given by --out")
    return name


class Volume(Config):
    """A model that is only a size: times and bytes as if it were there, no accuracy."""

    parameters: int = Field(ge=1)


class Evaluate(Config):
    """Test the models after ``every`` so many rounds, and after the last.

    With ``interval``, in place of ``every``, they are tested after the first round that ends at
    or after each multiple of it, in virtual time.  ``sample``: on so many samples of the test
    set, always the same, not all.  ``models``: where nodes have models of their own, those of
    so many nodes, drawn for the run.
    """

    every: int = Field(default=1, ge=1)
    interval: Annotated[Duration, Field(ge=1e-6)] | None = None
    sample: Annotated[int, Field(ge=1)] | None = None
    models: Annotated[int, Field(ge=1)] | None = None

    def problems(self, nodes: int) -> Iterator[Problem]:
        """What does not go together."""
        if self.models is not None and self.models > nodes:
            yield ("models",), _too_many(self.models, nodes)
        if self.interval is not None and self.every != 1:
            yield ("every",), "models are tested by rounds or by time; write every or interval"


class Scenario(Config):
    """Protocols side by side on one network: a ``task`` to learn, or a ``volume``, one of the two.

    ``participation``: how many clients train in a round, or which share of those that hold
    samples (1 is one client, 1.0 are all); drawn anew each round.  ``barrier``: wait for the
    slowest after every ``phase``, every ``round``, or never (``none``).  ``wire``: take sizes
    as computed, or really ``encode`` and decode every message as well.  ``patience``: virtual
    time without an arrival, and without computing at its end, after which a run whose links
    fail and are repaired for ever counts as a deadlock. ``targets``: accuracies whose virtual
    time is reported.
    """

    name: Annotated[str, Field(min_length=1), AfterValidator(_no_path)]
    seed: int = Field(default=0, ge=0)
    rounds: int = Field(ge=1)
    task: TaskConfig | None = None
    volume: Volume | None = None
    network: NetworkConfig
    compute: Annotated[Compute, one_of(*COMPUTES)] = NoTime()
    failures: Failures = Failures()
    patience: Duration = Field(default=duration("24 h"), gt=0)
    participation: Participation = EVERYONE
    barrier: Literal["phase", "round", "none"] = "round"
    wire: Literal["size", "encode"] = "size"
    evaluate: Evaluate = Evaluate()
    targets: tuple[Annotated[float, Field(gt=0, le=1)], ...] = (0.5, 0.8, 0.9)
    runs: Annotated[tuple[Run, ...], Field(min_length=1)]

    def labels(self) -> list[str]:
        """A different name for each run: as given, or told by what it is and numbered."""
        named = [run.label or run.describe(self.network.nodes) for run in self.runs]
        taken = {run.label for run in self.runs if run.label}
        labels: list[str] = []
        for run, name in zip(self.runs, named, strict=True):
            free = (f"{name} #{number}" for number in count(1))
            if not run.label and named.count(name) > 1:
                name = next(label for label in free if label not in taken)
                taken.add(name)
            labels.append(name)
        return labels


class _Size(Config, extra="ignore"):
    nodes: int = Field(ge=1)


class _Runs(Config, extra="ignore"):
    """The parts of a scenario that its runs must fit."""

    whole: ClassVar[type[Config] | None] = Scenario
    network: _Size
    runs: tuple[Run, ...]


class _Network(Config, extra="ignore"):
    """A scenario's network alone."""

    whole: ClassVar[type[Config] | None] = Scenario
    network: NetworkConfig


def load(path: Path) -> Scenario:
    """Read a scenario; raises `ScenarioError` with all that is wrong with it."""
    return read_single(Document.load(path))


def read_single(document: Document) -> Scenario:
    """As ``load``, from a file that is read."""
    if SWEEP in document.data:
        text = f"a study, not one scenario; write 'netsim sweep {document.name}'"
        document.check([((SWEEP,), text)])
    return read(document)


def read(document: Document) -> Scenario:
    """The scenario in a document; raises `ScenarioError` with all that is wrong with it."""
    try:
        return document.parse(Scenario, problems)
    except ScenarioError as error:
        # What stands between sections is looked for even where another section is wrong.
        found = [*error.problems, *_found(document, _Network, _network_problems)]
        raise ScenarioError([*found, *_found(document, _Runs, _run_problems)]) from None


def _too_many(count: float, nodes: int) -> str:
    return f"{count} of {nodes} nodes; write at most {nodes}"


def _found(document: Document, model: type[M], check: Check[M]) -> list[LocatedProblem]:
    try:
        document.parse(model, check)
    except ScenarioError as error:
        return error.problems
    return []


def problems(scenario: Scenario) -> Iterator[Problem]:
    """What no section can see for itself."""
    if (scenario.task is None) == (scenario.volume is None):
        yield (), "write either task (what is trained) or volume (a size only)"
    yield from _network_problems(scenario)
    for loc, message in scenario.failures.problems():
        yield ("failures", *loc), message
    if scenario.barrier == "none" and scenario.task is not None and scenario.task.schedule.watches:
        yield ("task", "schedule"), "watches rounds that end together; write barrier: round"
    if scenario.barrier == "none" and isinstance(scenario.failures.nodes, NodesTrace):
        yield ("failures", "nodes"), "nodes rejoin at the start of a round; write barrier: round"
    if isinstance(scenario.failures.nodes, NodesTrace):
        try:
            read_trace(scenario.failures.nodes.file, scenario.network.nodes)
        except CsvError as error:
            yield from ((("failures", "nodes", "file"), fault) for fault in error.faults)
    for at, run in enumerate(scenario.runs):
        if scenario.volume is not None and run.needs_values():
            yield ("runs", at), "message sizes depend on values; write task, not volume"
        if not is_everyone(scenario.participation) and run.needs_everyone():
            yield ("runs", at), "needs all clients in every round; leave participation out"
        if scenario.barrier == "none" and run.needs_rounds():
            loc, message = run.rounds_needed()
            yield ("runs", at, *loc), f"{message}; write barrier: round (or phase)"
    for loc, message in scenario.compute.problems(scenario.network):
        yield ("compute", *loc), message
    for loc, message in scenario.evaluate.problems(scenario.network.nodes):
        yield ("evaluate", *loc), message
    if scenario.participation > scenario.network.nodes:
        yield ("participation",), _too_many(scenario.participation, scenario.network.nodes)
    yield from _run_problems(scenario)


def _network_problems(part: Scenario | _Network) -> Iterator[Problem]:
    streams = Streams(part.seed) if isinstance(part, Scenario) else None
    found = list(part.network.problems(streams))
    if streams is not None and not found:
        found = list(weight_problems(part.network, streams))
    for loc, message in found:
        yield ("network", *loc), message


def _run_problems(part: Scenario | _Runs) -> Iterator[Problem]:
    labels = [run.label for run in part.runs if run.label is not None]
    for at, run in enumerate(part.runs):
        for loc, message in run.problems(part.network.nodes):
            yield ("runs", at, *loc), message
        if run.label is not None and labels.count(run.label) > 1:
            yield ("runs", at, "label"), f"two runs are called '{run.label}'"
