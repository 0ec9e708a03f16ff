"""IMDB film reviews."""

import gzip
import json
import lzma
import zlib
from pathlib import Path
from typing import ClassVar, Literal, final

from netsim.learning.datasets.texts import Corpus, Length, TextDataset, Texts
from netsim.learning.errors import DatasetCorrupt

_ENDS = (".jsonl", ".jsonl.xz", ".jsonl.gz")
_PARTS = ("train", "test")


@final
class Imdb(TextDataset):
    """25,000 and 25,000 reviews, negative or positive, or a part of them.

    The folders of aclImdb (``train/pos/*.txt`` and so on), or JSON lines with ``text`` and
    ``label`` 0 or 1 in a file whose name has ``train`` and one whose name has ``test``, which may
    be packed.  Source: Maas et al. 2011, Learning Word Vectors for Sentiment Analysis.
    """

    kind: Literal["imdb"] = "imdb"
    title: ClassVar[str] = "IMDB film reviews, negative or positive"
    names: ClassVar[tuple[str, ...]] = ("imdb", "imdb/aclImdb", "aclImdb")
    files: ClassVar[str] = (
        "its folders train and test with pos and neg in each (aclImdb_v1.tar.gz unpacked), or "
        "*train*.jsonl and *test*.jsonl (or .jsonl.xz, .jsonl.gz) with text and label"
    )
    length: Length = 128

    def is_in(self, place: Path) -> bool:
        return all(_lines_of(place, part) or _is_unpacked(place, part) for part in _PARTS)

    def read(self, folder: Path) -> Corpus:
        """As in the base class."""
        train, test = (_part(folder, part) for part in _PARTS)
        return Corpus(train, test)


def _part(folder: Path, part: str) -> Texts:
    path = _lines_of(folder, part)
    return _from_folders(folder / part) if path is None else _from_lines(path)


def _lines_of(place: Path, part: str) -> Path | None:
    found = [path for end in _ENDS for path in sorted(place.glob(f"*{part}*{end}"))]
    return found[0] if found else None


def _is_unpacked(place: Path, part: str) -> bool:
    return all((place / part / mood).is_dir() for mood in ("neg", "pos"))


def _from_folders(folder: Path) -> Texts:
    files = [
        (path, label)
        for label, mood in enumerate(("neg", "pos"))
        for path in sorted((folder / mood).glob("*.txt"))
    ]
    if len({label for _, label in files}) < 2:
        raise DatasetCorrupt(f"{folder}: no reviews in neg or in pos; unpack it again")
    return Texts([_text(path) for path, _ in files], [label for _, label in files])


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise DatasetCorrupt(f"{path} cannot be read ({error}); fetch it again") from error


def _from_lines(path: Path) -> Texts:
    try:
        # Not splitlines: a text may hold other ends of lines than these.
        lines = _unpacked(path).decode().removesuffix("\n").split("\n")
    except (OSError, EOFError, zlib.error, lzma.LZMAError, UnicodeDecodeError) as error:
        raise DatasetCorrupt(f"{path} cannot be read ({error}); fetch it again") from error
    if lines == [""]:
        raise DatasetCorrupt(f"{path} has no reviews")
    reviews = [_review(path, number, line) for number, line in enumerate(lines, 1)]
    return Texts([text for text, _ in reviews], [label for _, label in reviews])


def _unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix == ".xz":
        return lzma.decompress(content)
    return gzip.decompress(content) if path.suffix == ".gz" else content


def _review(path: Path, number: int, line: str) -> tuple[str, int]:
    try:
        review = json.loads(line)
        text, label = review["text"], review["label"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DatasetCorrupt(f"{path}:{number}: no review with text and label") from error
    if not isinstance(text, str) or label not in (0, 1):
        raise DatasetCorrupt(f"{path}:{number}: text must be a text and label 0 or 1")
    return text, int(label)
