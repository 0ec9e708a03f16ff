"""A small BERT that was never trained, saved in a folder, and reviews of one word."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from netsim.kernel.streams import Streams
from netsim.learning.config import TaskConfig
from netsim.learning.task import TrainingTask

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "good", "bad", "film", "sad"]
REVIEWS = {
    "train": [("good film", 1), ("bad film", 0)] * 8,
    "test": [("good film", 1), ("bad film", 0)],
}

MakeTask = Callable[..., TrainingTask]


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A folder with a configuration and a tokenizer."""
    folder = tmp_path / "bert"
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n")
    settings = {"tokenizer_class": "BertTokenizer", "do_lower_case": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "config.json").write_text(json.dumps({"model_type": "bert"}))
    return folder


@pytest.fixture
def bert(tokenizer: Path) -> Path:
    """A folder with a small BERT for two classes as well."""
    save_bert(tokenizer, labels=2)
    return tokenizer


def save_bert(folder: Path, labels: int, **settings: Any) -> None:
    """One layer of 8 numbers on texts of up to 16 tokens."""
    reason = "transformers is not installed; pip install transformers"
    transformers = pytest.importorskip("transformers", reason=reason)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    sizes |= {
        "initializer_range": 0.2,
        "intermediate_size": 16,
        "max_position_embeddings": 16,
        "vocab_size": len(WORDS),
    }
    config = transformers.BertConfig(**(sizes | settings), num_labels=labels)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        transformers.BertForSequenceClassification(config).save_pretrained(folder)


@pytest.fixture
def on_reviews(tmp_path: Path) -> MakeTask:
    """Builds a task on the reviews, with the model in a folder."""
    for part, reviews in REVIEWS.items():
        rows = [json.dumps({"text": text, "label": label}) for text, label in reviews]
        (tmp_path / f"{part}.jsonl").write_text("\n".join(rows))

    def make(folder: Path, length: int = 6, seed: int = 7, **settings: Any) -> TrainingTask:
        model = {"kind": "hugging_face", "folder": str(folder)}
        dataset = {"kind": "imdb", "length": length}
        config = TaskConfig.model_validate(
            {"dataset": dataset, "model": model, "lr": 0.3} | settings
        )
        return TrainingTask.build(config, 2, Streams(seed), tmp_path)

    return make
