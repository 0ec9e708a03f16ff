"""From YAML nodes to plain data: aliases written out, merge keys merged, nothing unbounded."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from netsim.scenario.errors import Loc, Problem, ScenarioError
from netsim.scenario.loader import MAX_DEPTH, TOO_DEEP
from netsim.scenario.scalars import MAP, MERGE, SEQ, scalar, shown
from netsim.scenario.tree import Place, Point, Tree

MAX_CHARACTERS = 4_000_000
_CHARACTERS_PER_NODE = 40

_Pairs = dict[str, tuple[Node, Node]]


def build(root: Node, name: str) -> Tree:
    """The data below ``root``; ``name`` is that of the file.

    Raises ScenarioError if the root is no mapping or the data is too deep or too large.
    """
    builder = _Builder(name)
    if not isinstance(root, MappingNode):
        raise builder.fatal(root, "a scenario is a mapping of keys to values")
    data = builder.value(root, (), None)
    return Tree(data, builder.places, tuple(builder.faults))


class _Builder:
    """Visits nodes as often as aliases name them, within bounds of depth and length."""

    def __init__(self, name: str) -> None:
        self.places: dict[Loc, Place] = {}
        self.faults: list[Problem] = []
        self._name = name
        self._characters = 0
        self._open: list[Node] = []

    def value(self, node: Node, loc: Loc, key: Point | None) -> Any:
        self.places[loc] = Place(key, _point(node))
        with self._inside(node):
            if isinstance(node, MappingNode):
                pairs = self._pairs(node, loc)
                return {k: self.value(v, (*loc, k), _point(at)) for k, (at, v) in pairs.items()}
            if isinstance(node, SequenceNode):
                self._tagged(node, loc, SEQ)
                return [self.value(item, (*loc, i), None) for i, item in enumerate(node.value)]
            return self._scalar(node, loc)

    def fatal(self, node: Node, message: str) -> ScenarioError:
        return ScenarioError([self._problem(node, (), message)])

    @contextmanager
    def _inside(self, node: Node) -> Iterator[None]:
        """Charges for a node and for the depth it is visited at."""
        length = len(node.value) if isinstance(node, ScalarNode) else 0
        self._characters += _CHARACTERS_PER_NODE + length
        if self._characters > MAX_CHARACTERS:
            raise self.fatal(node, "too long with its aliases written out")
        if any(node is around for around in self._open):
            raise self.fatal(node, "an anchor that contains itself")
        if len(self._open) >= MAX_DEPTH:
            raise self.fatal(node, TOO_DEEP)
        self._open.append(node)
        yield
        self._open.pop()

    def _pairs(self, node: MappingNode, loc: Loc) -> _Pairs:
        """Key and value nodes by name; merged ones come last and never replace."""
        self._tagged(node, loc, MAP)
        own: _Pairs = {}
        merged: list[_Pairs] = []
        for key, value in node.value:
            name = self._key(key, loc)
            if name in own:
                line, column = _point(own[name][0])
                first = f"first at line {line}, column {column}"
                self._fault(key, (*loc, name), f"duplicate key {name!r}; {first}")
            else:
                own[name] = (key, value)
        for key, value in own.values():
            if key.tag == MERGE:
                merged += self._merged(value, loc)
        pairs = {name: pair for name, pair in own.items() if pair[0].tag != MERGE}
        for more in merged:
            pairs |= {name: pair for name, pair in more.items() if name not in pairs}
        return pairs

    def _merged(self, value: Node, loc: Loc) -> list[_Pairs]:
        """What a ``<<`` brings in, the strongest first."""
        sources = value.value if isinstance(value, SequenceNode) else [value]
        found = []
        for source in sources:
            with self._inside(source):
                if isinstance(source, MappingNode):
                    found.append(self._pairs(source, loc))
                else:
                    self._fault(source, loc, "'<<' merges a mapping or a list of mappings")
        return found

    def _key(self, node: Node, loc: Loc) -> str:
        """A key as it is written: ``1`` and ``no`` are texts here."""
        if not isinstance(node, ScalarNode):
            raise self.fatal(node, "a key is plain text, not a list or a mapping")
        with self._inside(node):
            self._scalar(node, loc)
        return str(node.value)

    def _scalar(self, node: Node, loc: Loc) -> Any:
        try:
            return scalar(node.tag, node.value)
        except ValueError as error:
            self._fault(node, loc, str(error))
            return None

    def _tagged(self, node: Node, loc: Loc, expected: str) -> None:
        if node.tag != expected:
            self._fault(node, loc, f"unknown tag {shown(node.tag)}")

    def _fault(self, node: Node, loc: Loc, message: str) -> None:
        self.faults.append(self._problem(node, loc, message))

    def _problem(self, node: Node, loc: Loc, message: str) -> Problem:
        return Problem(loc, message, self._name, *_point(node))


def _point(node: Node) -> Point:
    return node.start_mark.line + 1, node.start_mark.column + 1
