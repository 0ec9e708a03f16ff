"""What is wrong with a scenario, and where."""

from collections.abc import Iterable
from dataclasses import dataclass

Loc = tuple[str | int, ...]
"""The way from the root to a value: keys and positions in lists."""

Finding = tuple[Loc, str]
"""A problem before it has a line: where, and what is wrong."""


@dataclass(frozen=True)
class Problem:
    """One fault of a scenario file.

    ``line`` and ``column`` count from 1; both are None when the file as a whole is at fault.
    ``loc`` is empty when the fault concerns no value, as in a syntax error.
    """

    loc: Loc
    message: str
    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}:{self.column}"
        value = f"{dotted(self.loc)}: " if self.loc else ""
        return " ".join(f"{place}: {value}{self.message}".split())


class ScenarioError(Exception):
    """A scenario that cannot be used; ``problems`` holds every fault, in the file's order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        unique = {str(problem): problem for problem in problems}
        self.problems = sorted(unique.values(), key=lambda p: (p.line or 0, p.column or 0))
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


def dotted(loc: Loc) -> str:
    """A place as text.

    >>> dotted(("runs", 1, "aggregators"))
    'runs[1].aggregators'
    """
    text = ""
    for step in loc:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.isprintable() and not set(step) & set(" .[]:"):
            text += f".{step}" if text else step
        else:
            text += f"[{step!r}]"
    return text
