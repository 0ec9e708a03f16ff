"""A scenario file: its data, and errors that say where in the file they are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import ValidationError

from netsim.scenario.builder import MAX_CHARACTERS, build
from netsim.scenario.config import Config
from netsim.scenario.errors import Finding, Problem, ScenarioError
from netsim.scenario.loader import at_offset, compose
from netsim.scenario.salvage import salvage
from netsim.scenario.translate import Fault, translate
from netsim.scenario.tree import Tree

M = TypeVar("M", bound=Config)

Check = Callable[[M], Iterable[Finding]]
"""Looks for what no single section can see and yields (place, message) pairs."""


@dataclass(frozen=True)
class Document:
    """A YAML file read into plain data: mappings with text keys, lists and scalars."""

    name: str
    tree: Tree

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a file; messages call it as ``path`` does.

        Raises ScenarioError if it cannot be read as one YAML mapping in UTF-8.
        """
        return cls.of(_text(Path(path), str(path)), str(path))

    @classmethod
    def of(cls, text: str, name: str) -> Self:
        """As ``load``, from a text that messages call ``name``."""
        return cls(name, build(compose(text, name), name))

    @property
    def data(self) -> dict[str, Any]:
        """The plain data, before any defaults."""
        return self.tree.data

    def parse(self, model: type[M], *checks: Check[M]) -> M:
        """The data as a model that all ``checks`` agree with.

        Raises ScenarioError with every problem. Checks also run beside errors that lie in items
        of lists (one of several runs, say): on the other items.
        """
        try:
            parsed = model.model_validate(self.data)
        except ValidationError as error:
            faults = translate(error, model, self.data)
            problems = [self._problem(fault) for fault in faults]
            problems += self._located(self._salvaged(model, checks, faults))
        else:
            problems = self._located(_findings(parsed, checks))
            if not problems and not self.tree.faults:
                return parsed
        raise ScenarioError(self._with_structure(problems))

    def check(self, findings: Iterable[Finding]) -> None:
        """Raises ScenarioError if there are any findings, each at its place in the file."""
        problems = self._located(findings)
        if problems:
            raise ScenarioError(problems)

    def _salvaged(
        self, model: type[M], checks: tuple[Check[M], ...], faults: list[Fault]
    ) -> Iterable[Finding]:
        """What the checks find in the items of lists that are not at fault themselves."""
        rest = salvage(self.data, [fault.loc for fault in faults])
        if rest is None:
            return
        try:
            parsed = model.model_validate(rest.data)
        except ValidationError:
            return
        for loc, message in _findings(parsed, checks):
            original = rest.original(loc)
            if original is not None:
                yield original, message

    def _located(self, findings: Iterable[Finding]) -> list[Problem]:
        return [self._problem(Fault(loc, message)) for loc, message in findings]

    def _problem(self, fault: Fault) -> Problem:
        point = self.tree.point(fault.loc, at_key=fault.at_key)
        return Problem(fault.loc, fault.message, self.name, *point)

    def _with_structure(self, problems: list[Problem]) -> list[Problem]:
        """Adds the faults of the YAML itself and drops what else is wrong at the same place."""
        faulty = {(fault.line, fault.column) for fault in self.tree.faults}
        return [*self.tree.faults, *(p for p in problems if (p.line, p.column) not in faulty)]


def _findings(parsed: M, checks: Iterable[Check[M]]) -> Iterable[Finding]:
    return [finding for check in checks for finding in check(parsed)]


def _text(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_CHARACTERS + 1)
    except OSError as error:
        raise ScenarioError([Problem((), _reason(error), name)]) from None
    if len(content) > MAX_CHARACTERS:
        raise ScenarioError([Problem((), f"more than {MAX_CHARACTERS} bytes long", name)])
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        fault = f"not UTF-8 text (byte 0x{content[error.start]:02x})"
        raise ScenarioError([at_offset(before, len(before), fault, name)]) from None


def _reason(error: OSError) -> str:
    known: dict[type[OSError], str] = {
        FileNotFoundError: "no such file",
        IsADirectoryError: "a directory, not a file",
        PermissionError: "no permission to read it",
    }
    return known.get(type(error)) or f"cannot be read: {error.strerror}"
