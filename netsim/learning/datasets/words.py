"""Texts as numbers: words, and a vocabulary of the most frequent ones."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from netsim.learning.base import Int64

PADDING: Final = 0
UNKNOWN: Final = 1
_FIRST = 2
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[!?]")


def words(text: str) -> list[str]:
    """Its words in small letters, and exclamation and question marks."""
    return _WORD.findall(text.lower())


def vocabulary(texts: Iterable[Sequence[str]], size: int) -> dict[str, int]:
    """Numbers for the most frequent words, ``size`` with padding and unknown; ties by letter."""
    counts = Counter(word for text in texts for word in text)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate(ranked[: size - _FIRST], _FIRST)}


def encoded(texts: Sequence[Sequence[str]], numbers: Mapping[str, int], length: int) -> Int64:
    """Int64[S, length]: the first words of each text; unknown ones are 1, the rest is 0."""
    table = np.full((len(texts), length), PADDING, np.int64)
    for row, text in zip(table, texts, strict=True):
        known = [numbers.get(word, UNKNOWN) for word in text[:length]]
        row[: len(known)] = known
    return table
