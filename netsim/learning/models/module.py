"""A user's own network, by import path."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, final

from pydantic import BeforeValidator, Field

from netsim.learning.errors import Infeasible
from netsim.learning.models.base import Model
from netsim.learning.signature import Signature
from netsim.scenario.suggest import hint, quoted

if TYPE_CHECKING:
    from torch import nn


_MODULE: Final = ("task", "model", "module")
_ARGS: Final = ("task", "model", "args")


def _path(given: object) -> object:
    parts = given.split(":") if isinstance(given, str) else []
    if len(parts) != 2 or not all(
        each.isidentifier() for part in parts for each in part.split(".")
    ):
        raise ValueError(f"must be 'package.module:Class', not {quoted(given)}")
    return given


@final
class Module(Model):
    """Any ``torch.nn.Module``: ``module`` is ``package.module:Class``, called with ``args``.

    Imported from the current folder or from what is installed.  Its parameters, all float32,
    start as its own code leaves them, with torch seeded from the stream "init".
    """

    kind: Literal["module"] = "module"
    keeps_start: ClassVar[bool] = True
    module: Annotated[str, BeforeValidator(_path)]
    args: dict[str, Any] = Field(default_factory=dict)

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; Infeasible as well if the class cannot be imported or called."""
        import torch
        from torch import nn

        made = self._called(self._class())
        if not isinstance(made, nn.Module):
            raise Infeasible(f"{self.module} gives no torch.nn.Module", *_MODULE)
        types = {parameter.dtype for parameter in made.parameters()}
        if types != {torch.float32}:
            found = ", ".join(sorted(map(str, types))) or "none"
            raise Infeasible(f"{self.module} has parameters of {found}, not float32", *_MODULE)
        return made

    def _class(self) -> Any:
        path, name = self.module.split(":")
        try:
            with _current_folder():
                found: Any = importlib.import_module(path)
            for part in name.split("."):
                near = hint(part, dir(found))
                found = getattr(found, part)
        except ImportError as error:
            raise Infeasible(f"cannot import {path!r}: {error}", *_MODULE) from error
        except AttributeError as error:
            raise Infeasible(f"no {name!r} in {path!r}{near}", *_MODULE) from error
        return found

    def _called(self, function: Any) -> object:
        try:
            return function(**self.args)
        except (TypeError, ValueError) as error:
            raise Infeasible(f"{self.module} refuses them: {error}", *_ARGS) from error


@contextmanager
def _current_folder() -> Iterator[None]:
    """Modules of the current folder can be imported meanwhile."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
