"""Options that several commands have."""

from typing import Annotated

import typer

Checkpoint = Annotated[
    float,
    typer.Option(metavar="SECONDS", min=0, help="How often a training is saved; 0 is each round."),
]
