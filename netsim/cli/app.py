"""The command line: ``netsim COMMAND …``."""

from typing import Annotated

import typer

from netsim import __version__
from netsim.cli.bench import bench
from netsim.cli.cite import cite
from netsim.cli.data import data
from netsim.cli.diff import diff
from netsim.cli.explain import explain
from netsim.cli.inspect import inspect
from netsim.cli.lists import lists
from netsim.cli.plot import plot
from netsim.cli.query import query
from netsim.cli.report import report
from netsim.cli.run import run
from netsim.cli.sweep import sweep
from netsim.cli.transfers import transfers
from netsim.cli.validate import validate

app = typer.Typer(
    name="netsim",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(run)
app.command()(sweep)
app.command()(plot)
app.command()(query)
app.command()(diff)
app.command()(report)
app.command()(cite)
app.command()(explain)
app.command()(transfers)
app.command()(inspect)
app.command()(validate)
app.add_typer(bench, name="bench")
app.add_typer(lists, name="list")
app.add_typer(data, name="data")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"netsim {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Federated and decentralised learning over a simulated network: accuracy and distribution
    time."""


def main() -> None:
    """Entry point of the ``netsim`` script."""
    app(prog_name="netsim")
