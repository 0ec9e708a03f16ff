"""What a place in the data was expected to be: pydantic's locations read along the classes."""

import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from netsim.scenario.config import Config
from netsim.scenario.errors import Loc
from netsim.scenario.kinds import Kinds

KEY = "[key]"
"""What pydantic appends to the place of a key that does not fit."""


@dataclass(frozen=True)
class Site:
    """A place in the data and what belongs there.

    ``loc`` is the place as the file has it, without the names pydantic adds for members of
    unions. ``owner`` is set for a key that its section does not know. ``union`` is the place of
    the first choice between types on the way.
    """

    loc: Loc
    expected: Any
    owner: type[Config] | None = None
    union: Loc | None = None


def site(model: type[Config], data: Any, loc: Loc) -> Site:
    """Where a pydantic location within ``data``, validated as ``model``, points."""
    return _walk(Site((), model), data, loc)


def keys(cls: type[Config]) -> dict[str, Any]:
    """The keys of a section as the file writes them, with the type of each."""
    return {
        field.alias or name: Annotated[(field.annotation, *field.metadata)]
        if field.metadata
        else field.annotation
        for name, field in cls.model_fields.items()
    }


def members(expected: Any) -> tuple[Any, ...]:
    """The types a value may have, None aside; the type itself if there is no choice."""
    bare, _ = _peeled(expected)
    if get_origin(bare) in (Union, types.UnionType):
        return tuple(arg for arg in get_args(bare) if arg is not types.NoneType)
    return (bare,)


def kinds(expected: Any) -> Kinds | None:
    """The choice between kinds that a type is, if it is one."""
    return next((item for item in metadata(expected) if isinstance(item, Kinds)), None)


def metadata(expected: Any) -> tuple[Any, ...]:
    """What a type is annotated with."""
    return _peeled(expected)[1]


def _given(expected: Any) -> Any:
    """The type without None, as a value that is wrong was none."""
    options = members(expected)
    optional = get_origin(expected) in (Union, types.UnionType)
    return options[0] if optional and len(options) == 1 else expected


def _peeled(expected: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(expected) is Annotated:
        return expected.__origin__, expected.__metadata__
    return expected, ()


def _walk(at: Site, value: Any, rest: Loc) -> Site:
    if not rest or rest == (KEY,):
        return replace(at, expected=_given(at.expected))
    choice, options = kinds(at.expected), members(at.expected)
    if choice is not None:
        section = choice.by_name.get(str(rest[0]))
        return _walk(replace(at, expected=section), value, rest[1:]) if section else at
    if len(options) > 1:
        chosen = replace(at, expected=_member(options, str(rest[0]), value))
        union = at.loc if at.union is None else at.union
        return _walk(replace(chosen, union=union), value, rest[1:])
    if options != (at.expected,):
        return _walk(replace(at, expected=options[0]), value, rest)
    return _below(at, value, rest)


def _below(at: Site, value: Any, rest: Loc) -> Site:
    """One step into a section, a mapping or a list."""
    step, expected = rest[0], at.expected
    loc = (*at.loc, step)
    if _is_section(expected):
        known = keys(expected)
        if step not in known:
            return replace(at, loc=loc, expected=None, owner=expected)
        inner = known[str(step)]
    else:
        inner = _item(expected, step)
    if inner is None:
        return at
    return _walk(replace(at, loc=loc, expected=inner), _entry(value, step), rest[1:])


def _item(expected: Any, step: str | int) -> Any:
    """The type of an item of a mapping or list; None if the type has no items."""
    origin, args = get_origin(expected), get_args(expected)
    if not isinstance(origin, type) or not args:
        return None
    if issubclass(origin, Mapping):
        return args[1]
    if not isinstance(step, int):
        return None
    variadic = len(args) == 1 or args[1] is Ellipsis
    return args[0] if variadic else args[min(step, len(args) - 1)]


def _entry(value: Any, step: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def _member(options: tuple[Any, ...], name: str, value: Any) -> Any:
    """The member of a union that pydantic calls ``name``, as far as one can tell."""
    for option in options:
        if _is_section(option) and option.__name__ == name:
            return option
    fitting = [option for option in options if _takes(option, value, name)]
    return (fitting or options)[0]


def _takes(option: Any, value: Any, name: str) -> bool:
    bare, _ = _peeled(option)
    origin = get_origin(bare) or bare
    if name.startswith("literal") or origin is Literal:
        return name.startswith("literal") and origin is Literal
    if isinstance(value, dict):
        return kinds(option) is not None or _is_section(bare) or _is_a(origin, Mapping)
    if isinstance(value, list):
        return get_origin(bare) is not None and _is_a(origin, Collection)
    return True


def _is_section(expected: Any) -> bool:
    return _is_a(expected, Config)


def _is_a(candidate: Any, bases: type | tuple[type, ...]) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, bases)
