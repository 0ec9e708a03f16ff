"""The idx format: arrays of bytes with a header of big-endian sizes."""

import struct
from math import prod

import numpy as np
import numpy.typing as npt

_UNSIGNED_BYTES = 8


def read_idx(content: bytes) -> npt.NDArray[np.uint8]:
    """The array in the content of an idx file.

    Source: Y. LeCun's page on MNIST: two zero bytes, the type, the number of dimensions, their
    sizes as 32-bit numbers, the values. Raises ValueError if this is none of unsigned bytes.
    """
    if len(content) < 4 or content[:3] != bytes((0, 0, _UNSIGNED_BYTES)):
        raise ValueError("no idx file of unsigned bytes")
    dimensions = content[3]
    start = 4 + 4 * dimensions
    if len(content) < start:
        raise ValueError("ends within its header")
    shape = struct.unpack(f">{dimensions}I", content[4:start])
    if len(content) - start != prod(shape):
        raise ValueError(f"{len(content) - start} values where its header says {prod(shape)}")
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)
