"""What every dataset is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from netsim.kernel.streams import Streams
from netsim.learning.base import Float32, Int64
from netsim.learning.datasets.folders import folders, home
from netsim.learning.datasets.sources import Source
from netsim.learning.errors import DatasetMissing
from netsim.learning.layout import Shape
from netsim.learning.signature import Answer, Signature
from netsim.scenario.config import Config

Inputs = Float32 | Int64
Labels = Float32 | Int64


@dataclass(frozen=True)
class Data:
    """Samples with what is to be answered, fixed once and for all.

    Inputs are Float32[S, …], images Float32[S, channels, height, width] in [0, 1]; or whole
    numbers Int64[S, …], see ``Signature.counts``.  Labels are, by ``answer``, classes Int64[S]
    from 0 to ``classes`` − 1, the next tokens Int64[S, L] of as many, or ratings Float32[S].
    ``users`` Int64[S] says who each training sample is from, where that is known; ``names`` what
    the classes are called, where they have names.  Shared by all tasks of the process: not to be
    written to.
    """

    train_inputs: Inputs
    train_labels: Labels
    test_inputs: Inputs
    test_labels: Labels
    classes: int
    answer: Answer = "class"
    counts: tuple[int, ...] = ()
    users: Int64 | None = None
    names: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        """The shape of one input."""
        return self.train_inputs.shape[1:]

    @property
    def signature(self) -> Signature:
        """What a model must take and give."""
        return Signature(self.shape, self.classes, self.answer, self.counts)

    @property
    def strata(self) -> Int64:
        """Int64[S]: what partitions by label go by: the class, the rating, or the text's user."""
        if self.answer == "tokens":
            count = len(self.train_labels)
            return np.zeros(count, np.int64) if self.users is None else self.users
        if self.answer == "rating":
            return np.unique(self.train_labels, return_inverse=True)[1].astype(np.int64)
        return self.train_labels.astype(np.int64, copy=False)

    @property
    def stratum_names(self) -> tuple[str, ...]:
        """What each of the ``strata`` is called."""
        if self.answer == "rating":
            return tuple(f"{rating:g}" for rating in np.unique(self.train_labels).tolist())
        return self.names or tuple(map(str, range(int(self.strata.max()) + 1)))


class Tokenizer(ABC):
    """Turns texts into a model's own tokens; one is equal to another that does the same.

    Tokens are whole numbers from 0, below ``size``.
    """

    size: int

    @abstractmethod
    def encode(self, texts: Sequence[str], length: int) -> Int64:
        """Int64[S, length]: the first tokens of each text, and the padding after them."""

    @abstractmethod
    def __hash__(self) -> int:
        """As equal ones have it."""


class Dataset(Config, ABC):
    """A published dataset in its own format; read once a process.

    ``title`` is its name in full; ``names`` are those its folder may have, the first its own;
    ``files`` tells what must be in it; ``source`` is a public package that has them;
    ``embedded``: it comes with what netsim needs.
    """

    kind: str
    title: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    files: ClassVar[str]
    source: ClassVar[Source | None] = None
    embedded: ClassVar[bool] = False

    @abstractmethod
    def load(self, folder: Path | None = None) -> Data:
        """The data, from ``folder`` or, by default, from where datasets are kept.

        Raises DatasetMissing or DatasetCorrupt.
        """

    def tokenized(self, tokenizer: Tokenizer, folder: Path | None = None) -> Data:
        """As ``load``, texts in classes by ``tokenizer``; all else is as it is."""
        return self.load(folder)

    @abstractmethod
    def is_in(self, place: Path) -> bool:
        """Whether a folder holds its files."""

    def wanted(self) -> str:
        """What must be in its folder, for who misses it."""
        return self.files

    def installed(self) -> Sequence[Path]:
        """Folders of installed packages that may hold it."""
        return ()

    def locate(self, folder: Path | None) -> Path:
        """The folder that holds its files; raises DatasetMissing."""
        places = folders(self.names, folder)
        also = [] if folder is not None else self.installed()
        found = next((place for place in (*places, *also) if self.is_in(place)), None)
        if found is None:
            raise DatasetMissing(self._how_to_get_it(places))
        return found.resolve()

    def _how_to_get_it(self, places: Sequence[Path]) -> str:
        looked = ", ".join(map(str, places))
        fetch = ""
        if self.source is not None:
            command = f"'netsim data fetch {self.kind}'"
            fetch = f"Run {command}, which does '{self.source.command}'; or "
        return (
            f"dataset {self.kind} is missing: looked for {self.wanted()} in {looked}. {fetch}"
            f"{'copy' if fetch else 'Copy'} them to {home(self.names[0])}, or set NETSIM_DATA to "
            "their folder"
        )


def held_back(kind: str, count: int, share: float) -> npt.NDArray[np.bool_]:
    """Bool[count]: the samples for testing of a dataset without a test part, always the same."""
    test = np.zeros(count, bool)
    chosen = Streams(0).rng(f"{kind} split").choice(count, round(share * count), replace=False)
    test[chosen] = True
    return test
