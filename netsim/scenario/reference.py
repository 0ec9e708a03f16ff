"""Every key of a section and of the sections in it, as a page in Markdown."""

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

import yaml
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from netsim.scenario.config import Config
from netsim.scenario.shape import keys, kinds, members, metadata
from netsim.scenario.units import expected_text
from netsim.scenario.wording import BOUNDS, limit_text

_SCALARS = {
    bool: "true or false",
    float: "a number",
    int: "a whole number",
    str: "text",
    Path: "a path",
    Any: "any value",
}
_UNLIMITED = 1e99
"""Limits above only keep numbers finite."""
_END = "...\n"
"""What YAML puts after a scalar that stands alone."""


@dataclass(frozen=True)
class _Section:
    """``cls`` stands at ``path``, as one of several kinds if ``kind`` is set."""

    path: str
    cls: type[Config]
    kind: str | None = None

    @property
    def title(self) -> str:
        return f"{self.path}: {self.kind}" if self.kind else self.path

    def link(self, text: str) -> str:
        """A link to the section; its anchor is made as GitHub and MyST make them."""
        anchor = re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")
        return f"[{text}](#{anchor})"


Leads = Mapping[Any, str]
"""What is said of a class of sections before it says something of itself."""

Places = Mapping[type[Config], _Section]
"""Where each class of sections is shown."""


def reference(
    model: type[Config], title: str, inside: str = "", leads: Leads = MappingProxyType({})
) -> str:
    """The keys of ``model``, and below them those of each section in it.

    ``inside`` is the path to its keys, with a dot at its end if it is not empty.  What a class
    says of itself comes first, after what ``leads`` has for it, then its keys.  A section that
    may stand in several places is shown at the first.
    """
    sections = list(_sections(_Section(title, model), inside))
    places = {section.cls: section for section in reversed(sections)}
    lines = [line for section in sections for line in _lines(section, places, leads)]
    return "\n".join(lines) + "\n"


def _sections(top: _Section, inside: str) -> Iterator[_Section]:
    seen: set[type[Config]] = set()

    def walk(section: _Section, inside: str) -> Iterator[_Section]:
        if section.cls in seen:
            return
        seen.add(section.cls)
        yield section
        for key, expected in keys(section.cls).items():
            for each in _within(expected, f"{inside}{key}"):
                yield from walk(each, f"{each.path}.")

    return walk(top, inside)


def _within(expected: Any, path: str) -> Iterator[_Section]:
    """The sections that a type leads to at once."""
    choice = kinds(expected)
    if choice is not None:
        yield from (_Section(path, cls, kind) for kind, cls in choice.by_name.items())
    elif _is_section(expected):
        yield _Section(path, expected)
    else:
        for each in get_args(expected):
            yield from _within(each, path)


def _lines(section: _Section, places: Places, leads: Leads) -> Iterator[str]:
    lead = leads.get(section.cls)
    yield from (f"## {section.title}", "", *([lead, ""] if lead else []), *_about(section.cls), "")
    rows = [
        f"| `{key}` | {_words(expected, places)} | {_default(section.cls, key, expected)} |"
        for key, expected in keys(section.cls).items()
        if key != "kind"
    ]
    if rows:
        yield from ("| key | what may stand there | default |", "|---|---|---|", *rows, "")


def _about(cls: type[Config]) -> list[str]:
    """What a class says of itself, and what those say that it has keys from."""
    texts: list[str] = []
    for base in cls.__mro__:
        if issubclass(base, Config) and base is not Config and base.__doc__:
            own = set(vars(base).get("__annotations__", ())) & set(base.model_fields)
            silent = [key for key in own - {"kind", "label"} if f"`{key}`" not in "".join(texts)]
            if silent or not texts:
                texts.append(inspect.cleandoc(base.__doc__).replace("``", "`"))
    return "\n\n".join(texts).split("\n")


def _words(expected: Any, places: Places) -> str:
    """What may stand there."""
    choice = kinds(expected)
    if choice is not None:
        named = [places[cls].link(f"`{kind}`") for kind, cls in choice.by_name.items()]
        return ("one of " if named[1:] else "") + ", ".join(named)
    unit = expected_text(metadata(expected))
    phrases = [unit] if unit else [_phrase(each, places) for each in members(expected)]
    return ", ".join([" or ".join(phrases), *_bounds(expected)])


def _phrase(option: Any, places: Places) -> str:
    if metadata(option):
        return _words(option, places)
    if option in _SCALARS:
        return _SCALARS[option]
    if _is_section(option):
        return f"a mapping, see {places[option].link(places[option].title)}"
    if get_origin(option) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(option))
    inner = [_words(each, places) for each in get_args(option) if each is not Ellipsis]
    if len(inner) == 1:
        return f"a list (each {inner[0]})"
    return f"a mapping (from {inner[0]} to {inner[1]})"


def _bounds(expected: Any) -> Iterator[str]:
    for item in metadata(expected):
        for each in item.metadata if isinstance(item, FieldInfo) else [item]:
            for attribute, words in BOUNDS.values():
                limit = getattr(each, attribute, None)
                if limit is not None and limit < _UNLIMITED:
                    yield f"{words} {limit_text(expected, limit)}"


def _default(cls: type[Config], key: str, expected: Any) -> str:
    """What holds where the key is left out."""
    field = next(each for name, each in cls.model_fields.items() if key in (name, each.alias))
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None:
        return ""
    written = TypeAdapter(expected).dump_python(value, mode="json")
    if isinstance(value, Config):
        return f"`{written['kind']}`" if "kind" in written else "its defaults"
    text = yaml.safe_dump(written, default_flow_style=True, allow_unicode=True)
    return f"`{text.removesuffix(_END).strip()}`"


def _is_section(expected: Any) -> bool:
    return isinstance(expected, type) and issubclass(expected, Config)
