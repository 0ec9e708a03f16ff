"""``netsim plot``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from netsim.cli.errors import refuse

if TYPE_CHECKING:
    from netsim.studies.survey.survey import Finding


def plot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a study.")],
    x: Annotated[
        str | None, typer.Option(help="A swept field; the first swept rate by default.")
    ] = None,
    y: Annotated[
        list[str] | None,
        typer.Option(help="A figure, such as distribution_time; the usual ones by default."),
    ] = None,
    by: Annotated[
        str, typer.Option(help="What lines are named by: label, protocol or a swept field.")
    ] = "label",
    where: Annotated[
        str | None, typer.Option(metavar="SQL", help="Only the cells for which this holds.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the figures; DIR/plots by default.")
    ] = None,
) -> None:
    """Draw a study's figures, and say who is best where and how strongly x matters.

    Lines are medians over seeds and bands their range.  An elasticity of -1 means that the
    figure halves where x doubles.
    """
    from netsim.results import plot_style
    from netsim.results.errors import ResultsError
    from netsim.studies.survey.defaults import default_x, default_ys
    from netsim.studies.survey.fronts import fronts
    from netsim.studies.survey.survey import save, survey
    from netsim.studies.survey.table import read_table

    target = out if out is not None else folder / "plots"
    try:
        table = read_table(folder, where)
        chosen = x or default_x(table)
        with plot_style.style():
            figures, findings = survey(table, chosen, y or default_ys(table), by)
            if not y:
                figures |= fronts(table, chosen)
            save(figures, target)
    except ResultsError as error:
        refuse(error)
    _tell(findings)
    for name in figures:
        typer.echo(target / f"{name}.png")


def _tell(findings: "Sequence[Finding]") -> None:
    for found in findings:
        where = f", {found.setting}" if found.setting else ""
        typer.echo(f"{found.y} against {found.x}{where}")
        for line in found.crossings:
            typer.echo(f"  {line}")
        if found.elasticities:
            width = max(len(name) for name, *_ in found.elasticities)
            typer.echo(f"  {'elasticity':<{width}}  {'low':>6} {'high':>6} {'all':>6}")
            for name, *slopes in found.elasticities:
                typer.echo(f"  {name:<{width}}  {' '.join(f'{each:>6}' for each in slopes)}")
        typer.echo("")
