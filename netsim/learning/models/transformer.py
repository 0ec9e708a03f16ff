"""Small transformers: one that classifies texts, one that goes on with them."""

from typing import TYPE_CHECKING, Literal, final

from pydantic import Field

from netsim.learning.errors import Infeasible
from netsim.learning.models.base import Model
from netsim.learning.models.tokens import check_tokens
from netsim.learning.signature import Answer, Signature

if TYPE_CHECKING:
    from torch import nn

    from netsim.learning.models.attention import Transformer

_DEVIATION = 0.02


class TransformerModel(Model):
    """``depth`` blocks of ``heads`` heads on vectors of ``width`` numbers; no dropout."""

    width: int = Field(default=64, ge=1, le=65536)
    heads: int = Field(default=4, ge=1, le=1024)
    depth: int = Field(default=2, ge=1, le=1024)

    def deviation(self, fan_in: int) -> float:
        """That of GPT-2, whatever the fan-in."""
        return _DEVIATION

    def transformer(self, signature: Signature, answer: Answer) -> "Transformer":
        """The blocks; Infeasible if heads do not divide the width, or for other inputs."""
        check_tokens(self, signature, answer)
        if self.width % self.heads:
            text = f"{self.heads} heads do not divide width {self.width}"
            raise Infeasible(text, "task", "model", "heads")
        from netsim.learning.models.attention import Transformer

        tokens, length = signature.counts[0], signature.shape[0]
        causal = answer == "tokens"
        return Transformer(tokens, length, self.width, self.heads, self.depth, causal)


@final
class TextTransformer(TransformerModel):
    """Classifies a text by the mean of its words after the last block.

    A stand-in for DistilBERT: encoder blocks that see the whole text, padding left out.  Source:
    Vaswani et al. 2017, with layer normalisation before each part.
    """

    kind: Literal["transformer"] = "transformer"

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are texts with a class each."""
        transformer = self.transformer(signature, "class")
        from netsim.learning.models.attention import TextClassifier

        return TextClassifier(transformer, self.width, signature.outputs)


@final
class Gpt(TransformerModel):
    """Goes on with a text: each token sees those before it; output weights are the embeddings.

    Source: Radford et al. 2019 (GPT-2), on a small scale.
    """

    kind: Literal["gpt"] = "gpt"

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; inputs are texts to go on with."""
        transformer = self.transformer(signature, "tokens")
        from netsim.learning.models.attention import NextTokenHead

        return NextTokenHead(transformer)
