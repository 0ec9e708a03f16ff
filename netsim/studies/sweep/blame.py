"""Which entry of a sweep made a cell that cannot be run."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from netsim.scenario.document import Document
from netsim.scenario.errors import Problem, ScenarioError, dotted
from netsim.scenario.suggest import quoted
from netsim.studies.sweep.combine import Choice, Setting


class Refusals:
    """The problems of all combinations, each told once: where the sweep stands that caused it,
    or where it is if every combination has it."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._choices: dict[Problem, list[Choice]] = {}

    def add(self, choice: Choice, problems: Iterable[Problem]) -> None:
        """What keeps a combination from being run, if anything."""
        for problem in dict.fromkeys(problems):
            self._choices.setdefault(problem, []).append(choice)

    def check(self, everything: Sequence[Choice]) -> None:
        """Raises `ScenarioError` if there are any; ``everything`` are all combinations."""
        if self._choices:
            raise ScenarioError(
                self._told(problem, choices, everything)
                for problem, choices in self._choices.items()
            )

    def _told(
        self, problem: Problem, choices: Sequence[Choice], everything: Sequence[Choice]
    ) -> Problem:
        if len(choices) == len(everything) or _in_sweep(problem, choices[0]):
            return problem
        cause = _cause(choices, everything)
        line, column = self._document.tree.point(cause.where)
        text = f"{dotted(problem.loc)}: {problem.message}" if problem.loc else problem.message
        message = f"{quoted(cause.value)} makes a scenario that cannot be run: {text}"
        return replace(problem, loc=cause.path, message=message, line=line, column=column)


def _in_sweep(problem: Problem, choice: Choice) -> bool:
    """Whether the problem is with a value that the sweep set."""
    at = tuple(map(str, problem.loc))
    return any(at[: len(setting.path)] == setting.path for setting in choice)


def _cause(choices: Sequence[Choice], everything: Sequence[Choice]) -> Setting:
    """The setting that no combination without the problem has; the first one if all do."""
    for setting in choices[0]:
        if all(not _has(other, setting) or other in choices for other in everything):
            return setting
    return choices[0][0]


def _has(choice: Choice, setting: Setting) -> bool:
    def same(other: Setting) -> Any:
        return other.path == setting.path and other.where == setting.where

    return any(map(same, choice))
