"""How a scalar of YAML is read."""

import re
from collections.abc import Callable
from typing import Any

_TAG = "tag:yaml.org,2002:"
NULL, BOOL, INT, FLOAT, MERGE, STR, MAP, SEQ = (
    f"{_TAG}{name}" for name in ("null", "bool", "int", "float", "merge", "str", "map", "seq")
)

PLAIN = {
    NULL: re.compile(r"(?:~|null|Null|NULL|)\Z"),
    BOOL: re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
    INT: re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z"),
    FLOAT: re.compile(
        r"(?:[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
    ),
    MERGE: re.compile(r"<<\Z"),
}
"""How a plain scalar of each type is written, as in YAML 1.2; everything else is text."""

_READERS: dict[str, Callable[[str], Any]] = {
    NULL: lambda text: None,
    BOOL: lambda text: text.lower() == "true",
    INT: int,
    FLOAT: lambda text: float(text.lower().replace(".inf", "inf").replace(".nan", "nan")),
    MERGE: str,
    STR: str,
}


def scalar(tag: str, text: str) -> Any:
    """The value of a scalar.

    Raises ValueError, in words for the user, if the tag is unknown or the text does not fit it.
    """
    if tag not in _READERS:
        raise ValueError(f"unknown tag {shown(tag)}")
    if tag in PLAIN and not PLAIN[tag].match(text):
        raise ValueError(f"{text!r} does not fit its tag {shown(tag)}")
    if tag == INT and len(text) > 100:
        raise ValueError("a number of more than 100 digits")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("half a Unicode character (a lone surrogate)")
    return _READERS[tag](text)


def shown(tag: str) -> str:
    """A tag as it is written in a file."""
    return repr(tag.replace(_TAG, "!!"))
