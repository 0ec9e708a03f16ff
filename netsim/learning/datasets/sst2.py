"""SST-2: sentences of film reviews."""

from pathlib import Path
from typing import ClassVar, Literal, final

from netsim.learning.datasets.rows import read_rows
from netsim.learning.datasets.texts import Corpus, Length, TextDataset, Texts
from netsim.learning.errors import DatasetCorrupt

_LAYOUTS = (
    (("train.tsv",), "dev.tsv"),
    (("SST-2_train.tsv", "SST-2_dev.tsv"), "SST-2_test.tsv"),
)
"""Files for training and for testing: GLUE's own, and the split of its training part in two."""
_HEAD = ["sentence", "label"]


@final
class Sst2(TextDataset):
    """67,349 phrases of film reviews, negative or positive, and 872 sentences to test on.

    GLUE's ``train.tsv`` and ``dev.tsv``, as its test part has no labels; or the same in the files
    SST-2_train.tsv, SST-2_dev.tsv (both for training) and SST-2_test.tsv.  Source: Socher et al.
    2013, Recursive Deep Models for Semantic Compositionality; Wang et al. 2018 (GLUE).
    """

    kind: Literal["sst2"] = "sst2"
    title: ClassVar[str] = "SST-2, phrases of film reviews"
    names: ClassVar[tuple[str, ...]] = ("sst2", "SST-2", "text")
    files: ClassVar[str] = (
        "train.tsv and dev.tsv, or SST-2_train.tsv, SST-2_dev.tsv and SST-2_test.tsv"
    )
    length: Length = 32

    def is_in(self, place: Path) -> bool:
        return _layout(place) is not None

    def read(self, folder: Path) -> Corpus:
        """As in the base class."""
        layout = _layout(folder)
        assert layout is not None
        training, test = layout
        rows = [row for name in training for row in _read(folder / name)]
        return Corpus(_texts(rows), _texts(_read(folder / test)))


def _layout(place: Path) -> tuple[tuple[str, ...], str] | None:
    for training, test in _LAYOUTS:
        if all((place / name).is_file() for name in (*training, test)):
            return training, test
    return None


def _read(path: Path) -> list[list[str]]:
    rows = read_rows(path, "\t", quoted=False)
    if not rows or rows[0] != _HEAD:
        raise DatasetCorrupt(f"{path}:1: the first line must be sentence and label, tabbed")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != 2 or row[1] not in ("0", "1"):
            raise DatasetCorrupt(f"{path}:{number}: no sentence with label 0 or 1")
    return rows[1:]


def _texts(rows: list[list[str]]) -> Texts:
    return Texts([text for text, _ in rows], [int(label) for _, label in rows])
