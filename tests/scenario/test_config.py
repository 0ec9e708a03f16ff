"""Sections are frozen, strict with scalars, and light to import."""

import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Section(Config):
    count: int = 1
    share: float = 0.5
    on: bool = True
    name: str = "x"
    sizes: tuple[int, ...] = ()
    pair: tuple[int, float] = (1, 1.0)
    names: dict[str, float] = Field(default_factory=dict)
    file: Path = Path("x")
    colour: Colour = Colour.RED
    weight: float = Field(default=1.0, alias="lambda")
    some: int | float | Literal["all"] = "all"
    lists: dict[str, tuple[int, ...]] = Field(default_factory=dict)


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": True},
        {"count": "3"},
        {"count": 3.0},
        {"share": "0.5"},
        {"share": True},
        {"share": float("nan")},
        {"share": float("inf")},
        {"on": 1},
        {"on": "yes"},
        {"name": 3},
        {"sizes": ["3"]},
        {"names": {"a": "1"}},
        {"unknown": 1},
    ],
)
def test_nothing_is_converted_in_silence(wrong: dict[str, Any]) -> None:
    """No text is a number, no number a truth value, nothing unknown is taken."""
    with pytest.raises(ValidationError):
        Section.model_validate(wrong)


def test_containers_and_paths_are_converted() -> None:
    """Lists become tuples, texts paths, whole numbers floats."""
    section = Section.model_validate(
        {"sizes": [1, 2], "file": "a/b", "share": 1, "pair": [1, 2], "colour": "blue"}
    )
    assert section.sizes == (1, 2)
    assert section.file == Path("a/b")
    assert section.share == 1.0
    assert section.colour is Colour.BLUE


def test_frozen() -> None:
    """No field of a section can be changed."""
    section = Section()
    for name, value in section:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(section, name, value)


def test_defaults_are_validated() -> None:
    """A wrong default fails at the first use, not as a strange run."""

    class Wrong(Config):
        count: int = Field(default=0, ge=1)

    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        Wrong()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("colour: rde", "1:9: colour: must be 'red' or 'blue', not 'rde'; did you mean 'red'?"),
        ("pair: [1, x]", "1:11: pair[1]: must be a number, not the text 'x'"),
        ("pair: [1]", "1:1: pair[1]: missing entry"),
        ("names: {a: x}", "1:12: names.a: must be a number, not the text 'x'"),
        ("lambda: x", "1:9: lambda: must be a number, not the text 'x'"),
        ("lamda: 1", "1:1: lamda: unknown key 'lamda'; did you mean 'lambda'?"),
        ("some: [1]", "1:7: some: must be a whole number, a number or 'all', not a list"),
        ("lists: {a: [1, x]}", "1:16: lists.a[1]: must be a whole number, not the text 'x'"),
        ("file: 3", "1:7: file: must be a path, not 3"),
        ("{}", None),
    ],
)
def test_places_of_all_types(text: str, line: str | None) -> None:
    """Errors inside tuples, mappings, enumerations and under aliases have their place."""
    document = Document.of(text, "s.yaml")
    if line is None:
        assert document.parse(Section) == Section()
        return
    with pytest.raises(ScenarioError) as caught:
        document.parse(Section)
    assert str(caught.value) == f"s.yaml:{line}"


def test_import_is_light() -> None:
    """Reading a scenario needs no array library."""
    code = (
        "import sys, netsim.scenario.document, netsim.scenario.resolve\n"
        "print([m for m in ('torch', 'numpy', 'numba', 'matplotlib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
