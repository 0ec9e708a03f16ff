"""From text to YAML nodes, or the place of the fault."""

import yaml
from yaml.composer import ComposerError
from yaml.nodes import Node
from yaml.reader import ReaderError
from yaml.scanner import ScannerError

from netsim.scenario.errors import Problem, ScenarioError
from netsim.scenario.scalars import PLAIN

MAX_DEPTH = 64
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"

_HINTS = {
    "mapping values are not allowed here": (
        "unexpected ': '; check the indentation or put the text in quotes"
    ),
    "found character '\\t' that cannot start any token": "a tab; indent with spaces",
    "expected a single document in the stream": "a second document; a scenario is one",
}


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader without the scalars of YAML 1.1 (``no``, ``12:30:45``, dates)."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (PyYAML's own name for a class attribute)
    _depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        self._depth += 1
        if self._depth > MAX_DEPTH and parent is not None:
            raise ComposerError(None, None, TOO_DEEP, parent.start_mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


for _tag, _form in PLAIN.items():
    _Loader.add_implicit_resolver(_tag, _form, None)


def compose(text: str, name: str) -> Node:
    """The tree of nodes of a text with one document.

    Raises ScenarioError with the place of the first fault of syntax.
    """
    try:
        node = _compose(text)
    except ReaderError as error:
        fault = f"unexpected character {chr(error.character)!r}"
        raise ScenarioError([at_offset(text, error.position, fault, name)]) from None
    except yaml.MarkedYAMLError as error:
        raise ScenarioError([_syntax_problem(error, name)]) from None
    if node is None:
        raise ScenarioError([Problem((), "the file is empty", name)])
    return node


def at_offset(text: str, offset: int, message: str, name: str) -> Problem:
    """A problem at a character of the text."""
    before = text[:offset]
    line = before.count("\n") + 1
    return Problem((), message, name, line, offset - (before.rfind("\n") + 1) + 1)


def _compose(text: str) -> Node | None:
    loader = _Loader(text)
    try:
        return loader.get_single_node()
    except (ValueError, OverflowError):
        fault = "an escape that is no character"
        raise ScannerError(None, None, fault, loader.get_mark()) from None
    finally:
        loader.dispose()


def _syntax_problem(error: yaml.MarkedYAMLError, name: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    assert mark is not None, "PyYAML marks every fault of syntax"
    fault = _HINTS.get(error.context or "") or _HINTS.get(error.problem or "") or error.problem
    message = TOO_DEEP if fault == TOO_DEEP else f"not valid YAML: {fault}"
    return Problem((), message, name, mark.line + 1, mark.column + 1)
