"""What differs between two results, to the bit."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from netsim.results.errors import ResultsError, check_folder
from netsim.results.first_difference import Table, first_difference
from netsim.results.folder import is_result

_MISSING: Final = "missing"


@dataclass(frozen=True)
class Difference:
    """``where`` two results differ, and what each of them has there."""

    where: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{self.where}: {self.one} | {self.other}"


_ROUNDS = Table("rounds", keys=("round",), named=("round",))
_TRANSFERS = Table(
    "transfers",
    keys=("round", "kind", "sender", "receiver", "sequence"),
    named=("round", "kind", "sender", "receiver"),
)


def compare(one: Path, other: Path) -> list[Difference]:
    """Settings, versions and runs that differ; of a run what its files say and where it begins.

    Wall times and machines are left aside.  Empty for results that are the same to the bit.
    Raises ``ResultsError`` for a folder that is no result.
    """
    return [
        *_settings(one, other),
        *_values("versions", _versions(one), _versions(other)),
        *_runs(one, other),
    ]


def _settings(one: Path, other: Path) -> Iterator[Difference]:
    """Fields of the resolved scenarios."""
    yield from _values("", _flat(_resolved(one)), _flat(_resolved(other)))


def _resolved(folder: Path) -> Any:
    import yaml

    return yaml.safe_load(_text(folder, "scenario.resolved.yaml"))


def _versions(folder: Path) -> Mapping[str, Any]:
    return dict(json.loads(_text(folder, "manifest.json"))["versions"])


def _text(folder: Path, name: str) -> str:
    check_folder(folder)
    if not is_result(folder):
        raise ResultsError(f"{folder} is no netsim result")
    try:
        return (folder / name).read_text("utf-8")
    except OSError as error:
        raise ResultsError(f"{folder / name} cannot be read: {error.strerror}") from error


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    """A nested value by dotted paths."""
    if isinstance(value, dict):
        items = [(str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list):
        items = [(str(at), inner) for at, inner in enumerate(value)]
    else:
        return {path: value}
    if not items:
        return {path: value}
    flat: dict[str, Any] = {}
    for key, inner in items:
        flat |= _flat(inner, f"{path}.{key}" if path else key)
    return flat


def _values(what: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Difference]:
    for key in dict.fromkeys((*one, *other)):
        mine, theirs = one.get(key, _MISSING), other.get(key, _MISSING)
        if mine != theirs:
            yield Difference(f"{what} {key}".lstrip(), str(mine), str(theirs))


def _runs(one: Path, other: Path) -> Iterator[Difference]:
    mine, theirs = _by_label(one), _by_label(other)
    for label in dict.fromkeys((*mine, *theirs)):
        if label not in mine or label not in theirs:
            has = [("there" if label in runs else _MISSING) for runs in (mine, theirs)]
            yield Difference(f"run '{label}'", *has)
            continue
        where = f"run '{label}'"
        yield from _values(where, _figures(mine[label]), _figures(theirs[label]))
        for table in (_ROUNDS, _TRANSFERS):
            found = first_difference(table, label, one, other)
            if found is not None:
                yield Difference(f"{where} {found.where}", found.one, found.other)


def _by_label(folder: Path) -> dict[str, Mapping[str, Any]]:
    try:
        runs = json.loads(_text(folder, "summary.json"))["runs"]
        return {run["label"]: run for run in runs}
    except (ValueError, LookupError, TypeError) as error:
        raise ResultsError(f"{folder / 'summary.json'} cannot be read: {error!r}") from error


def _figures(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a run came to; its settings are compared with the scenarios."""
    return _flat({name: value for name, value in run.items() if name not in ("label", "params")})
