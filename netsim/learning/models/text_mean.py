"""A classifier on the mean of a text's token embeddings."""

from typing import TYPE_CHECKING, ClassVar, Literal, final

from pydantic import Field

from netsim.learning.models.base import Network
from netsim.learning.models.tokens import check_tokens
from netsim.learning.signature import Signature

if TYPE_CHECKING:
    from torch import nn


@final
class TextMean(Network):
    """The mean embedding of the words that are there, a hidden layer of ReLU, and the classes.

    Source: as fastText, Joulin et al. 2017, with a hidden layer.
    """

    kind: Literal["text_mean"] = "text_mean"
    stack_limit: ClassVar[int] = 0
    width: int = Field(default=64, ge=1, le=65536)

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are texts with a class each."""
        check_tokens(self, signature, "class")
        from torch import nn

        from netsim.learning.models.attention import MeanOfWords

        embedding = nn.Embedding(signature.counts[0], self.width)
        hidden, out = nn.Linear(self.width, self.width), nn.Linear(self.width, signature.outputs)
        return nn.Sequential(MeanOfWords(embedding), hidden, nn.ReLU(), out)
