"""The batches that CIFAR-10 is published in."""

import io
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from netsim.learning.base import Int64
from netsim.learning.errors import DatasetCorrupt

Batch = tuple[npt.NDArray[np.uint8], Int64]
"""Images UInt8[S, 3, 32, 32] and labels Int64[S]."""

_SHAPE = (3, 32, 32)
_RECORD = 1 + 3 * 32 * 32
_CLASSES = 10
_NEEDED = frozenset(
    {
        ("numpy.core.multiarray", "_reconstruct"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy", "ndarray"),
        ("numpy", "dtype"),
        ("_codecs", "encode"),
    }
)
"""All that a pickled array needs; nothing else in a file is called."""


def binary_batch(path: Path) -> Batch:
    """A file of records: a byte for the label, then the red, green and blue pixels by row."""
    content = np.frombuffer(path.read_bytes(), np.uint8)
    if len(content) == 0 or len(content) % _RECORD:
        raise DatasetCorrupt(f"{path} holds no whole number of records of {_RECORD} bytes")
    records = content.reshape(-1, _RECORD)
    return _checked(path, records[:, 1:], records[:, 0].astype(np.int64))


def python_batch(path: Path) -> Batch:
    """A pickled mapping with ``data`` UInt8[S, 3072] and ``labels``; runs no code of the file."""
    try:
        found = _Arrays(io.BytesIO(path.read_bytes()), encoding="bytes").load()
        data, labels = np.asarray(found[b"data"]), np.asarray(found[b"labels"], np.int64)
    except Exception as error:
        # A damaged pickle may raise anything.
        raise DatasetCorrupt(f"{path} is no batch of CIFAR-10 ({error}); fetch it again") from error
    if data.dtype != np.uint8 or (data.shape, labels.ndim) != ((labels.size, _RECORD - 1), 1):
        raise DatasetCorrupt(f"{path} holds other arrays than a batch of CIFAR-10")
    return _checked(path, data, labels)


def _checked(path: Path, pixels: npt.NDArray[np.uint8], labels: Int64) -> Batch:
    if labels.min(initial=0) < 0 or labels.max(initial=0) >= _CLASSES:
        raise DatasetCorrupt(f"{path} has labels outside 0 to {_CLASSES - 1}; fetch it again")
    return pixels.reshape(-1, *_SHAPE), labels


class _Arrays(pickle.Unpickler):
    """Reads numpy arrays and plain values alone."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _NEEDED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return super().find_class(module, name)
