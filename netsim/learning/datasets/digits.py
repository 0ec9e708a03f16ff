"""The digits that come with scikit-learn."""

from functools import cache
from pathlib import Path
from typing import ClassVar, Literal, final

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64
from netsim.learning.datasets.base import Data, Dataset

_CLASSES = 10
_LEVELS = 16
_ENLARGED = 2
_TEST_SHARE = 0.2


@final
class Digits(Dataset):
    """1,797 handwritten digits of 8×8 pixels and 17 levels, each pixel doubled to 16×16.

    The split into 1,438 for training and 359 for testing, a fifth of each class, is always the
    same. Source: Alpaydin and Kaynak 1998, UCI machine learning repository, test part.
    """

    kind: Literal["digits"] = "digits"
    title: ClassVar[str] = "digits of scikit-learn, 8×8 doubled to 16×16"
    names: ClassVar[tuple[str, ...]] = ("digits",)
    files: ClassVar[str] = "nothing (it is embedded)"
    embedded: ClassVar[bool] = True

    def is_in(self, place: Path) -> bool:
        """Wherever one looks."""
        return True

    def load(self, folder: Path | None = None) -> Data:
        """As in the base class; they are embedded, so ``folder`` does not matter."""
        return _load()


@cache
def _load() -> Data:
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    labels = labels.astype(np.int64)
    side = np.float32(images.reshape(-1, 1, 8, 8) / _LEVELS)
    inputs = side.repeat(_ENLARGED, axis=2).repeat(_ENLARGED, axis=3)
    test = _test_part(labels)
    return Data(inputs[~test], labels[~test], inputs[test], labels[test], _CLASSES)


def _test_part(labels: Int64) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Bool[S]: which samples are for testing."""
    test = np.zeros(len(labels), bool)
    for label in range(_CLASSES):
        members = np.flatnonzero(labels == label)
        rng = Streams(0).rng("digits split", label)
        test[rng.choice(members, round(_TEST_SHARE * len(members)), replace=False)] = True
    return test
