"""Did you mean …?"""

import doctest
from types import ModuleType

import pytest

from netsim.scenario import errors, suggest
from netsim.scenario.suggest import closest, hint, quoted, unknown


@pytest.mark.parametrize("module", [errors, suggest])
def test_examples(module: ModuleType) -> None:
    """The examples in the docstrings hold."""
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def test_capitals_do_not_hide_the_nearest_word() -> None:
    """LeNet5 is lenet5; nothing is near zzz."""
    assert closest("LENET5", ["mlp", "lenet5"]) == "lenet5"
    assert closest("zzz", ["mlp", "lenet5"]) is None
    assert hint("zzz", ["mlp"]) == ""


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("compute", ["uplink", "router"], None),
        ("epochs", ["local_epochs", "batch"], "local_epochs"),
        ("bach", ["batch", "lr"], "batch"),
        ("oplink", ["uplink", "downlink"], "uplink"),
        ("", ["uplink"], None),
    ],
)
def test_words_that_look_alike_by_chance_are_not_meant(
    word: str, known: list[str], meant: str | None
) -> None:
    """They begin otherwise, and neither holds the other."""
    assert closest(word, known) == meant


def test_nothing_near_lists_what_is_known() -> None:
    """Without a suggestion the list alone remains."""
    assert unknown("model", "zzz", ["mlp", "lenet5"]) == "unknown model 'zzz'; known: mlp, lenet5"
    assert unknown("model", 3, ["mlp"]) == "unknown model 3; known: mlp"


def test_long_values_are_cut() -> None:
    """A message never holds a whole page of input."""
    assert len(quoted("x" * 10_000)) < 70
    assert quoted("a\nb") == r"'a\nb'"
