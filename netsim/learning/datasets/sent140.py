"""Sent140: tweets by user."""

import csv
from collections import Counter
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.datasets.base import held_back
from netsim.learning.datasets.rows import read_rows
from netsim.learning.datasets.texts import Corpus, Length, TextDataset, Texts
from netsim.learning.errors import DatasetCorrupt

_FILE = "training.1600000.processed.noemoticon.csv"
_COLUMNS = 6
_LABEL = {"0": 0, "4": 1}
_TEST_SHARE = 0.2

Tweet = tuple[str, int, str]
"""Text, label, user."""


@final
class Sent140(TextDataset):
    """Tweets, negative (0) or positive (4), of users who have ``min_per_user`` of them.

    The file of 1.6 million tweets, or part of it in the same format; a fifth of the tweets, drawn
    at random and always the same, is for testing.  Source: Go, Bhayani and Huang 2009, Twitter
    Sentiment Classification using Distant Supervision; Shatter, Section 6.1, for the 24.
    """

    kind: Literal["sent140"] = "sent140"
    title: ClassVar[str] = "Sent140, tweets by user"
    names: ClassVar[tuple[str, ...]] = ("sent140", "trainingandtestdata")
    files: ClassVar[str] = f"{_FILE} (or another *.csv with the same six columns)"
    length: Length = 32
    min_per_user: int = Field(default=24, ge=1)

    def is_in(self, place: Path) -> bool:
        return _file(place) is not None

    def read(self, folder: Path) -> Corpus:
        """As in the base class."""
        path = _file(folder)
        assert path is not None
        tweets = _often(_read(path), self.min_per_user)
        if len(tweets) < 2:
            raise DatasetCorrupt(f"{path}: no user has {self.min_per_user} tweets")
        test = held_back(self.kind, len(tweets), _TEST_SHARE)
        train, held = (
            [tweet for tweet, out in zip(tweets, test, strict=True) if out == part]
            for part in (False, True)
        )
        users = np.unique([user for *_, user in train], return_inverse=True)[1].astype(np.int64)
        return Corpus(_texts(train), _texts(held), users)


def _file(place: Path) -> Path | None:
    if (place / _FILE).is_file():
        return place / _FILE
    found = [path for path in sorted(place.glob("*.csv")) if _is_sent140(path)]
    return found[0] if found else None


def _is_sent140(path: Path) -> bool:
    try:
        with path.open(encoding="latin-1", newline="") as file:
            row = next(csv.reader(file), [])
    except (OSError, csv.Error):
        return False
    return len(row) == _COLUMNS and row[0] in ("0", "2", "4")


def _read(path: Path) -> list[Tweet]:
    tweets = []
    for number, row in enumerate(read_rows(path, ",", "latin-1"), 1):
        if len(row) != _COLUMNS or row[0] not in ("0", "2", "4"):
            raise DatasetCorrupt(f"{path}:{number}: no tweet with polarity 0, 2 or 4")
        if row[0] in _LABEL:
            tweets.append((row[5], _LABEL[row[0]], row[4]))
    return tweets


def _often(tweets: list[Tweet], least: int) -> list[Tweet]:
    counts = Counter(user for *_, user in tweets)
    return [tweet for tweet in tweets if counts[tweet[2]] >= least]


def _texts(tweets: list[Tweet]) -> Texts:
    return Texts([text for text, *_ in tweets], [label for _, label, _ in tweets])
