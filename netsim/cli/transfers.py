"""``netsim transfers``."""

import json as jsonlib
from pathlib import Path
from typing import Annotated

import typer

from netsim.cli.errors import refuse


def transfers(
    file: Annotated[Path, typer.Argument(help="Links and flows (JSON).")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say when each of a set of bare transfers ends, max-min fair over the links given.

    The file names links with their rates in bit/s, and flows with the links they cross, their
    bits and when they start, in seconds:

    {"links": {"up": 2, "down": 8}, "flows": [{"id": "f", "links": ["up", "down"], "bits": 4,
    "start": 0}], "capacity_changes": [[1.5, "up", 1]]}

    Changes of a link's rate (second, link, bit/s) may be left out, and {"cases": […]} holds
    several.
    """
    from netsim.network.transfers import TransfersError, run_transfers

    try:
        cases = run_transfers(file)
    except TransfersError as error:
        refuse(error)
    if json:
        typer.echo(jsonlib.dumps({"cases": cases}))
        return
    for number, case in enumerate(cases, 1):
        typer.echo(f"case {number}")
        for name, time_s in case["finish_s"].items():
            typer.echo(f"  {name:<12} {'never' if time_s is None else f'{time_s:.9g} s'}")
