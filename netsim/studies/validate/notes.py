"""A table whose reasons stand below it, each once and numbered."""

import io
from typing import Literal, final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 200
"""Columns where the output is no terminal."""


@final
class NotedTable:
    """Rows of cells; the ``right`` columns are numbers.  A row's reason becomes a note."""

    def __init__(self, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        self._table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in left:
            self._table.add_column(name, overflow="fold")
        for name in right:
            self._table.add_column(name, justify="right", no_wrap=True)
        self._table.add_column("verdict", overflow="fold")
        self._notes: dict[str, int] = {}

    def add(self, cells: list[str], verdict: Text, reason: str | None, last: bool) -> None:
        """One row; ``last`` of its section."""
        if reason is not None:
            number = self._notes.setdefault(reason, len(self._notes) + 1)
            verdict = verdict.copy().append(f" [{number}]", style="default")
        self._table.add_row(*map(Text, cells), verdict, end_section=last)

    def text(self, width: int, coloured: bool) -> str:
        """Table and notes, without spaces at the end of lines."""
        colours: Literal["standard"] | None = "standard" if coloured else None
        console = Console(
            file=io.StringIO(), width=width, force_terminal=coloured, color_system=colours
        )
        notes = Table.grid(padding=(0, 1))
        notes.add_column(justify="right")
        notes.add_column(overflow="fold")
        for reason, number in self._notes.items():
            notes.add_row(f"[{number}]", Text(reason))
        with console.capture() as captured:
            console.print(self._table)
            console.print(notes)
        return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())
