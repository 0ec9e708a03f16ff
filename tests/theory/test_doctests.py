"""Every worked example in the docstrings holds."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import netsim.theory

MODULES = [module.name for module in pkgutil.iter_modules(netsim.theory.__path__, "netsim.theory.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    """Each module's examples run and print what they say."""
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_functions_have_examples(name: str) -> None:
    """No public function without a worked example, and one with a source for each equation."""
    module = importlib.import_module(name)
    tests = {test.name: test for test in doctest.DocTestFinder().find(module)}
    public = [
        value
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == name and key[0] != "_"
    ]
    assert public
    for function in public:
        assert tests[f"{name}.{function.__name__}"].examples, function
        equation = re.match(r"eq(\d+)_", function.__name__)
        if equation is not None:
            assert f"Eq. {equation[1]}" in (function.__doc__ or "")
