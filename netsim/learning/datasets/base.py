"""What every dataset is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from netsim.learning.base import Float32, Int64
from netsim.learning.layout import Shape


@dataclass(frozen=True)
class Data:
    """Samples with labels from 0 to ``classes`` − 1, fixed once and for all.

    Inputs are Float32[S, …] in [0, 1], images Float32[S, channels, height, width]; labels are
    Int64[S]. Shared by all tasks of the process: not to be written to.
    """

    train_inputs: Float32
    train_labels: Int64
    test_inputs: Float32
    test_labels: Int64
    classes: int

    @property
    def shape(self) -> Shape:
        """The shape of one input."""
        return self.train_inputs.shape[1:]


class Dataset(ABC):
    """A published dataset in its own format; read once a process."""

    name: ClassVar[str]

    @abstractmethod
    def load(self, folder: Path | None = None) -> Data:
        """The data, from ``folder`` or, by default, from where datasets are kept.

        Raises DatasetMissing or DatasetCorrupt.
        """
