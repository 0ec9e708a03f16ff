"""Pydantic's errors in plain words."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, cast, get_args, get_origin

from pydantic import PlainSerializer
from pydantic_core import ErrorDetails

from netsim.scenario.shape import Site, keys, kinds, members, metadata
from netsim.scenario.suggest import hint, quoted, unknown

_WANTED = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "float_parsing": "a number",
    "float_type": "a number",
    "frozen_set_type": "a list",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "a mapping",
    "none_required": "empty",
    "path_type": "a path",
    "set_type": "a list",
    "string_type": "text",
    "tuple_type": "a list",
}
_CHOICES = frozenset({"enum", "literal_error", "model_attributes_type", "union_tag_invalid"})

BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}
"""By pydantic's name of the error: the attribute that has the limit, and what is said of it."""
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,10})?)\s*%")
_LENGTHS = {
    "string_too_long": ("max_length", "at most", "character", "characters"),
    "string_too_short": ("min_length", "at least", "character", "characters"),
    "too_long": ("max_length", "at most", "entry", "entries"),
    "too_short": ("min_length", "at least", "entry", "entries"),
}


@dataclass(frozen=True)
class Reading:
    """One error of pydantic: where it is, and the value or the key there that does not fit."""

    site: Site
    error: ErrorDetails
    value: Any
    is_about_key: bool

    @property
    def is_mismatch(self) -> bool:
        """Whether the value is of another type altogether, so that a union may try the next."""
        kind = self.error["type"]
        if kind == "union_tag_invalid":
            return not isinstance(self.value, dict)
        return kind in _WANTED or kind in _CHOICES or kind == "quantity_form"

    @property
    def choices(self) -> list[str]:
        """The words that could have stood there."""
        if self.error["type"] not in _CHOICES:
            return []
        choice = kinds(self.site.expected)
        if choice is not None:
            return list(choice.by_name)
        return [str(word) for option in members(self.site.expected) for word in _values(option)]

    @property
    def wanted(self) -> list[str]:
        """What could have stood there, as phrases."""
        if self.error["type"] == "quantity_form":
            return [self.error["ctx"]["expected"]]
        if self.error["type"] in _WANTED:
            return [_WANTED[self.error["type"]]]
        phrases = [repr(word) for word in self.choices]
        return [*phrases, "a mapping with a kind"] if kinds(self.site.expected) else phrases


def mismatch(readings: list[Reading]) -> str:
    """One message on a value that fits none of the types it may have."""
    value = readings[0].value
    wanted = list(dict.fromkeys(phrase for reading in readings for phrase in reading.wanted))
    choices = [word for reading in readings for word in reading.choices]
    shown = quoted(value)
    advice = _advice(value, wanted) or (hint(value, choices) if isinstance(value, str) else "")
    if isinstance(value, str) and {"a number", "a whole number", "true or false"} & set(wanted):
        shown = f"the text {shown}"
    return f"must be {_either(wanted)}, not {shown}{advice}"


def words(reading: Reading) -> str:
    """The message for one error."""
    kind, context, value = reading.error["type"], reading.error.get("ctx", {}), reading.value
    choice = kinds(reading.site.expected)
    if kind == "union_tag_invalid" and choice:
        given = value["kind"] if isinstance(value, dict) else value
        if given is None:
            return f"no kind given; known: {', '.join(choice.by_name)}"
        return unknown(choice.noun, given, choice.by_name)
    if kind == "union_tag_not_found" and choice:
        return f"missing key 'kind'; known: {', '.join(choice.by_name)}"
    if reading.is_mismatch:
        return mismatch([reading])
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    if kind == "missing":
        key = reading.site.loc[-1]
        return f"missing key {key!r}" if isinstance(key, str) else "missing entry"
    if kind == "finite_number":
        return f"must be a finite number, not {quoted(value)}"
    return _limit(reading) or reading.error["msg"]


def unknown_key(key: str, owner: Any, top: Any) -> str:
    """The message for a key that its section does not have; ``top`` is the whole file's."""
    near = hint(key, keys(owner))
    if key in keys(top):
        return f"unknown key {key!r} here; it belongs at the top of the file"
    return f"unknown key {key!r}{near or '; known: ' + ', '.join(keys(owner))}"


def limit_text(expected: Any, limit: Any) -> str:
    """A limit as the file would write it, with its unit if it has one."""
    for item in metadata(expected):
        if isinstance(item, PlainSerializer):
            written = cast("Callable[[Any], Any]", item.func)  # ours take the value alone
            return str(written(limit))
    return str(limit).removesuffix(".0")


def _limit(reading: Reading) -> str | None:
    kind, context = reading.error["type"], reading.error.get("ctx", {})
    if kind in BOUNDS:
        name, phrase = BOUNDS[kind]
        bound = limit_text(reading.site.expected, context[name])
        percent = _percent_advice(reading, bound)
        return f"must be {phrase} {bound}, not {quoted(reading.value)}{percent}"
    if kind in _LENGTHS:
        name, phrase, one, many = _LENGTHS[kind]
        return f"must have {phrase} {context[name]} {one if context[name] == 1 else many}"
    return None


def _percent_advice(reading: Reading, bound: str) -> str:
    """What a number above 1 is if it was meant in percent, where a share of one is wanted."""
    kind, value = reading.error["type"], reading.value
    share = kind.startswith("less_than") and bound == "1"
    if not share or float not in members(reading.site.expected) or not 1 < value <= 100:
        return ""
    return f"; {value} % is {_of_hundred(value)}"


def _advice(value: Any, wanted: list[str]) -> str:
    if "a whole number" in wanted and isinstance(value, float) and value.is_integer():
        return f"; write {int(value)}"
    if "text" in wanted and isinstance(value, (bool, int, float)):
        return "; put it in quotes"
    if wanted == ["a list"] and isinstance(value, dict):
        return "; begin each entry with '- '"
    if wanted == ["a list"] and value is not None:
        return f"; write [{value}]"
    if "a number" in wanted and isinstance(value, str) and (share := _PERCENT.fullmatch(value)):
        return f"; write {_of_hundred(share[1])}"
    return ""


def _of_hundred(percent: Any) -> str:
    """A number in percent as a share of one."""
    return f"{(Decimal(str(percent)) / 100).normalize():f}"


def _values(option: Any) -> tuple[Any, ...]:
    if get_origin(option) is Literal:
        return get_args(option)
    if isinstance(option, type) and issubclass(option, Enum):
        return tuple(item.value for item in option)
    return ()


def _either(phrases: list[str]) -> str:
    return " or ".join([", ".join(phrases[:-1]), phrases[-1]] if phrases[1:] else phrases)
