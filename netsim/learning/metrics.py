"""The metrics a task may be judged by."""

from dataclasses import dataclass
from typing import Final

from netsim.learning.signature import Answer


@dataclass(frozen=True)
class Metric:
    """``name`` as in results; ``rises`` whether more is better."""

    name: str
    rises: bool


METRIC: Final[dict[Answer, Metric]] = {
    "class": Metric("accuracy", True),
    "tokens": Metric("perplexity", False),
    "rating": Metric("rmse", False),
}
"""What models are compared by, for each kind of answer."""
