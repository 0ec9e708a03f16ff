"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

DataFolder = Annotated[
    Path | None,
    typer.Option(exists=True, file_okay=False, help="Folder that holds the datasets' files."),
]
Checkpoint = Annotated[
    float,
    typer.Option(metavar="SECONDS", min=0, help="How often a training is saved; 0 is each round."),
]
