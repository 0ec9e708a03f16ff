"""What is learned from: one file a dataset."""

from typing import Annotated

from netsim.learning.datasets.base import Data, Dataset
from netsim.learning.datasets.cifar10 import Cifar10
from netsim.learning.datasets.digits import Digits
from netsim.learning.datasets.fashion_mnist import FashionMnist
from netsim.learning.datasets.image_folder import ImageFolder
from netsim.learning.datasets.imdb import Imdb
from netsim.learning.datasets.lfw import Lfw
from netsim.learning.datasets.mnist import Mnist
from netsim.learning.datasets.movielens import MovieLens
from netsim.learning.datasets.orl import Orl
from netsim.learning.datasets.sent140 import Sent140
from netsim.learning.datasets.shakespeare import TinyShakespeare
from netsim.learning.datasets.sst2 import Sst2
from netsim.learning.datasets.vader import VaderTweets
from netsim.scenario.kinds import one_of

DATASETS: tuple[type[Dataset], ...] = (
    Digits,
    Mnist,
    FashionMnist,
    Cifar10,
    Imdb,
    Sst2,
    Sent140,
    VaderTweets,
    TinyShakespeare,
    MovieLens,
    Orl,
    Lfw,
    ImageFolder,
)

AnyDataset = Annotated[Dataset, one_of(*DATASETS, noun="dataset")]
"""A field: one of the datasets."""

__all__ = ["DATASETS", "AnyDataset", "Data", "Dataset", "Digits", "Mnist"]
