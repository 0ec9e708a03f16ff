"""The files of a model that the package transformers has saved."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

_CONFIG: Final = "config.json"
_WEIGHTS: Final = ("model*.safetensors", "pytorch_model*.bin")
_TOKENIZER: Final = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
_ENDS: Final = frozenset({".bin", ".json", ".model", ".safetensors", ".txt"})
_HOW: Final = "save_pretrained of a model and of its tokenizer make such a folder"


def check_saved(folder: Path) -> Path:
    """``folder``, if it has all it needs; raises ValueError that says what is missing."""
    if not folder.is_dir():
        raise ValueError(f"no folder {str(folder)!r}; {_HOW}")
    needed = {
        "configuration (config.json)": (_CONFIG,),
        "weights (model.safetensors or pytorch_model.bin)": _WEIGHTS,
        "tokenizer (tokenizer.json or vocab.txt)": _TOKENIZER,
    }
    for what, patterns in needed.items():
        if not any(path.is_file() for each in patterns for path in folder.glob(each)):
            raise ValueError(f"{str(folder)!r} has no {what}; {_HOW}")
    return folder


def sha256_of(folder: Path) -> str:
    """Of the names and contents of its files that a model and its tokenizer may be read from."""
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in _ENDS and path.is_file():
            stat = path.stat()
            content = _content_sha256(path.resolve(), stat.st_size, stat.st_mtime_ns)
            whole.update(f"{content}  {path.name}\n".encode())
    return whole.hexdigest()


@cache
def _content_sha256(path: Path, size: int, changed_ns: int) -> str:
    """Once a process for each state of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
