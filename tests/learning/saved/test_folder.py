"""What a folder must hold, and that its files are always the same ones."""

from pathlib import Path

import pytest

from netsim.learning.models import HuggingFace
from netsim.scenario.resolve import dump


@pytest.fixture
def saved(tokenizer: Path) -> Path:
    """A folder that looks whole; nothing is read as a model here."""
    (tokenizer / "model.safetensors").write_bytes(b"weights")
    return tokenizer


@pytest.mark.parametrize(
    ("lacking", "message"),
    [
        ("config.json", r"has no configuration \(config.json\); save_pretrained"),
        ("model.safetensors", r"has no weights \(model.safetensors or pytorch_model.bin\)"),
        ("vocab.txt", r"has no tokenizer \(tokenizer.json or vocab.txt\)"),
    ],
)
def test_what_is_missing_is_named(saved: Path, lacking: str, message: str) -> None:
    """And how to get it."""
    (saved / lacking).unlink()
    with pytest.raises(ValueError, match=message):
        HuggingFace(folder=saved)


def test_no_folder(tmp_path: Path) -> None:
    """A path that leads to nothing, or to a file."""
    (tmp_path / "file").touch()
    for name in ("nowhere", "file"):
        with pytest.raises(ValueError, match=f"no folder '.*{name}'; save_pretrained"):
            HuggingFace(folder=tmp_path / name)


def test_a_resolved_scenario_names_the_files(saved: Path) -> None:
    """By a checksum that changes with weights, tokenizer and configuration, not with others."""
    model = HuggingFace(folder=saved)
    assert f"sha256: {model.sha256}" in dump(model)
    (saved / "README.md").write_text("about it")
    assert HuggingFace(folder=saved, sha256=model.sha256) == model
    for name in ("model.safetensors", "vocab.txt", "config.json"):
        before = (saved / name).read_bytes()
        (saved / name).write_bytes(before + b"\n")
        with pytest.raises(ValueError, match=r"the files in .* are others, with sha256 [0-9a-f]+"):
            HuggingFace(folder=saved, sha256=model.sha256)
        (saved / name).write_bytes(before)
    assert HuggingFace(folder=saved) == model
    with pytest.raises(ValueError, match=f"are others, with sha256 {model.sha256}"):
        HuggingFace(folder=saved, sha256="no checksum")
