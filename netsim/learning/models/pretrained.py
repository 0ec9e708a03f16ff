"""Models and tokenizers read by the package transformers, without a network.

Shapes: B texts, L tokens, C classes.
"""

import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, final

import numpy as np
import torch
from torch import Tensor, nn

from netsim.learning.base import Int64
from netsim.learning.datasets.base import Tokenizer
from netsim.learning.errors import Infeasible, first_line
from netsim.learning.signature import Signature

_FOLDER: Final = ("task", "model", "folder")
_OFFLINE: Final = "HF_HUB_OFFLINE"
_HERE: Final[dict[str, Any]] = {"local_files_only": True, "trust_remote_code": False}


@final
class SavedTokenizer(Tokenizer):
    """The tokenizer in ``folder``, whose files have this ``sha256``."""

    def __init__(self, folder: Path, sha256: str) -> None:
        self._key = folder, sha256
        self._tokenizer = _tokenizer(folder, sha256)
        self.size = len(self._tokenizer)
        self.padding: int = self._tokenizer.pad_token_id

    def encode(self, texts: Sequence[str], length: int) -> Int64:
        """As in the base class, with the marks of beginning and end that are the model's own."""
        marks = self._tokenizer.num_special_tokens_to_add()
        if length <= marks:
            text = f"{length} tokens, where {marks} mark beginning and end; write more"
            raise Infeasible(text, "task", "dataset", "length")
        if not texts:
            return np.zeros((0, length), np.int64)
        found = self._tokenizer(
            list(texts), padding="max_length", truncation=True, max_length=length
        )
        return np.array(found["input_ids"], np.int64)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SavedTokenizer) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@final
class Classifier(nn.Module):
    """Scores Float32[B, C] from tokens Int64[B, L]; those that are ``padding`` are not seen."""

    def __init__(self, network: nn.Module, padding: int) -> None:
        super().__init__()
        self.network = network
        self.padding = padding

    def forward(self, tokens: Tensor) -> Tensor:
        """The scores."""
        seen = (tokens != self.padding).long()
        scores: Tensor = self.network(input_ids=tokens, attention_mask=seen).logits
        return scores


def classifier(folder: Path, tokenizer: SavedTokenizer, signature: Signature) -> Classifier:
    """The network in ``folder`` with its weights and a head for as many classes.

    A head that it lacks, or has for other classes, starts from torch's random state.  Raises
    Infeasible if its files cannot be used, or if it is not for such texts.
    """
    with _reading(folder) as library:
        config = library.AutoConfig.from_pretrained(folder, **_HERE)
        _check_fits(config, tokenizer, signature)
        network, told = library.AutoModelForSequenceClassification.from_pretrained(
            folder,
            num_labels=signature.outputs,
            pad_token_id=tokenizer.padding,
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            output_loading_info=True,
            **_HERE,
        )
        _check_found(folder, network.base_model_prefix, told)
    return Classifier(network, tokenizer.padding).train()


@cache
def _tokenizer(folder: Path, sha256: str) -> Any:
    """Read once a process for each state of its files."""
    with _reading(folder) as library:
        found = library.AutoTokenizer.from_pretrained(folder, **_HERE)
        if found.pad_token_id is None:
            raise Infeasible(f"the tokenizer in {folder} has no padding token", *_FOLDER)
    return found


def _check_fits(config: Any, tokenizer: SavedTokenizer, signature: Signature) -> None:
    known = getattr(config, "vocab_size", tokenizer.size)
    if tokenizer.size > known:
        raise Infeasible(
            f"its tokenizer has {tokenizer.size} tokens and its network knows {known}; "
            "put the tokenizer there that the network was trained with",
            *_FOLDER,
        )
    longest = getattr(config, "max_position_embeddings", signature.shape[0])
    if signature.shape[0] > longest:
        raise Infeasible(
            f"{signature.shape[0]} tokens are more than the {longest} that the model can take",
            *("task", "dataset", "length"),
        )


def _check_found(folder: Path, encoder: str, told: Mapping[str, Any]) -> None:
    """Of the encoder only the pooler may have no weights, which some are trained without."""
    lacking = {*told["missing_keys"], *(name for name, *_ in told["mismatched_keys"])}
    of_encoder = sorted(
        name for name in lacking if name.startswith(f"{encoder}.") and ".pooler." not in name
    )
    if of_encoder:
        raise Infeasible(
            f"the weights in {folder} lack {len(of_encoder)} of its network's, first "
            f"{of_encoder[0]}; put those there that config.json describes",
            *_FOLDER,
        )


@contextmanager
def _reading(folder: Path) -> Iterator[ModuleType]:
    """The package, silent meanwhile; whatever it raises about files becomes Infeasible."""
    library = _library()
    log = library.utils.logging
    verbosity, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity(log.CRITICAL)
    log.disable_progress_bar()
    try:
        yield library
    except Infeasible:
        raise
    except Exception as error:
        # Damaged or foreign files may make it raise anything.
        raise Infeasible(f"{folder} cannot be read: {first_line(error)}", *_FOLDER) from error
    finally:
        log.set_verbosity(verbosity)
        if bars:
            log.enable_progress_bar()


def _library() -> ModuleType:
    """The package transformers, told before it starts that there is no network."""
    before = os.environ.get(_OFFLINE)
    os.environ[_OFFLINE] = "1"
    try:
        return importlib.import_module("transformers")
    except ModuleNotFoundError as error:
        raise Infeasible(
            f"{error.name} is not installed; write: pip install transformers",
            *("task", "model"),
        ) from error
    finally:
        if before is None:
            del os.environ[_OFFLINE]
        else:
            os.environ[_OFFLINE] = before
