"""Learning from weights of one's own."""

import socket
from pathlib import Path

import numpy as np
import pytest
import torch

from netsim.kernel.streams import Streams
from netsim.learning.base import Float32
from netsim.learning.config import TaskConfig
from netsim.learning.models import HuggingFace
from netsim.learning.models.initial import initial_model
from netsim.learning.signature import Signature
from tests.learning.saved.conftest import WORDS, MakeTask, save_bert

TEXTS = Signature((6,), 2, counts=(len(WORDS),))


def start(folder: Path, seed: int = 7, signature: Signature = TEXTS) -> dict[str, Float32]:
    """The first parameters by name."""
    flat = initial_model(HuggingFace(folder=folder), signature, Streams(seed))
    return dict(
        zip(flat.layout.names, (part.detach().numpy() for part in flat.parts()), strict=True)
    )


def test_texts_are_in_its_own_tokens(bert: Path, on_reviews: MakeTask, tmp_path: Path) -> None:
    """With the marks of beginning and end, cut and padded; the dataset's words do not count."""
    on_reviews(bert)
    model = {"kind": "hugging_face", "folder": str(bert)}
    dataset = {"kind": "imdb", "length": 5, "vocabulary": 3}
    data = TaskConfig.model_validate({"dataset": dataset, "model": model, "lr": 1}).load(tmp_path)
    assert data.train_inputs[:2].tolist() == [[2, 5, 7, 3, 0], [2, 6, 7, 3, 0]]
    assert data.test_inputs.tolist() == [[2, 5, 7, 3, 0], [2, 6, 7, 3, 0]]
    short = {"dataset": dataset | {"length": 3}, "model": model, "lr": 1}
    assert TaskConfig.model_validate(short).load(tmp_path).test_inputs.tolist() == [
        [2, 5, 3],
        [2, 6, 3],
    ]
    assert data.counts == (len(WORDS),)


def test_padding_is_not_seen(bert: Path) -> None:
    """More of it changes nothing."""
    module = initial_model(HuggingFace(folder=bert), TEXTS, Streams(1)).module.eval()
    short, long = torch.tensor([[2, 5, 3]]), torch.tensor([[2, 5, 3, 0, 0, 0]])
    assert torch.allclose(module(short), module(long), atol=1e-6)
    assert not torch.allclose(module(short), module(torch.tensor([[2, 6, 3]])), atol=1e-6)


def test_it_starts_from_its_weights(bert: Path) -> None:
    """Whatever the seed, head and all, where that is for as many classes."""
    from safetensors.numpy import load_file

    saved, found = load_file(bert / "model.safetensors"), start(bert)
    assert {f"network.{name}" for name in saved} == set(found)
    assert all(np.array_equal(found[f"network.{name}"], each) for name, each in saved.items())


def test_a_head_that_does_not_fit_is_made_anew(bert: Path) -> None:
    """From the scenario's seed; the encoder's weights stay."""
    head, layer = "network.classifier.weight", "network.bert.embeddings.word_embeddings.weight"
    three = Signature((6,), 3, counts=(len(WORDS),))
    one, same, other = start(bert, 1, three), start(bert, 1, three), start(bert, 2, three)
    assert one[head].shape == (3, 8)
    assert np.array_equal(one[head], same[head])
    assert not np.array_equal(one[head], other[head])
    assert np.array_equal(one[layer], start(bert)[layer])


def test_it_learns(bert: Path, on_reviews: MakeTask) -> None:
    """Two words are told apart after some rounds; the same seed gives the same bits."""
    task, again = on_reviews(bert, holdout=0.2), on_reviews(bert, holdout=0.2)
    model = task.initial
    for round in range(30):
        updates = [task.update(client, model, round).value() for client in range(2)]
        if round == 0:
            others = [again.update(client, model, 0).value() for client in range(2)]
            assert all(map(np.array_equal, updates, others))
        mean, before = sum(updates) / 2, model.value()
        model = task.defer(lambda mean=mean, before=before: before - np.float32(0.3) * mean)
    (first, last) = task.evaluate([task.initial, model])
    assert last.loss < first.loss / 2
    assert last.accuracy == 1


def test_nobody_is_asked_over_a_network(
    bert: Path, on_reviews: MakeTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No connection is tried."""

    def refuse(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert on_reviews(bert).n > 0


def test_weights_of_torchs_own_format(bert: Path) -> None:
    """The same start from pytorch_model.bin."""
    from safetensors.torch import load_file

    expected = start(bert)
    torch.save(load_file(bert / "model.safetensors"), bert / "pytorch_model.bin")
    (bert / "model.safetensors").unlink()
    found = start(bert)
    assert all(np.array_equal(found[name], each) for name, each in expected.items())


def test_an_encoder_without_a_pooler(bert: Path) -> None:
    """As some are trained: it starts at random."""
    from safetensors.torch import load_file, save_file

    weights = load_file(bert / "model.safetensors")
    kept = {name: each for name, each in weights.items() if ".pooler." not in name}
    save_file(kept, bert / "model.safetensors", {"format": "pt"})
    assert np.isfinite(start(bert)["network.bert.pooler.dense.weight"]).all()


def test_bigger_models_have_more_parameters(tokenizer: Path, on_reviews: MakeTask) -> None:
    """What the folder describes is what is trained."""
    save_bert(tokenizer, labels=2)
    small = on_reviews(tokenizer).n
    save_bert(tokenizer, labels=2, num_hidden_layers=2)
    assert on_reviews(tokenizer).n > small
