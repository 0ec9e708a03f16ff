"""Models of texts and of ratings."""

import numpy as np
import pytest
import torch

from netsim.kernel.streams import Streams
from netsim.learning.errors import Infeasible
from netsim.learning.flat import FlatModule
from netsim.learning.models import Factors, Gpt, LeNet5, Mlp, Model, TextMean, TextTransformer
from netsim.learning.models.initial import initial_model
from netsim.learning.signature import Signature

TEXTS = Signature((6,), 3, counts=(20,))
PLAY = Signature((6,), 20, "tokens", (20,))
PAIRS = Signature((2,), 1, "rating", (5, 7))
SMALL = {"width": 8, "heads": 2, "depth": 2}


def flat(model: Model, signature: Signature) -> FlatModule:
    return initial_model(model, signature, Streams(1))


def tokens(*rows: list[int]) -> torch.Tensor:
    return torch.tensor([row + [0] * (6 - len(row)) for row in rows])


@pytest.mark.parametrize(
    ("model", "signature", "parameters"),
    [
        (TextMean(width=8), TEXTS, 20 * 8 + 72 + 27),
        (TextTransformer(**SMALL), TEXTS, 26 * 8 + 2 * (12 * 64 + 13 * 8) + 16 + 27),
        (Gpt(**SMALL), PLAY, 26 * 8 + 2 * (12 * 64 + 13 * 8) + 16),
        (Factors(rank=4), PAIRS, 12 * 4),
        (Factors(), Signature((2,), 1, "rating", (943, 1682)), 52_500),
        (Factors(), Signature((2,), 1, "rating", (610, 9724)), 206_680),
    ],
)
def test_sizes(model: Model, signature: Signature, parameters: int) -> None:
    """A block has 12·D² weights and 13·D biases and norms; the GPT's output is its embedding.

    The last number is that of Shatter, Table 1, for MovieLens.
    """
    assert flat(model, signature).layout.size == parameters


@pytest.mark.parametrize("model", [TextMean(width=8), TextTransformer(**SMALL)])
def test_padding_does_not_count(model: Model) -> None:
    """A longer row of padding, and what stands beside it in the batch, change nothing."""
    module = flat(model, TEXTS).module
    whole = module(tokens([3, 4], [5, 6, 7, 8, 9, 10], []))
    assert torch.allclose(module(tokens([3, 4])), whole[:1], atol=1e-6)
    short = flat(model, Signature((3,), 3, counts=(20,)))
    assert whole.isfinite().all()
    if isinstance(model, TextMean):
        assert torch.allclose(short.module(torch.tensor([[3, 4, 0]])), whole[:1], atol=1e-6)


def test_the_order_of_words_counts_for_the_transformer_alone() -> None:
    """It has positions; a mean has none."""
    one, other = tokens([3, 4, 5]), tokens([5, 4, 3])
    mean = flat(TextMean(width=8), TEXTS).module
    assert torch.allclose(mean(one), mean(other), atol=1e-6)
    ordered = flat(TextTransformer(**SMALL), TEXTS).module
    assert not torch.allclose(ordered(one), ordered(other), atol=1e-6)


def test_a_gpt_does_not_look_ahead() -> None:
    """Scores at a place depend on the tokens up to it alone."""
    module = flat(Gpt(**SMALL), PLAY).module
    text = tokens([1, 2, 3, 4, 5, 6])
    scores = module(text)
    assert scores.shape == (1, 6, 20)
    for place in range(1, 6):
        changed = text.clone()
        changed[0, place:] = 9
        assert torch.allclose(module(changed)[:, :place], scores[:, :place], atol=1e-6)
        assert not torch.allclose(module(changed)[:, place], scores[:, place], atol=1e-6)


def test_a_rating_is_a_scalar_product() -> None:
    """Of the user's and the film's own vectors."""
    model = flat(Factors(rank=4), PAIRS)
    users, films = (part.detach().numpy() for part in model.parts())
    ratings = model.module(torch.tensor([[4, 0], [1, 6]])).detach().numpy()
    assert np.allclose(ratings, [users[4] @ films[0], users[1] @ films[6]])


@pytest.mark.parametrize(
    ("model", "signature", "message"),
    [
        (TextMean(), PLAY, "text_mean needs texts with a class each"),
        (TextTransformer(), Signature((1, 28, 28), 10), "not inputs of 1×28×28 numbers"),
        (Gpt(), TEXTS, "gpt needs texts to go on with, not inputs of 6 tokens"),
        (Gpt(heads=3), PLAY, r"model\.heads: 3 heads do not divide width 64"),
        (Factors(), TEXTS, "needs pairs of user and film"),
        (LeNet5(), TEXTS, "lenet5 needs square images"),
        (Mlp(), PAIRS, "mlp needs inputs of real numbers"),
    ],
)
def test_models_and_datasets_that_do_not_fit(
    model: Model, signature: Signature, message: str
) -> None:
    """Each is refused before anything is trained, saying what it needs."""
    with pytest.raises(Infeasible, match=message):
        flat(model, signature)
