"""CIFAR-10 in both its versions, whole or in part."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from netsim.learning.datasets import cifar10 as module
from netsim.learning.datasets.cifar10 import Cifar10
from netsim.learning.errors import DatasetCorrupt, DatasetMissing


def images(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (count, 3072), np.uint8), rng.integers(0, 10, count)


def write_binary(path: Path, count: int, seed: int) -> None:
    pixels, labels = images(count, seed)
    np.concatenate([labels[:, None], pixels], 1).astype(np.uint8).tofile(path)


def write_python(path: Path, count: int, seed: int) -> None:
    pixels, labels = images(count, seed)
    batch = {b"data": pixels, b"labels": labels.tolist(), b"batch_label": b"a part"}
    path.write_bytes(pickle.dumps(batch, protocol=2))


@pytest.fixture(params=["binary", "python"])
def part(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Two training batches and a test batch, in the folder that the archive has."""
    binary = request.param == "binary"
    folder = tmp_path / ("cifar-10-batches-bin" if binary else "cifar-10-batches-py")
    folder.mkdir()
    for name, count, seed in (("data_batch_1", 5, 1), ("data_batch_3", 4, 2), ("test_batch", 3, 3)):
        write = write_binary if binary else write_python
        write(folder / (f"{name}.bin" if binary else name), count, seed)
    return tmp_path


def test_a_part_is_read_in_both_versions(part: Path) -> None:
    """Batches one after the other; planes red, green, blue; labels first in a record."""
    data = Cifar10().load(part)
    (one, first), (three, second), (test, third) = images(5, 1), images(4, 2), images(3, 3)
    expected = np.concatenate([one, three]).reshape(-1, 3, 32, 32) / np.float32(255)
    assert np.array_equal(data.train_inputs, expected.astype(np.float32))
    assert data.train_labels.tolist() == [*first, *second]
    assert np.array_equal(data.test_inputs[2].ravel() * 255, test[2])
    assert data.test_labels.tolist() == third.tolist()


def test_without_a_test_batch_it_is_missing(part: Path) -> None:
    """One of each kind is needed."""
    for path in part.rglob("test_batch*"):
        path.unlink()
    with pytest.raises(DatasetMissing, match=r"data_batch_1\.bin"):
        Cifar10().load(part)


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: b"\xff" * 3073]
)
def test_a_corrupt_batch_is_named(part: Path, damage: Callable[[bytes], bytes]) -> None:
    """Cut, empty, labels that are none."""
    (path,) = part.rglob("data_batch_1*")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DatasetCorrupt) as caught:
        Cifar10().load(part)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("labels", [5, [[1], [2], [3]]])
def test_labels_of_another_shape_are_told(tmp_path: Path, labels: object) -> None:
    """A single number, and a column of them."""
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    for name in ("data_batch_1", "test_batch"):
        batch = {b"data": images(3, 1)[0], b"labels": labels}
        (folder / name).write_bytes(pickle.dumps(batch, protocol=2))
    with pytest.raises(DatasetCorrupt, match="holds other arrays than a batch"):
        Cifar10().load(tmp_path)


class _Harmful:
    def __reduce__(self) -> object:
        return os.mkdir, ("harmed",)


def test_code_in_a_python_batch_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle may name any function; none but numpy's arrays are made."""
    monkeypatch.chdir(tmp_path)
    write_python(tmp_path / "test_batch", 1, 1)
    (tmp_path / "data_batch_1").write_bytes(pickle.dumps({b"data": _Harmful(), b"labels": [1]}))
    with pytest.raises(DatasetCorrupt, match=r"posix\.mkdir|os\.mkdir"):
        Cifar10().load(tmp_path)
    assert not (tmp_path / "harmed").exists()


@pytest.mark.parametrize("level", [125.307, 126.5])
def test_the_whole_is_known_by_its_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: float
) -> None:
    """As many images as published must have the published mean of each colour."""
    monkeypatch.setattr(module, "_WHOLE", 400)
    means = 255 * np.array(module._MEANS)
    means[0] = level
    pixels = np.zeros((400, 3, 1024), np.uint8)
    for channel, mean in enumerate(means):
        flat = np.full(400 * 1024, int(mean), np.uint8)
        flat[: round((mean - int(mean)) * len(flat))] += 1
        pixels[:, channel] = flat.reshape(400, 1024)
    labels = np.arange(400) % 10
    records = np.concatenate([labels[:, None], pixels.reshape(400, -1)], 1).astype(np.uint8)
    records.tofile(tmp_path / "data_batch_1.bin")
    write_binary(tmp_path / "test_batch.bin", 2, 1)
    if level == 126.5:
        with pytest.raises(DatasetCorrupt, match="not the published CIFAR-10"):
            Cifar10().load(tmp_path)
    else:
        assert len(Cifar10().load(tmp_path).train_labels) == 400


TILES = Path(os.environ.get("NETSIM_DATA", "none")) / "unpack_cifar10.py"


@pytest.mark.skipif(not TILES.is_file(), reason="no part of CIFAR-10 to unpack in NETSIM_DATA")
def test_a_real_part(tmp_path: Path) -> None:
    """20,000 and 5,000 photographs, balanced, with about the colours of the whole."""
    subprocess.run([sys.executable, str(TILES), str(tmp_path)], check=True, capture_output=True)
    data = Cifar10().load(tmp_path)
    assert data.train_inputs.shape == (20000, 3, 32, 32)
    assert np.bincount(data.train_labels).tolist() == [2000] * 10
    assert np.bincount(data.test_labels).tolist() == [500] * 10
    assert np.abs(data.train_inputs.mean((0, 2, 3)) - module._MEANS).max() < 0.002
