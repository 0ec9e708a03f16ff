"""Texts in classes, as every dataset of such texts has them."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from netsim.learning.base import Int64
from netsim.learning.datasets.base import Data, Dataset, Tokenizer
from netsim.learning.datasets.words import encoded, vocabulary, words

Length = Annotated[int, Field(ge=1, le=65536)]
"""A field: so many words of a text."""


@dataclass(frozen=True)
class Texts:
    """Texts and their classes."""

    texts: Sequence[str]
    labels: Sequence[int]


@dataclass(frozen=True)
class Corpus:
    """Texts for training and for testing; ``users`` as in ``Data``."""

    train: Texts
    test: Texts
    users: Int64 | None = None


class TextDataset(Dataset):
    """``vocabulary``: the most frequent words of the training part, the others are one word;
    ``length``: words of a text that count, its first.  Both count tokens where a model has
    a tokenizer of its own, whose vocabulary takes the place of this one."""

    vocabulary: Annotated[int, Field(ge=3)] = 8000
    length: Length = 64

    @abstractmethod
    def read(self, folder: Path) -> Corpus:
        """The texts of its files in ``folder``, in two classes; raises DatasetCorrupt."""

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _encoded(self, self.locate(folder), None)

    def tokenized(self, tokenizer: Tokenizer, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _encoded(self, self.locate(folder), tokenizer)


@cache
def _encoded(dataset: TextDataset, folder: Path, tokenizer: Tokenizer | None) -> Data:
    """Two classes of texts as numbers; the vocabulary is everybody's."""
    corpus = dataset.read(folder)
    texts, length = (corpus.train.texts, corpus.test.texts), dataset.length
    if tokenizer is None:
        size, inputs = _by_words(*texts, dataset.vocabulary, length)
    else:
        size, inputs = tokenizer.size, [tokenizer.encode(part, length) for part in texts]
    labels = (np.array(part.labels, np.int64) for part in (corpus.train, corpus.test))
    (train, test), (train_labels, test_labels) = inputs, labels
    return Data(
        train, train_labels, test, test_labels, classes=2, counts=(size,), users=corpus.users
    )


def _by_words(
    train: Sequence[str], test: Sequence[str], size: int, length: int
) -> tuple[int, Sequence[Int64]]:
    """How many words and their numbers there are, padding and unknown among them; both parts."""
    train_words, test_words = ([words(text) for text in part] for part in (train, test))
    numbers = vocabulary(train_words, size)
    parts = [encoded(part, numbers, length) for part in (train_words, test_words)]
    return len(numbers) + 2, parts
