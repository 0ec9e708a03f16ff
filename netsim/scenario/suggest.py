"""Did you mean …?"""

import difflib
from collections.abc import Iterable

_CUTOFF = 0.6
_ALIKE = 0.75
"""Words less alike than this are near only if they begin alike or one holds the other."""
_LONGEST = 60


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like ``word``, capitals aside; None if none is near."""
    by_lower = {name.lower(): name for name in known}
    lower = word.lower()
    for near in difflib.get_close_matches(lower, by_lower, n=3, cutoff=_CUTOFF):
        ratio = difflib.SequenceMatcher(None, near, lower).ratio()
        if ratio >= _ALIKE or near[0] == lower[:1] or lower in near or near in lower:
            return by_lower[near]
    return None


def hint(word: str, known: Iterable[str]) -> str:
    """``"; did you mean 'x'?"``, or nothing."""
    near = closest(word, known)
    return f"; did you mean {near!r}?" if near else ""


def unknown(what: str, word: object, known: Iterable[str]) -> str:
    """One line on a name nobody knows: the nearest known one, then all of them.

    >>> unknown("dataset", "cifar", ["digits", "cifar10"])
    "unknown dataset 'cifar'; did you mean 'cifar10'? known: digits, cifar10"
    """
    names = list(known)
    near = hint(word, names) if isinstance(word, str) else ""
    return f"unknown {what} {quoted(word)}{near or ';'} known: {', '.join(names)}"


def quoted(value: object) -> str:
    """A value as a reader of the file would call it, on one line and never long."""
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
