"""Layers of models of texts.

Shapes: B texts, L tokens, D numbers a token, H heads.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from netsim.learning.datasets.words import PADDING


class MeanOfWords(nn.Module):
    """From tokens Int64[B, L] to the mean of the embeddings of those that are no padding."""

    def __init__(self, embedding: nn.Embedding) -> None:
        super().__init__()
        self.embedding = embedding

    def forward(self, tokens: Tensor) -> Tensor:
        """Float32[B, D]; zero for an empty text."""
        return mean_of_words(self.embedding(tokens), tokens)


def mean_of_words(vectors: Tensor, tokens: Tensor) -> Tensor:
    """The mean over L of ``vectors`` [B, L, D] where ``tokens`` are no padding."""
    there = (tokens != PADDING).unsqueeze(-1).to(vectors.dtype)
    return (vectors * there).sum(-2) / there.sum(-2).clamp(min=1)


class Block(nn.Module):
    """Self-attention and a perceptron, each after layer normalisation and around it a shortcut."""

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.heads, self.causal = heads, causal
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.mixed = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """From [B, L, D] to the same; ``mask`` Bool[B, 1, 1, L] says which tokens may be seen."""
        x = x + self._attention(self.before_attention(x), mask)
        total: Tensor = x + self.mlp(self.before_mlp(x))
        return total

    def _attention(self, x: Tensor, mask: Tensor | None) -> Tensor:
        size = x.shape[-1] // self.heads
        parts = self.queries_keys_values(x).unflatten(-1, (3, self.heads, size))
        query, key, value = parts.movedim(-2, -4).unbind(-2)
        seen = scaled_dot_product_attention(query, key, value, mask, is_causal=self.causal)
        mixed: Tensor = self.mixed(seen.movedim(-3, -2).flatten(-2))
        return mixed


class Transformer(nn.Module):
    """Embedded tokens with learned positions through ``depth`` blocks; [B, L, D]."""

    def __init__(
        self, tokens: int, length: int, width: int, heads: int, depth: int, causal: bool
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(tokens, width)
        self.position = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads, causal) for _ in range(depth))
        self.last = nn.LayerNorm(width)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """The vectors of the tokens after the last block, normalised."""
        x = self.embedding(tokens) + self.position(torch.arange(tokens.shape[-1]))
        for block in self.blocks:
            x = block(x, mask)
        last: Tensor = self.last(x)
        return last


class TextClassifier(nn.Module):
    """The mean over a text's words of what a transformer makes of them, and a linear layer."""

    def __init__(self, transformer: Transformer, width: int, classes: int) -> None:
        super().__init__()
        self.transformer = transformer
        self.classes = nn.Linear(width, classes)

    def forward(self, tokens: Tensor) -> Tensor:
        """[B, classes] from Int64[B, L]; padding is not seen, but by itself in an empty text."""
        there = tokens != PADDING
        # A text without any word sees its first place, lest attention divide by zero.
        first = torch.arange(tokens.shape[-1]) == 0
        seen = there | (first & ~there.any(-1, keepdim=True))
        vectors = self.transformer(tokens, seen.unsqueeze(-2).unsqueeze(-2))
        answer: Tensor = self.classes(mean_of_words(vectors, tokens))
        return answer


class NextTokenHead(nn.Module):
    """Scores for the token after each: the transformer's vectors times the embeddings."""

    def __init__(self, transformer: Transformer) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(self, tokens: Tensor) -> Tensor:
        """[B, L, tokens] from Int64[B, L]."""
        scores: Tensor = self.transformer(tokens) @ self.transformer.embedding.weight.T
        return scores
