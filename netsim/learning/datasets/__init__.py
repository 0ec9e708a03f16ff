"""What is learned from: one file a dataset."""

from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.digits import Digits
from netsim.learning.datasets.mnist import Mnist

DATASETS: tuple[Dataset, ...] = (Digits(), Mnist())

__all__ = ["DATASETS", "Data", "Dataset", "Digits", "Mnist"]
