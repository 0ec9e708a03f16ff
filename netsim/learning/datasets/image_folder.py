"""Pictures in a folder a class."""

from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np
from pydantic import Field

from netsim.learning.datasets.base import Data, Dataset, held_back
from netsim.learning.datasets.pictures import classes_in, read_pictures
from netsim.learning.errors import Infeasible


@final
class ImageFolder(Dataset):
    """A folder ``name`` with a folder of pictures for each class, such as some of ImageNet's.

    The square in the middle of each is taken, ``side`` × ``side``, in ``colour`` or grey; a share
    ``test`` of the pictures, drawn at random and always the same, is for testing.
    """

    kind: Literal["image_folder"] = "image_folder"
    title: ClassVar[str] = "your own pictures, a folder a class"
    names: ClassVar[tuple[str, ...]] = ("image_folder",)
    files: ClassVar[str] = "a folder of pictures for each of two classes or more"
    name: str = Field(default="image_folder", min_length=1)
    side: int = Field(default=32, ge=1, le=1024)
    colour: bool = True
    test: float = Field(default=0.2, gt=0, lt=1)

    def is_in(self, place: Path) -> bool:
        return (place / self.name).is_dir() and len(classes_in(place / self.name)) > 1

    def wanted(self) -> str:
        """As in the base class, with the folder's own name."""
        return f"a folder {self.name!r} with {self.files}"

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class; Infeasible where a part would be empty."""
        return _load(self, self.locate(folder))


@cache
def _load(self: ImageFolder, folder: Path) -> Data:
    classes = classes_in(folder / self.name)
    names = tuple(paths[0].parent.name for paths in classes)
    labelled = [(path, label) for label, paths in enumerate(classes) for path in paths]
    test = held_back(self.kind, len(labelled), self.test)
    if test.all() or not test.any():
        text = f"{self.test} of {len(labelled)} pictures leaves none to train on or none to test"
        raise Infeasible(text, "task", "dataset", "test")
    images = read_pictures([path for path, _ in labelled], self.side, not self.colour)
    labels = np.array([label for _, label in labelled], np.int64)
    return Data(
        *(images[~test], labels[~test], images[test], labels[test], len(classes)), names=names
    )
