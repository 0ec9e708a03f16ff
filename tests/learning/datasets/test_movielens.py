"""MovieLens in its three forms."""

from pathlib import Path

import numpy as np
import pytest

from netsim.learning.datasets.movielens import MovieLens
from netsim.learning.errors import DatasetCorrupt

RATINGS = [(u, f, (u * f) % 5 + 1) for u in (3, 7, 9) for f in (10, 20, 25, 40) if u + f != 49]
FORMS = {
    "u.data": ("\t", ""),
    "ml-100k.inter": ("\t", "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"),
    "ratings.csv": (",", "userId,movieId,rating,timestamp\n"),
}


def write(folder: Path, form: str, rows: list[tuple[object, ...]]) -> None:
    tab, head = FORMS[form]
    (folder / form).write_text(
        head + "".join(tab.join(map(str, (*row, 88))) + "\n" for row in rows)
    )


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_read(tmp_path: Path, form: str) -> None:
    """Users and films numbered from 0; every rating in one of the parts."""
    write(tmp_path, form, RATINGS)
    data = MovieLens().load(tmp_path)
    assert (data.counts, data.answer, data.classes) == ((3, 4), "rating", 1)
    pairs = np.concatenate([data.train_inputs, data.test_inputs])
    ratings = np.concatenate([data.train_labels, data.test_labels])
    users, films = (3, 7, 9), (10, 20, 25, 40)
    found = {
        (users[u], films[f], int(r)) for (u, f), r in zip(pairs.tolist(), ratings, strict=True)
    }
    assert found == set(RATINGS)
    assert len(data.test_labels) == round(0.3 * len(RATINGS))
    assert np.array_equal(data.users, data.train_inputs[:, 0])
    assert np.array_equal(np.unique(data.train_labels)[data.strata], data.train_labels)


@pytest.mark.parametrize(
    ("form", "row", "message"),
    [
        ("u.data", ("x", 2, 3), r"u\.data:12: no user, film and rating"),
        ("ratings.csv", (1, 2), r"ratings\.csv:13: no user"),
        ("u.data", (1, 2, "nan"), "numbers"),
    ],
)
def test_a_bad_rating_is_named(
    tmp_path: Path, form: str, row: tuple[object, ...], message: str
) -> None:
    """By file and line."""
    tab, _ = FORMS[form]
    write(tmp_path, form, RATINGS)
    with (tmp_path / form).open("a") as file:
        file.write(tab.join(map(str, row)) + "\n")
    with pytest.raises(DatasetCorrupt, match=message):
        MovieLens().load(tmp_path)


def test_another_table_is_refused(tmp_path: Path) -> None:
    """Its first line says what it is."""
    (tmp_path / "ratings.csv").write_text("a,b,c,d\n1,2,3,4\n")
    with pytest.raises(DatasetCorrupt, match="first line must be userId,movieId"):
        MovieLens().load(tmp_path)
