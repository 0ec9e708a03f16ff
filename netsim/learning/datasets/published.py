"""Published files, checked to be what was published."""

import gzip
import hashlib
import zlib
from pathlib import Path

from netsim.learning.datasets.folders import packed
from netsim.learning.errors import DatasetCorrupt


def read_published(folder: Path, name: str, sha256: str) -> bytes:
    """The content of ``name`` in ``folder``, unpacked if it is kept as .gz.

    Raises DatasetCorrupt if it cannot be unpacked or its checksum is another.
    """
    path = packed(folder, name)
    assert path is not None
    content = path.read_bytes()
    if path.suffix == ".gz":
        content = _unpacked(path, content)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DatasetCorrupt(
            f"{path} is not the published {name}: its content has sha256 {found}, not {sha256}; "
            "fetch it again"
        )
    return content


def _unpacked(path: Path, content: bytes) -> bytes:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise DatasetCorrupt(f"{path} cannot be unpacked ({error}); fetch it again") from error
