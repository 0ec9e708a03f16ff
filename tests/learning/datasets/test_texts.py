"""Texts: their words as numbers, and the formats they are published in."""

import gzip
import hashlib
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from netsim.learning.datasets import shakespeare, vader
from netsim.learning.datasets.imdb import Imdb
from netsim.learning.datasets.sent140 import Sent140
from netsim.learning.datasets.shakespeare import TinyShakespeare
from netsim.learning.datasets.sst2 import Sst2
from netsim.learning.datasets.vader import VaderTweets
from netsim.learning.datasets.words import encoded, vocabulary, words
from netsim.learning.errors import DatasetCorrupt, DatasetMissing, Infeasible

GOOD, BAD = ["good film", "very good"], ["bad film", "very bad, very sad"]


def test_words_are_small_and_marks_count() -> None:
    """Letters and digits, a contraction in one, ! and ? alone; the rest parts them."""
    assert words("Don't <br />STOP... 3 films!?") == ["don't", "br", "stop", "3", "films", "!", "?"]


def test_the_vocabulary_is_the_most_frequent_words() -> None:
    """From 2 on; ties by letter; of size 4 two words are left beside padding and unknown."""
    texts = [["b", "a", "c"], ["b", "c"], ["b"]]
    assert vocabulary(texts, 4) == {"b": 2, "c": 3}
    assert vocabulary(texts, 10) == {"b": 2, "c": 3, "a": 4}


def test_texts_are_cut_and_padded() -> None:
    """Unknown words are 1, what is missing is 0."""
    table = encoded([["b", "x", "c", "c"], [], ["c"]], {"b": 2, "c": 3}, 3)
    assert table.tolist() == [[2, 1, 3], [0, 0, 0], [3, 0, 0]]


def write_folders(root: Path) -> None:
    for part in ("train", "test"):
        for mood, texts in (("pos", GOOD), ("neg", BAD)):
            folder = root / "aclImdb" / part / mood
            folder.mkdir(parents=True)
            for i, text in enumerate(texts):
                (folder / f"{i}_7.txt").write_text(text)


def write_lines(root: Path, end: str) -> None:
    rows = [{"text": t, "label": 0} for t in BAD] + [{"text": t, "label": 1} for t in GOOD]
    content = "".join(json.dumps(row | {"stars": 1}) + "\n" for row in rows).encode()
    pack = {"xz": lzma.compress, "gz": gzip.compress}.get(end, bytes)
    for part in ("train", "test"):
        name = f"imdb_{part}_4.jsonl" + (f".{end}" if end != "jsonl" else "")
        (root / name).write_bytes(pack(content))


@pytest.mark.parametrize("form", ["folders", "jsonl", "xz", "gz"])
def test_imdb_is_read_in_each_form(tmp_path: Path, form: str) -> None:
    """Negative before positive; words by frequency: bad, very (3), film, good (2), sad."""
    write_folders(tmp_path) if form == "folders" else write_lines(tmp_path, form)
    data = Imdb(length=4).load(tmp_path)
    assert data.train_labels.tolist() == data.test_labels.tolist() == [0, 0, 1, 1]
    assert data.train_inputs.tolist() == [[3, 4, 0, 0], [2, 3, 2, 6], [5, 4, 0, 0], [2, 5, 0, 0]]
    assert (data.counts, data.classes) == ((7,), 2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"jsonl:2: no review"),
        ('{"text": "a"}', r"jsonl:2: no review with text and label"),
        ('{"text": "a", "label": 2}', r"jsonl:2: text must be a text and label 0 or 1"),
        ('{"text": 5, "label": 1}', r"jsonl:2: text must be"),
        ("[" * 100_000, r"jsonl:2: no review"),
    ],
)
def test_a_bad_review_is_named(tmp_path: Path, line: str, message: str) -> None:
    """By file and line."""
    write_lines(tmp_path, "jsonl")
    path = tmp_path / "imdb_train_4.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n" + line + "\n")
    with pytest.raises(DatasetCorrupt, match=message):
        Imdb().load(tmp_path)


def test_other_ends_of_lines_are_part_of_a_text(tmp_path: Path) -> None:
    """Lines end with a line feed alone, whatever Unicode says."""
    write_lines(tmp_path, "jsonl")
    path = tmp_path / "imdb_train_4.jsonl"
    path.write_text('{"text": "bad\u0085film\u2028", "label": 0}\n{"text": "good", "label": 1}')
    data = Imdb().load(tmp_path)
    assert data.train_labels.tolist() == [0, 1]


@pytest.mark.parametrize("end", ["xz", "gz"])
def test_a_damaged_archive_is_named(tmp_path: Path, end: str) -> None:
    """Bytes in its middle are others."""
    write_lines(tmp_path, end)
    path = tmp_path / f"imdb_test_4.jsonl.{end}"
    content = bytearray(path.read_bytes())
    for at in range(len(content) // 3, len(content) // 2):
        content[at] ^= 0x5A
    path.write_bytes(content)
    with pytest.raises(DatasetCorrupt, match=r"imdb_test_4.*fetch it again"):
        Imdb().load(tmp_path)


def test_a_cut_archive_is_named(tmp_path: Path) -> None:
    """A download that broke off."""
    write_lines(tmp_path, "xz")
    path = tmp_path / "imdb_test_4.jsonl.xz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DatasetCorrupt, match=r"imdb_test_4.*fetch it again"):
        Imdb().load(tmp_path)


def write_sst2(root: Path, *names: str) -> None:
    parts = (["fine film\t1", "dull\t0"], ["dull film\t0"], ["fine\t1"])
    for name, rows in zip(names, parts, strict=False):
        (root / name).write_text("\n".join(["sentence\tlabel", *rows]) + "\n")


def test_sst2_in_glue_s_files(tmp_path: Path) -> None:
    """Tested on dev."""
    write_sst2(tmp_path, "train.tsv", "dev.tsv")
    data = Sst2(length=2).load(tmp_path)
    assert (data.train_labels.tolist(), data.test_labels.tolist()) == ([1, 0], [0])


def test_sst2_in_three_files(tmp_path: Path) -> None:
    """Training and dev together are the training part."""
    write_sst2(tmp_path, "SST-2_train.tsv", "SST-2_dev.tsv", "SST-2_test.tsv")
    data = Sst2(length=2).load(tmp_path)
    assert (data.train_labels.tolist(), data.test_labels.tolist()) == ([1, 0, 0], [1])


def test_a_bad_phrase_is_named(tmp_path: Path) -> None:
    """GLUE's own test part has no labels."""
    write_sst2(tmp_path, "train.tsv", "dev.tsv")
    (tmp_path / "dev.tsv").write_text("sentence\tlabel\nfine\t\n")
    with pytest.raises(DatasetCorrupt, match=r"dev\.tsv:2: no sentence with label"):
        Sst2().load(tmp_path)
    (tmp_path / "dev.tsv").write_text("index\tsentence\n0\tfine\n")
    with pytest.raises(DatasetCorrupt, match=r"dev\.tsv:1: the first line must be"):
        Sst2().load(tmp_path)


def tweet(user: str, number: int) -> str:
    polarity = "024"[number % 3]
    return f'"{polarity}","{number}","Mon","NO_QUERY","{user}","caf\xe9, number {number}"'


def test_sent140_goes_by_user(tmp_path: Path) -> None:
    """Those with enough tweets; neutral ones left out; a fifth is for testing."""
    rows = [tweet("ann", i) for i in range(30)] + [tweet("bob", i) for i in range(15)]
    rows += [tweet("eve", i) for i in range(4)]
    (tmp_path / "tweets.csv").write_bytes("\n".join(rows).encode("latin-1"))
    data = Sent140(min_per_user=10, length=3).load(tmp_path)
    assert (len(data.train_labels), len(data.test_labels)) == (24, 6)
    assert set(data.train_labels.tolist()) == {0, 1}
    assert data.users is not None
    assert set(data.users.tolist()) == {0, 1}
    everyone = Sent140(min_per_user=1).load(tmp_path)
    assert len(everyone.train_labels) + len(everyone.test_labels) == 33
    with pytest.raises(DatasetCorrupt, match="no user has 50 tweets"):
        Sent140(min_per_user=50).load(tmp_path)


def test_other_tables_are_not_sent140(tmp_path: Path) -> None:
    """A file of another dataset in the same folder is passed over; a bad row is named."""
    (tmp_path / "a.csv").write_text("user,film,rating\n1,2,3\n")
    with pytest.raises(DatasetMissing):
        Sent140().load(tmp_path)
    (tmp_path / "b.csv").write_text("\n".join([tweet("ann", 0), "1,2,3"]))
    with pytest.raises(DatasetCorrupt, match=r"b\.csv:2: no tweet"):
        Sent140().load(tmp_path)


def test_vader_s_tweets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative below 0; the file's content is checked."""
    rows = [f"{i}\t{rating}\ttweet {i}" for i, rating in enumerate([1.5, -0.2, 0, -3, 2] * 2)]
    content = "\r\n".join(rows).encode()
    (tmp_path / "tweets_GroundTruth.txt").write_bytes(content)
    with pytest.raises(DatasetCorrupt, match="not the published tweets_GroundTruth"):
        VaderTweets().load(tmp_path)
    monkeypatch.setattr(vader, "_SHA256", hashlib.sha256(content).hexdigest())
    data = VaderTweets().load(tmp_path)
    assert (len(data.train_labels), len(data.test_labels)) == (8, 2)
    assert int(data.train_labels.sum() + data.test_labels.sum()) == 6


PLAY = "ANN:\nGood day.\n\nBOB:\nSo it is;\nI said so.\n\nIt rains.\n\nANN:\nFine: it does.\n\n" * 4


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short play in place of Shakespeare's."""
    (tmp_path / "input.txt").write_text(PLAY)
    monkeypatch.setattr(shakespeare, "_SHA256", hashlib.sha256(PLAY.encode()).hexdigest())
    return tmp_path


def test_shakespeare_in_stretches(play: Path) -> None:
    """Each label is the next character; test and training part do not meet."""
    data = TinyShakespeare(context=10).load(play)
    letters = sorted(set(PLAY))

    def text(codes: np.ndarray) -> str:
        return "".join(letters[code] for code in codes.ravel())

    cut = int(0.9 * len(PLAY))
    assert text(data.train_inputs) == PLAY[: len(data.train_inputs) * 10]
    assert text(data.train_labels) == PLAY[1 : len(data.train_inputs) * 10 + 1]
    assert text(data.test_inputs) == PLAY[cut:][: len(data.test_inputs) * 10]
    assert (data.classes, data.counts, data.answer) == (len(letters), (len(letters),), "tokens")


def test_shakespeare_s_users_are_who_speaks(play: Path) -> None:
    """A speech without a name goes on with who spoke; a colon within a line is no name."""
    data = TinyShakespeare(context=1).load(play)
    assert data.users is not None
    speaker = {
        PLAY.index(line): name
        for line, name in (("Good", 0), ("I said", 1), ("rains", 1), ("Fine", 0), ("does", 0))
    }
    assert {at: int(data.users[at]) for at in speaker} == speaker


def test_a_context_beyond_the_text_is_refused(play: Path) -> None:
    """The test part has a few dozen characters."""
    with pytest.raises(Infeasible, match=r"dataset\.context: 1000 is more"):
        TinyShakespeare(context=1000).load(play)
