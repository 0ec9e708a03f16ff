"""Fashion-MNIST."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal, final

from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.folders import first_with
from netsim.learning.datasets.idx_images import idx_images
from netsim.learning.datasets.sources import Debian, Member, Source

_SHA256 = {
    "train-images-idx3-ubyte": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
    "train-labels-idx1-ubyte": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
    "t10k-images-idx3-ubyte": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
    "t10k-labels-idx1-ubyte": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
}
"""Checksums of the files' content, unpacked."""


@final
class FashionMnist(Dataset):
    """60,000 and 10,000 pictures of clothing of 28×28 pixels: the four idx files.

    Source: Xiao, Rasul and Vollgraf 2017, arXiv:1708.07747.
    """

    kind: Literal["fashion_mnist"] = "fashion_mnist"
    title: ClassVar[str] = "Fashion-MNIST, pictures of clothing"
    names: ClassVar[tuple[str, ...]] = ("fashion_mnist", "fashion-mnist")
    files: ClassVar[str] = f"its files {', '.join(_SHA256)} (or the same with .gz)"
    source: ClassVar[Source | None] = Debian(
        "dataset-fashion-mnist",
        "",
        {f"{name}.gz": Member((f"/{name}.gz",), sha) for name, sha in _SHA256.items()},
    )

    def installed(self) -> Sequence[Path]:
        """Where the Debian package puts it."""
        return [Path("/usr/share/datasets/fashion-mnist")]

    def is_in(self, place: Path) -> bool:
        return first_with([place], _SHA256) is not None

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class."""
        return idx_images(self.locate(folder), tuple(_SHA256.items()))
