"""ORL: faces of forty people."""

import re
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.base import Float32
from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.pictures import read_pictures
from netsim.learning.datasets.published import read_published

_MAT = "olivettifaces.mat"
_MAT_SHA256 = "b612fb967f2dc77c9c62d3e1266e0c73d5fca46a4b8906c18e454d41af987794"
_PEOPLE, _EACH, _TRAINING = 40, 10, 8
_PERSON = re.compile(r"s\d{1,2}")


@final
class Orl(Dataset):
    """Ten grey pictures of each of 40 people, at ``side`` × ``side``; the last two test.

    AT&T's folders s1 to s40 of .pgm files (the square in the middle of each), or the file of
    64×64 pictures that scikit-learn fetches.  Source: Samaria and Harter 1994.
    """

    kind: Literal["orl"] = "orl"
    title: ClassVar[str] = "ORL (AT&T, Olivetti) faces"
    names: ClassVar[tuple[str, ...]] = ("orl", "att_faces", "orl_faces")
    files: ClassVar[str] = f"its folders s1 … s40 with 1.pgm … 10.pgm in each, or {_MAT}"
    side: int = Field(default=64, ge=8, le=112)

    def is_in(self, place: Path) -> bool:
        return (place / _MAT).is_file() or len(_people(place)) == _PEOPLE

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _load(self, self.locate(folder))


def _people(place: Path) -> list[Path]:
    if not place.is_dir():
        return []
    found = [inner for inner in place.iterdir() if _PERSON.fullmatch(inner.name)]
    return sorted(found, key=lambda inner: int(inner.name[1:]))


@cache
def _load(self: Orl, folder: Path) -> Data:
    images = _from_mat(folder, self.side) if (folder / _MAT).is_file() else _from_pgm(self, folder)
    labels = np.repeat(np.arange(_PEOPLE), _EACH)
    test = np.arange(len(labels)) % _EACH >= _TRAINING
    return Data(images[~test], labels[~test], images[test], labels[test], _PEOPLE)


def _from_pgm(self: Orl, folder: Path) -> Float32:
    paths = [person / f"{i}.pgm" for person in _people(folder) for i in range(1, _EACH + 1)]
    return read_pictures(paths, self.side, grey=True)


def _from_mat(folder: Path, side: int) -> Float32:
    """The published 64×64 pictures, columns of a matrix; other sizes are resampled."""
    from PIL import Image

    faces = _checked_mat(folder)["faces"].T
    upright = np.asarray(faces, np.uint8).reshape(-1, 64, 64).transpose(0, 2, 1)
    small = [
        np.asarray(Image.fromarray(face).resize((side, side), Image.Resampling.BILINEAR))
        for face in upright
    ]
    return np.stack(small)[:, None].astype(np.float32) / np.float32(255)


def _checked_mat(folder: Path) -> dict[str, Any]:
    from scipy.io import loadmat

    read_published(folder, _MAT, _MAT_SHA256)
    found: dict[str, Any] = loadmat(str(folder / _MAT))
    return found
