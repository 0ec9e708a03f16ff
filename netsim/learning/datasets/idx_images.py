"""Images and labels in idx files: MNIST and those made like it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from netsim.learning.base import Float32, Int64
from netsim.learning.datasets.base import Data
from netsim.learning.datasets.idx import read_idx
from netsim.learning.datasets.published import read_published

CLASSES = 10
_BRIGHTEST = np.float32(255)


@cache
def idx_images(folder: Path, sha256: tuple[tuple[str, str], ...]) -> Data:
    """Ten classes of grey images from the four files in ``folder``, packed or not.

    ``sha256`` has the checksum of each file's content.  Raises DatasetCorrupt.
    """
    sums = dict(sha256)
    train, test = _images(folder, "train", sums), _images(folder, "t10k", sums)
    return Data(train, _labels(folder, "train", sums), test, _labels(folder, "t10k", sums), CLASSES)


def _images(folder: Path, part: str, sums: Mapping[str, str]) -> Float32:
    pixels = _array(folder, f"{part}-images-idx3-ubyte", sums)
    scaled = pixels[:, None].astype(np.float32)
    scaled /= _BRIGHTEST
    return scaled


def _labels(folder: Path, part: str, sums: Mapping[str, str]) -> Int64:
    return _array(folder, f"{part}-labels-idx1-ubyte", sums).astype(np.int64)


def _array(
    folder: Path, name: str, sums: Mapping[str, str]
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return read_idx(read_published(folder, name, sums[name]))
