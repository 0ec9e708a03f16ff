"""Folders whose files cannot be used, each told in a line."""

import os
import sys
from pathlib import Path

import pytest
import torch

from netsim.learning.errors import Infeasible
from netsim.learning.models import HuggingFace
from netsim.learning.signature import Signature
from tests.learning.saved.conftest import WORDS, MakeTask, save_bert


class _Attack:
    """Makes a folder when it is unpickled."""

    def __init__(self, made: Path) -> None:
        self._made = made

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self._made),)


def test_without_the_package(
    tokenizer: Path, on_reviews: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what to install."""
    (tokenizer / "model.safetensors").touch()
    monkeypatch.setitem(sys.modules, "transformers", None)
    text = r"task\.model: transformers is not installed; write: pip install transformers"
    with pytest.raises(Infeasible, match=text):
        on_reviews(tokenizer)


def test_other_tasks(bert: Path) -> None:
    """It classifies texts."""
    model, images = HuggingFace(folder=bert), Signature((1, 28, 28), 10)
    with pytest.raises(Infeasible, match="hugging_face needs texts with a class each, not inputs"):
        model.build(images)


def test_a_vocabulary_that_is_too_large(tokenizer: Path, on_reviews: MakeTask) -> None:
    """Of the tokenizer, for the network."""
    save_bert(tokenizer, labels=2, vocab_size=5)
    with pytest.raises(Infeasible, match=f"tokenizer has {len(WORDS)} tokens and .* knows 5; put"):
        on_reviews(tokenizer)


def test_texts_that_are_too_long(bert: Path, on_reviews: MakeTask) -> None:
    """For the positions there are."""
    text = r"task\.dataset\.length: 17 tokens are more than the 16 that the model can take"
    with pytest.raises(Infeasible, match=text):
        on_reviews(bert, length=17)


def test_weights_of_another_network(bert: Path, on_reviews: MakeTask) -> None:
    """A configuration with a layer more than there are weights for."""
    config = bert / "config.json"
    text = config.read_text()
    config.write_text(text.replace('"num_hidden_layers": 1', '"num_hidden_layers": 2'))
    with pytest.raises(
        Infeasible, match=r"lack 16 of its network's, first bert\.encoder\.layer\.1"
    ):
        on_reviews(bert)


@pytest.mark.parametrize("content", [b"", b"no weights at all", b"\xff" * 64])
def test_damaged_weights(bert: Path, on_reviews: MakeTask, content: bytes) -> None:
    """Whatever the package says of them."""
    (bert / "model.safetensors").write_bytes(content)
    with pytest.raises(Infeasible, match=r"task\.model\.folder: .* cannot be read: "):
        on_reviews(bert)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"model_type": "nothing"}', "{"])
def test_a_damaged_configuration(bert: Path, on_reviews: MakeTask, content: str) -> None:
    """Or that of a network nobody knows."""
    (bert / "config.json").write_text(content)
    with pytest.raises(Infeasible, match=r"task\.model\.folder: "):
        on_reviews(bert)


def test_weights_that_would_run_code(bert: Path, on_reviews: MakeTask, tmp_path: Path) -> None:
    """A pickle that calls something is refused, and nothing is called."""
    (bert / "model.safetensors").unlink()
    torch.save({"weights": _Attack(tmp_path / "made")}, bert / "pytorch_model.bin")
    with pytest.raises(Infeasible, match="cannot be read"):
        on_reviews(bert)
    assert not (tmp_path / "made").exists()


def test_texts_of_nothing_but_marks(bert: Path, on_reviews: MakeTask) -> None:
    """Beginning and end take two tokens."""
    text = r"task\.dataset\.length: 2 tokens, where 2 mark beginning and end; write more"
    with pytest.raises(Infeasible, match=text):
        on_reviews(bert, length=2)
    assert on_reviews(bert, length=3).n > 0
