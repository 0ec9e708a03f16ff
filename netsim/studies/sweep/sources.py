"""The files that a module of the current folder is made of."""

import ast
from collections.abc import Iterator
from pathlib import Path

Name = tuple[str, ...]
"""A module's dotted name, in parts."""


def sources(module: str) -> list[Path]:
    """The module's file and those of all that it imports from the current folder, sorted.

    Packages' ``__init__`` are among them, and what functions import, but not what is imported by
    a name that is computed.  Empty for a module that is installed.
    """
    found: dict[Path, None] = {}
    left = [*_with_parents(tuple(module.split(".")))]
    while left:
        name = left.pop()
        path = _file(name)
        if path is not None and path not in found:
            found[path] = None
            package = name if path.stem == "__init__" else name[:-1]
            left += [each for one in _imported(path, package) for each in _with_parents(one)]
    return sorted(found)


def _file(name: Name) -> Path | None:
    place = Path(*name)
    candidates = place / "__init__.py", place.with_suffix(".py")
    return next((path for path in candidates if path.is_file()), None)


def _with_parents(name: Name) -> Iterator[Name]:
    """The module and the packages it is in, which are imported with it."""
    return (name[:end] for end in range(1, len(name) + 1))


def _imported(path: Path, package: Name) -> Iterator[Name]:
    """What may be a module of all that the file imports; nothing from one that cannot be read,
    which its run will tell of."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: max(0, len(package) - node.level + 1)] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            yield base
            yield from ((*base, alias.name) for alias in node.names)
