"""CIFAR-10."""

from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np

from netsim.learning.base import Float32, Int64
from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.cifar_batches import Batch, binary_batch, python_batch
from netsim.learning.errors import DatasetCorrupt

_CLASSES = 10
_WHOLE = 50_000
_MEANS = (0.4914, 0.4822, 0.4465)
"""Of red, green and blue over the whole training part, as widely published."""
_BRIGHTEST = np.float32(255)


@final
class Cifar10(Dataset):
    """60,000 photographs of 32×32 pixels in ten classes: the binary or the Python version.

    A part will do: those of ``data_batch_1`` to ``data_batch_5`` that are there, and
    ``test_batch``.  Source: Krizhevsky 2009, Learning Multiple Layers of Features from Tiny
    Images.
    """

    kind: Literal["cifar10"] = "cifar10"
    title: ClassVar[str] = "CIFAR-10, small photographs"
    names: ClassVar[tuple[str, ...]] = (
        "cifar10",
        "cifar10/cifar-10-batches-bin",
        "cifar10/cifar-10-batches-py",
        "cifar-10-batches-bin",
        "cifar-10-batches-py",
    )
    files: ClassVar[str] = (
        "its files data_batch_1.bin … data_batch_5.bin and test_batch.bin (the binary version, "
        "cifar-10-binary.tar.gz unpacked), or the same without .bin (the Python version)"
    )

    def is_in(self, place: Path) -> bool:
        return any(_names(place, end) for end in ("", ".bin"))

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _load(self.locate(folder))


def _names(place: Path, end: str) -> list[str]:
    """The batches in a folder, if one for training and one for testing are."""
    training = [f"data_batch_{i}{end}" for i in range(1, 6)]
    there = [name for name in training if (place / name).is_file()]
    return [*there, f"test_batch{end}"] if there and (place / f"test_batch{end}").is_file() else []


@cache
def _load(folder: Path) -> Data:
    binary = bool(_names(folder, ".bin"))
    read = binary_batch if binary else python_batch
    *training, test = [read(folder / name) for name in _names(folder, ".bin" if binary else "")]
    images, labels = _scaled(training)
    if len(labels) == _WHOLE and not _is_published(images):
        raise DatasetCorrupt(f"{folder} is not the published CIFAR-10; fetch it again")
    return Data(images, labels, *_scaled([test]), _CLASSES)


def _scaled(batches: list[Batch]) -> tuple[Float32, Int64]:
    pixels = np.concatenate([images for images, _ in batches]).astype(np.float32)
    pixels /= _BRIGHTEST
    return pixels, np.concatenate([labels for _, labels in batches])


def _is_published(images: Float32) -> bool:
    """Whether the mean of each colour is the known one, to its four digits."""
    means = images.mean(axis=(0, 2, 3), dtype=np.float64)
    return bool(np.abs(means - _MEANS).max() <= 5.1e-5)
