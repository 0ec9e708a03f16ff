"""Every worked example in the docstrings holds."""

import doctest
import importlib
import pkgutil

import pytest

import netsim.theory

MODULES = [module.name for module in pkgutil.iter_modules(netsim.theory.__path__, "netsim.theory.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Each module's examples run and print what they say."""
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_functions_of_the_paper_have_examples() -> None:
    """No closed form without a worked example."""
    finder = doctest.DocTestFinder()
    for name in ("distribution", "volumes", "phase"):
        module = importlib.import_module(f"netsim.theory.{name}")
        tests = {test.name.rpartition(".")[2]: test for test in finder.find(module)}
        public = [key for key in tests if key.endswith(("_s", "_volume")) and key[0] != "_"]
        assert public
        assert not [key for key in public if not tests[key].examples]
