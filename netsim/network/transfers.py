"""Transfers over shared links, from a JSON file: when does each end?

The file holds ``{"cases": [case, …]}`` or a single case::

    {"links": {"up0": 20000000},
     "flows": [{"id": "f0", "links": ["up0"], "bits": 8000, "start": 0}],
     "capacity_changes": [[1.5, "up0", 5000000]]}

with bit/s, bits and seconds.  ``finish_s`` of a case (a known answer) and ``units`` of the file
are allowed and not looked at.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from netsim.network.sharing.base import Float64, Sharing
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.policies import fair_sharing

MOST_BITS = 2**53
"""Counts of bits up to this are exact in a float."""


class TransfersError(ValueError):
    """The file of transfers is wrong; says where and what, one line a problem."""


class FinishTimes(TypedDict):
    """When each transfer ends, by id, in seconds; None if it never does."""

    finish_s: dict[str, float | None]


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Bits = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=MOST_BITS)]
Seconds = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
BitsPerSecond = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
LinkName = str


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Flow(_Strict):
    """One transfer: ``bits`` over all of ``links`` at once, from ``start`` on."""

    id: str
    links: list[LinkName] = Field(min_length=1)
    bits: Bits
    start: Seconds


class TransferCase(_Strict):
    """Links with their capacities, flows, and changes of capacity (time, link, capacity)."""

    links: dict[LinkName, BitsPerSecond]
    flows: list[Flow]
    capacity_changes: list[tuple[Seconds, LinkName, BitsPerSecond]] = []
    finish_s: dict[str, float | None] | None = None


class TransferFile(_Strict):
    """All cases of a file."""

    cases: list[TransferCase]
    units: dict[str, str] | None = None


def run_transfers(path: Path) -> list[FinishTimes]:
    """The finish times of every case in the file at ``path``; raises ``TransfersError``."""
    return [{"finish_s": finish_times(case)} for case in load_cases(path)]


def finish_times(
    case: TransferCase, sharing_factory: Callable[[Float64], Sharing] = fair_sharing
) -> dict[str, float | None]:
    """When each transfer of ``case`` ends, seconds; None if it never does.

    A transfer of no bits ends when it starts.  Changes of one link at one time apply in the
    order of the list.
    """
    finish = {flow.id: flow.start for flow in case.flows}
    moving = [flow for flow in case.flows if flow.bits > 0]
    arrays = _arrays(case, moving)
    finish.update(
        zip(
            (flow.id for flow in moving),
            play(arrays, sharing_factory(arrays.capacity_bps)).tolist(),
            strict=True,
        )
    )
    return {name: time if time < np.inf else None for name, time in finish.items()}


def load_cases(path: Path) -> list[TransferCase]:
    """Read and check a file of transfers; raises ``TransfersError`` with all problems."""
    try:
        document = json.loads(path.read_text("utf-8"), object_pairs_hook=_no_duplicates)
    except OSError as error:
        raise TransfersError(f"{path}: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise TransfersError(f"{path}:{error.lineno}:{error.colno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise TransfersError(f"{path}: {error}") from error
    try:
        return parse_cases(document)
    except TransfersError as error:
        lines = (f"{path}: {line}" for line in str(error).splitlines())
        raise TransfersError("\n".join(lines)) from error


def parse_cases(document: object) -> list[TransferCase]:
    """Check a document read from JSON; raises ``TransfersError`` with all problems."""
    if isinstance(document, dict) and "cases" not in document and "links" in document:
        document = {"cases": [document]}
    try:
        cases = TransferFile.model_validate(document).cases
    except ValidationError as error:
        problems = [f"{_where(document, item['loc'])}: {item['msg']}" for item in error.errors()]
        raise TransfersError("\n".join(problems)) from error
    problems = [p for i, case in enumerate(cases) for p in _problems(f"cases[{i}]", case)]
    if problems:
        raise TransfersError("\n".join(problems))
    return cases


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"the key {key!r} stands twice in one object")
        values[key] = value
    return values


def _where(document: object, location: tuple[int | str, ...]) -> str:
    """``cases[0].flows[2] 'f2'.bits`` for the location of an error."""
    text = ""
    at: Any = document
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
        try:
            at = at[step]
        except (KeyError, IndexError, TypeError):
            at = None
        if isinstance(at, dict) and isinstance(at.get("id"), str):
            text += f" {at['id']!r}"
    return text.lstrip(".") or "the document"


def _problems(where: str, case: TransferCase) -> list[str]:
    """What is wrong between the parts of a case."""
    problems = []
    seen: set[str] = set()
    for i, flow in enumerate(case.flows):
        at = f"{where}.flows[{i}] {flow.id!r}"
        if flow.id in seen:
            problems.append(f"{at}: another flow has this id")
        seen.add(flow.id)
        for j, link in enumerate(flow.links):
            if link not in case.links:
                problems.append(f"{at}: unknown link {link!r}")
            elif link in flow.links[:j]:
                problems.append(f"{at}: crosses link {link!r} twice")
    for i, (_, link, _) in enumerate(case.capacity_changes):
        if link not in case.links:
            problems.append(f"{where}.capacity_changes[{i}]: unknown link {link!r}")
    return problems


def _arrays(case: TransferCase, flows: list[Flow]) -> Case:
    number = {link: i for i, link in enumerate(case.links)}
    changes = case.capacity_changes
    return Case(
        capacity_bps=np.array(list(case.links.values()), np.float64),
        bits=np.array([flow.bits for flow in flows], np.int64),
        route_ptr=np.cumsum([0, *(len(flow.links) for flow in flows)], dtype=np.int64),
        route_links=np.array([number[link] for flow in flows for link in flow.links], np.int64),
        start_s=np.array([flow.start for flow in flows], np.float64),
        change_s=np.array([time for time, _, _ in changes], np.float64),
        change_link=np.array([number[link] for _, link, _ in changes], np.int64),
        change_bps=np.array([rate for _, _, rate in changes], np.float64),
    )
