"""What a model is fed with and what it must give."""

from dataclasses import dataclass
from typing import Literal

from netsim.learning.layout import Shape

Answer = Literal["class", "tokens", "rating"]


@dataclass(frozen=True)
class Signature:
    """Inputs of ``shape``, and ``outputs`` numbers for each.

    ``answer``: one of so many classes; the next token after each of an input's; or a single
    number.  ``counts``: empty for inputs of real numbers; else inputs are whole numbers from 0,
    below ``counts[0]`` all along a text, below ``counts[i]`` at place i of a pair.
    """

    shape: Shape
    outputs: int
    answer: Answer = "class"
    counts: tuple[int, ...] = ()

    @property
    def is_real(self) -> bool:
        """Whether inputs are real numbers."""
        return not self.counts

    def __str__(self) -> str:
        kind = "numbers" if self.is_real else "tokens"
        if len(self.counts) > 1:
            kind = "indices"
        return f"{'×'.join(map(str, self.shape))} {kind}"
