"""MovieLens: ratings of films."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np

from netsim.learning.base import Float32, Int64
from netsim.learning.datasets.base import Data, Dataset, held_back
from netsim.learning.datasets.folders import in_package
from netsim.learning.datasets.rows import read_rows
from netsim.learning.datasets.sources import Member, PyPi, Source
from netsim.learning.errors import DatasetCorrupt

_INTER = "ml-100k.inter"
_FORMS = {
    "u.data": ("\t", None),
    _INTER: ("\t", ["user_id:token", "item_id:token", "rating:float", "timestamp:float"]),
    "ratings.csv": (",", ["userId", "movieId", "rating", "timestamp"]),
}
"""Files by name: what parts their columns, and their first line."""
_SHA256 = "4edb74e2a81178c2ba9ff381495f754f996c4aea351b1272ca36b43da0935eff"
_TEST_SHARE = 0.3


@final
class MovieLens(Dataset):
    """100,000 ratings of films by users, a sample each: who and which film.

    MovieLens-100K (``u.data``: 943 users, 1,682 films, 1 to 5), the same as RecBole's ``.inter``,
    or ml-latest-small (``ratings.csv``: 0.5 to 5, the one whose size Shatter's Table 1 has).
    Three tenths of the ratings, drawn at random and always the same, are for testing.  Source:
    Harper and Konstan 2015, The MovieLens Datasets.
    """

    kind: Literal["movielens"] = "movielens"
    title: ClassVar[str] = "MovieLens-100K, ratings of films by user"
    names: ClassVar[tuple[str, ...]] = ("movielens", "ml-100k", "ml-latest-small")
    files: ClassVar[str] = f"u.data, {_INTER} or ratings.csv"
    source: ClassVar[Source | None] = PyPi(
        "recbole", "1.2.1", {_INTER: Member((f"/ml-100k/{_INTER}",), _SHA256)}
    )

    def installed(self) -> Sequence[Path]:
        """Where RecBole has its example."""
        return in_package("recbole", "dataset_example/ml-100k")

    def is_in(self, place: Path) -> bool:
        return any((place / name).is_file() for name in _FORMS)

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _load(self.locate(folder))


@cache
def _load(folder: Path) -> Data:
    pairs, ratings, counts = _read(folder)
    test = held_back("movielens", len(ratings), _TEST_SHARE)
    return Data(
        *(pairs[~test], ratings[~test], pairs[test], ratings[test]),
        classes=1,
        answer="rating",
        counts=counts,
        users=pairs[~test, 0],
    )


def _read(folder: Path) -> tuple[Int64, Float32, tuple[int, int]]:
    """User and film of each rating Int64[S, 2], the ratings, and how many there are of both."""
    name = next(name for name in _FORMS if (folder / name).is_file())
    path, (delimiter, head) = folder / name, _FORMS[name]
    rows = read_rows(path, delimiter)
    if head is not None and rows[:1] != [head]:
        raise DatasetCorrupt(f"{path}:1: the first line must be {delimiter.join(head)}")
    ids, ratings = [], []
    for number, row in enumerate(rows[1:] if head else rows, 2 if head else 1):
        try:
            user, film, rating = int(row[0]), int(row[1]), float(row[2])
        except (ValueError, IndexError) as error:
            raise DatasetCorrupt(f"{path}:{number}: no user, film and rating") from error
        ids.append((user, film))
        ratings.append(rating)
    if not ids or not np.isfinite(ratings).all():
        raise DatasetCorrupt(f"{path} has no ratings, or some that are no numbers")
    columns = [np.unique(column, return_inverse=True) for column in zip(*ids, strict=True)]
    pairs = np.stack([place for _, place in columns], 1).astype(np.int64)
    return pairs, np.array(ratings, np.float32), (len(columns[0][0]), len(columns[1][0]))
