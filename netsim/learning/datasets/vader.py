"""Tweets with human ratings, from VADER's experiments."""

from pathlib import Path
from typing import ClassVar, Literal, final

from netsim.learning.datasets.base import held_back
from netsim.learning.datasets.published import read_published
from netsim.learning.datasets.sources import Member, PyPi, Source
from netsim.learning.datasets.texts import Corpus, Length, TextDataset, Texts

_FILE = "tweets_GroundTruth.txt"
_SHA256 = "dfbe7102e2f92579ed8b19df9a3822491880697c67adf712fb66e520cc05102f"
_TEST_SHARE = 0.2


@final
class VaderTweets(TextDataset):
    """4,200 tweets, rated by twenty people: negative where the mean rating is below 0.

    A fifth of them, drawn at random and always the same, is for testing; who wrote them is not
    known.  Source: Hutto and Gilbert 2014, VADER, ICWSM.
    """

    kind: Literal["vader_tweets"] = "vader_tweets"
    title: ClassVar[str] = "VADER's tweets, rated by people"
    names: ClassVar[tuple[str, ...]] = ("vader_tweets", "hutto_ICWSM_2014")
    files: ClassVar[str] = f"its file {_FILE}"
    source: ClassVar[Source | None] = PyPi(
        "vaderSentiment",
        "3.3.2",
        {_FILE: Member(("/additional_resources/hutto_ICWSM_2014.tar.gz", f"/{_FILE}"), _SHA256)},
        kind="sdist",
    )
    length: Length = 32

    def is_in(self, place: Path) -> bool:
        return (place / _FILE).is_file()

    def read(self, folder: Path) -> Corpus:
        """As in the base class."""
        lines = read_published(folder, _FILE, _SHA256).decode().splitlines()
        rows = [line.split("\t", 2) for line in lines]
        test = held_back(self.kind, len(rows), _TEST_SHARE)
        train, held = (
            [row for row, out in zip(rows, test, strict=True) if out == part]
            for part in (False, True)
        )
        return Corpus(_texts(train), _texts(held))


def _texts(rows: list[list[str]]) -> Texts:
    return Texts([text for *_, text in rows], [int(float(rating) >= 0) for _, rating, _ in rows])
