"""``netsim list``: what there is."""

import inspect
import json as jsonlib
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from netsim.protocols.base import Protocol

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


_KEYS = """\
# Keys of a scenario

`netsim list keys` prints this page. The key `sweep` makes a scenario a study.

Where a key has several kinds, its section names one: `partition: {kind: dirichlet, alpha: 0.5}`. A
word alone is short for a section with nothing but its kind: `partition: iid`, `runs: [fedavg]`.

A rate is written in bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s or GB/s, a duration in us, ms,
s, min or h, a size in bit, kbit, Mbit, Gbit, B, kB, MB, GB, KiB, MiB or GiB. Prefixes are powers of
ten but in KiB, MiB and GiB; a byte has 8 bits. Paths of files start at the working directory.
"""


def _lead(protocol: "type[Protocol]") -> str:
    """What the protocol is, and what it says of its rounds."""
    says = inspect.cleandoc(protocol.__doc__ or "").replace("``", "`")
    return f"{protocol.title} ({protocol.paper.cite}).\n\n{says}"


@lists.command()
def keys() -> None:
    """Every key of a scenario, what may stand there and its default, in Markdown."""
    from netsim.protocols import PROTOCOLS
    from netsim.scenario.reference import reference
    from netsim.studies.scenario import Scenario
    from netsim.studies.sweep.config import Sweep

    leads = {each.Config: _lead(each) for each in PROTOCOLS}
    typer.echo(_KEYS)
    typer.echo(reference(Scenario, "A scenario", leads=leads))
    typer.echo(reference(Sweep, "sweep", "sweep."), nl=False)
