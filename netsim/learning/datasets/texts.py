"""Texts in classes, as every dataset of such texts has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from netsim.learning.base import Int64
from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.words import encoded, vocabulary, words


@dataclass(frozen=True)
class Texts:
    """Texts and their classes."""

    texts: Sequence[str]
    labels: Sequence[int]


class TextDataset(Dataset):
    """``vocabulary``: the most frequent words of the training part, the others are one word;
    ``length``: words of a text that count, its first."""

    vocabulary: Annotated[int, Field(ge=3)] = 8000
    length: Annotated[int, Field(ge=1)] = 64

    def encode(self, train: Texts, test: Texts, users: Int64 | None = None) -> Data:
        """Two classes of texts as numbers; the vocabulary is everybody's."""
        train_words = [words(text) for text in train.texts]
        numbers = vocabulary(train_words, self.vocabulary)
        return Data(
            encoded(train_words, numbers, self.length),
            np.array(train.labels, np.int64),
            encoded([words(text) for text in test.texts], numbers, self.length),
            np.array(test.labels, np.int64),
            classes=2,
            counts=(len(numbers) + 2,),
            users=users,
        )
