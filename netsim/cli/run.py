"""``netsim run``."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netsim.cli.errors import DEADLOCK, FAILED_RUN, refuse, refuse_task
from netsim.cli.options import Checkpoint, DataFolder

if TYPE_CHECKING:
    from netsim.scenario.document import Document
    from netsim.studies.scenario import Scenario


def run(
    file: Annotated[Path, typer.Argument(help="A scenario (YAML).")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results; results/NAME by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Use this seed, not the scenario's.")
    ] = None,
    data: DataFolder = None,
    checkpoint: Checkpoint = 60.0,
) -> None:
    """Run a scenario: its protocols side by side, results to a folder.

    The same command again goes on where one that was killed had got to.

    Exit code 0: all complete; 1: a run failed; 2: the input cannot be used; 3: a run ended in a
    deadlock, and the report says who waits for what.
    """
    from netsim.results.errors import ResultsError
    from netsim.scenario.document import Document
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.scenario import read_single

    try:
        document = Document.load(file)
        scenario = read_single(document)
        if seed is not None:
            scenario = scenario.model_copy(update={"seed": seed})
        folder = out if out is not None else Path("results") / scenario.name
        _run(document, scenario, folder, data, checkpoint)
    except (ScenarioError, ResultsError) as error:
        refuse(error)


def _run(
    document: "Document",
    scenario: "Scenario",
    out: Path,
    data: Path | None,
    checkpoint_s: float,
) -> None:
    from netsim.learning.errors import LearningError
    from netsim.results.progress import run_progress
    from netsim.results.terminal import show_runs
    from netsim.studies.resume import run_resumably

    try:
        with run_progress() as progress:
            outcomes = run_resumably(scenario, out, data, progress, checkpoint_s)
    except LearningError as error:
        refuse_task(document, error)
    show_runs([outcome.result for outcome in outcomes], sys.stdout)
    typer.echo(f"results in {out}")
    for outcome in outcomes:
        if outcome.deadlock is not None:
            typer.echo(f"{outcome.result.label}: {outcome.deadlock}", err=True)
        elif outcome.result.failure is not None:
            typer.echo(f"{outcome.result.label}: {outcome.result.failure}", err=True)
    if any(outcome.deadlock is not None for outcome in outcomes):
        raise typer.Exit(DEADLOCK)
    if any(outcome.result.failure is not None for outcome in outcomes):
        raise typer.Exit(FAILED_RUN)
