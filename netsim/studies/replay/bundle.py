"""Files of arrays and JSON that are whole or not there at all."""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy.typing as npt

from netsim.results.errors import unwritable

Arrays = Mapping[str, npt.NDArray[Any]]
_HEAD: Final = 8


class Bundle(NamedTuple):
    """JSON values and named arrays."""

    values: Any
    arrays: Arrays


class BundleDamaged(ValueError):
    """A file is cut short or changed, or was never a bundle."""


def save(path: Path, bundle: Bundle) -> None:
    """Put a safetensors file at ``path``, in one step; the JSON stands in its metadata.

    Raises ``ResultsError`` where the disk is full or fails, and leaves what was there.
    """
    from safetensors.numpy import save as serialised

    text = json.dumps(bundle.values, ensure_ascii=False, allow_nan=False)
    metadata = {"netsim": text, "sha256": _digest(text, bundle.arrays)}
    replace(path, serialised(dict(bundle.arrays), metadata))


def load(path: Path) -> Bundle:
    """What was saved at ``path``; raises `BundleDamaged`, or ``OSError`` if it cannot be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as deserialised

    data = path.read_bytes()
    try:
        arrays = deserialised(data)
        header = json.loads(data[_HEAD : _HEAD + int.from_bytes(data[:_HEAD], "little")])
        metadata = header["__metadata__"]
        text, digest = metadata["netsim"], metadata["sha256"]
        values = json.loads(text)
    except (SafetensorError, ValueError, LookupError, TypeError) as error:
        raise BundleDamaged(f"{path} is damaged: {error}") from error
    if digest != _digest(text, arrays):
        raise BundleDamaged(f"{path} is damaged: its checksum does not fit")
    return Bundle(values, arrays)


def replace(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path`` on the disk itself, in one step.

    Raises ``ResultsError`` where the disk is full or fails, and leaves what was there.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise unwritable(path, error) from error


def _digest(text: str, arrays: Arrays) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(arrays[name].reshape(-1).view("u1").data)
    return digest.hexdigest()
