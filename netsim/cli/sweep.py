"""``netsim sweep``."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netsim.cli.errors import FAILED_RUN, INTERRUPTED, refuse
from netsim.cli.options import Checkpoint, DataFolder

if TYPE_CHECKING:
    from netsim.studies.sweep.cell import Cell
    from netsim.studies.sweep.sweep import Ending
    from netsim.studies.sweep.workers import Workers

_FEW = 5


def sweep(
    file: Annotated[Path, typer.Argument(help="A scenario with a sweep: section (YAML).")],
    out: Annotated[
        Path | None, typer.Option(help="Folder of the study; results/NAME by default.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes; one a core by default.")
    ] = None,
    data: DataFolder = None,
    on: Annotated[
        str | None,
        typer.Option(
            metavar="dask|dask://HOST:PORT", help="Run on a Dask cluster: one here, or that one."
        ),
    ] = None,
    checkpoint: Checkpoint = 60.0,
    yes: Annotated[bool, typer.Option("--yes", help="Run a study of very many cells.")] = False,
) -> None:
    """Run a study: its protocols in every combination of the values that are swept.

    What differs in its network alone is trained once and timed on each.  The same command again
    goes on where the last one was stopped, and runs only what is missing.  Exit code 0: all
    complete; 1: a cell failed; 2: the input cannot be used; 130: interrupted.
    """
    from netsim.results.errors import ResultsError
    from netsim.scenario.errors import ScenarioError
    from netsim.studies.sweep.conduct import StudyHalted
    from netsim.studies.sweep.jobs import Settings
    from netsim.studies.sweep.plan import read_study
    from netsim.studies.sweep.sweep import run_study
    from netsim.studies.sweep.workers import WorkersError

    count = jobs or len(os.sched_getaffinity(0))
    try:
        study = read_study(file, many=yes)
        folder = out if out is not None else Path("results") / study.name
        settings = Settings(data and data.resolve(), checkpoint)
        ending = run_study(study, folder, settings, _workers(on, count), count)
    except (ScenarioError, ResultsError, StudyHalted, WorkersError) as error:
        refuse(error)
    _tell(ending, folder)


def _named(cell: "Cell") -> str:
    """Its label and the values that were swept."""
    return ", ".join([cell.label, *(f"{path} = {value}" for path, value in cell.values.items())])


def _workers(on: str | None, count: int) -> "Workers":
    if on is None:
        from netsim.studies.sweep.local import LocalWorkers

        return LocalWorkers(count)
    from netsim.studies.sweep.cluster import ClusterWorkers

    return ClusterWorkers.at(on, count)


def _tell(ending: "Ending", folder: Path) -> None:
    """The last line, what failed and why, and the exit code."""
    counts = ending.counts()
    words = ("trained", "timed", "reused", "failed")
    told = ", ".join(f"{counts[each]} {each}" for each in words if counts.get(each))
    total = len(ending.study.cells)
    cells = f"{total} cell{'s' * (total != 1)}"
    names = {cell.id: f"{cell.id} ({_named(cell)})" for cell in ending.study.cells}
    for reason, failed in ending.failures().items():
        some = ", ".join(names[cell] for cell in failed[:_FEW])
        more = f" and {len(failed) - _FEW} more" if len(failed) > _FEW else ""
        typer.echo(f"{reason}; in cell{'s' * (len(failed) > 1)} {some}{more}", err=True)
    if ending.interrupted:
        typer.echo(f"interrupted with {len(ending.fates)} of {cells} done", err=True)
    typer.echo(f"{cells}: {told}; results in {folder}")
    if ending.interrupted:
        raise typer.Exit(INTERRUPTED)
    if counts.get("failed"):
        raise typer.Exit(FAILED_RUN)
