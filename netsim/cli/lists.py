"""``netsim list``: what there is."""

import json as jsonlib
from typing import Annotated

import typer

lists = typer.Typer(help="List what there is.", no_args_is_help=True)


@lists.callback()
def _group() -> None:
    """List what there is."""


@lists.command()
def protocols(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The protocols a scenario can run, each with its paper."""
    from netsim.protocols import PROTOCOLS

    rows = [
        {
            "kind": each.Config.model_fields["kind"].default,
            "title": each.title,
            "paper": each.paper.cite,
        }
        for each in PROTOCOLS
    ]
    if json:
        typer.echo(jsonlib.dumps(rows, ensure_ascii=False))
        return
    width = max(len(row["kind"]) for row in rows)
    for row in rows:
        typer.echo(f"{row['kind']:<{width}} {row['title']}  ({row['paper']})")
