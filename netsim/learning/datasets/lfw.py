"""LFW: faces of known people."""

from functools import cache
from glob import escape
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.datasets.base import Data, Dataset, held_back
from netsim.learning.datasets.pictures import classes_in, read_pictures
from netsim.learning.errors import DatasetCorrupt

_FACE = 0.5
"""The share of a picture's side that faces fill."""
_TEST_SHARE = 0.2


@final
class Lfw(Dataset):
    """Faces of people with ``min_faces`` pictures or more, in grey, at ``side`` × ``side``.

    A folder a person, aligned or not; the middle half of each picture is taken, and a fifth of
    the pictures, drawn at random and always the same, is for testing.  Source: Huang et al. 2007,
    Labeled Faces in the Wild.
    """

    kind: Literal["lfw"] = "lfw"
    title: ClassVar[str] = "LFW, labelled faces in the wild"
    names: ClassVar[tuple[str, ...]] = (
        "lfw",
        "lfw_home/lfw_funneled",
        "lfw_funneled",
        "lfw-deepfunneled",
    )
    files: ClassVar[str] = "a folder for each person with NAME_0001.jpg … (lfw.tgz unpacked)"
    side: int = Field(default=64, ge=8, le=250)
    min_faces: int = Field(default=20, ge=2)

    def is_in(self, place: Path) -> bool:
        if not place.is_dir():
            return False
        return any(
            next(inner.glob(f"{escape(inner.name)}_0001.*"), None) for inner in place.iterdir()
        )

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return _load(self, self.locate(folder))


@cache
def _load(self: Lfw, folder: Path) -> Data:
    known = [pictures for pictures in classes_in(folder) if len(pictures) >= self.min_faces]
    if len(known) < 2:
        raise DatasetCorrupt(f"{folder}: fewer than two people with {self.min_faces} pictures")
    labelled = [(path, label) for label, paths in enumerate(known) for path in paths]
    images = read_pictures([path for path, _ in labelled], self.side, grey=True, middle=_FACE)
    labels = np.array([label for _, label in labelled], np.int64)
    test = held_back(self.kind, len(labels), _TEST_SHARE)
    names = tuple(paths[0].parent.name for paths in known)
    return Data(
        *(images[~test], labels[~test], images[test], labels[test], len(known)), names=names
    )
