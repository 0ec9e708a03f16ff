"""All that pydantic finds wrong, as problems of the file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from netsim.scenario.config import Config
from netsim.scenario.errors import Loc
from netsim.scenario.shape import KEY, keys, site
from netsim.scenario.suggest import closest
from netsim.scenario.wording import Reading, mismatch, unknown_key, words


@dataclass(frozen=True)
class Fault:
    """What is wrong with the value at ``loc``, or with its key."""

    loc: Loc
    message: str
    at_key: bool = False


def translate(error: ValidationError, model: type[Config], data: Any) -> list[Fault]:
    """The faults of ``data``, validated as ``model``, each once."""
    readings = [_reading(detail, model, data) for detail in error.errors(include_url=False)]
    typos = {_meant(reading) for reading in readings if reading.site.owner}
    readings = [r for r in readings if not _follows(r, typos) and not _miscounts(r)]
    faults = [_fault(reading, model) for reading in readings if reading.site.union is None]
    for union in dict.fromkeys(r.site.union for r in readings if r.site.union is not None):
        faults += _choice([r for r in readings if r.site.union == union], union, model)
    return faults


def _reading(detail: ErrorDetails, model: type[Config], data: Any) -> Reading:
    place = site(model, data, detail["loc"])
    about_key = detail["loc"][-1:] == (KEY,)
    value = place.loc[-1] if about_key else _value(data, place.loc)
    return Reading(place, detail, value, about_key)


def _choice(readings: list[Reading], union: Loc, model: type[Config]) -> Iterable[Fault]:
    """The faults of a value that fits no member of a union: those of the members it is near."""
    near = [r for r in readings if not r.is_mismatch or r.site.loc != union]
    return [_fault(r, model) for r in near] if near else [Fault(union, mismatch(readings))]


def _fault(reading: Reading, model: type[Config]) -> Fault:
    loc, kind = reading.site.loc, reading.error["type"]
    if reading.site.owner:
        return Fault(
            loc, unknown_key(str(loc[-1]), reading.site.owner, model.whole or model), at_key=True
        )
    if kind == "union_tag_not_found":
        typo = closest("kind", reading.value)
        if typo:
            return Fault((*loc, typo), f"unknown key {typo!r}; did you mean 'kind'?", at_key=True)
        return Fault((*loc, "kind"), words(reading), at_key=True)
    if kind == "union_tag_invalid" and isinstance(reading.value, dict):
        return Fault((*loc, "kind"), words(reading))
    if reading.is_about_key:
        return Fault(loc, f"the key {words(reading)}", at_key=True)
    return Fault(loc, words(reading), at_key=kind == "missing")


def _meant(reading: Reading) -> Loc:
    """The key that an unknown one seems to stand for."""
    assert reading.site.owner is not None
    *around, key = reading.site.loc
    return (*around, closest(str(key), keys(reading.site.owner)) or "")


def _follows(reading: Reading, typos: set[Loc]) -> bool:
    """Whether a key is only missing because it is misspelt."""
    return reading.error["type"] == "missing" and reading.site.loc in typos


def _miscounts(reading: Reading) -> bool:
    """Whether a list is only called too short because items that are wrong did not count."""
    if reading.error["type"] != "too_short" or not isinstance(reading.value, list):
        return False
    return bool(len(reading.value) >= reading.error["ctx"]["min_length"])


def _value(data: Any, loc: Loc) -> Any:
    for step in loc:
        if isinstance(data, dict):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int):
            data = data[step] if step < len(data) else None
    return data
