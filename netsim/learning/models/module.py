"""A user's own network, by import path."""

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, final

from pydantic import BeforeValidator, Field

from netsim.learning.errors import Infeasible, first_line
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
    foreign: ClassVar[bool] = True
    module: Annotated[str, BeforeValidator(_path)]
    args: dict[str, Any] = Field(default_factory=dict)

    def build(self, signature: Signature) -> "nn.Module":
        """As in the base class; Infeasible as well if the class cannot be imported or called."""
        from torch import nn

        made = self._called(self._class())
        if not isinstance(made, nn.Module):
            raise Infeasible(f"{self.module} gives no torch.nn.Module", *_MODULE)
        self._check(made)
        return made

    def _check(self, made: "nn.Module") -> None:
        import torch
        from torch import nn

        from netsim.learning.flat import buffers

        parameters = dict(made.named_parameters())
        held = chain(made.named_parameters(), made.named_buffers())
        lazy = [name for name, each in held if nn.parameter.is_lazy(each)]
        if lazy:
            text = f"has parameters without a size, first {lazy[0]}; give its layers their sizes"
            raise Infeasible(f"{self.module} {text}", *_MODULE)
        if not any(each.numel() for each in parameters.values()):
            raise Infeasible(f"{self.module} has no parameters", *_MODULE)
        types = {parameter.dtype for parameter in parameters.values()}
        places = {parameter.device.type for parameter in parameters.values()}
        frozen = [name for name, each in parameters.items() if not each.requires_grad]
        if types != {torch.float32}:
            found = ", ".join(sorted(map(str, types)))
            raise Infeasible(f"{self.module} has parameters of {found}, not float32", *_MODULE)
        other = [
            f"{name} of {buffer.dtype}"
            for name, _, _, buffer in buffers(made, statistics=True)
            if buffer.dtype != torch.float32
        ]
        if other:
            raise Infeasible(
                f"{self.module} has a running statistic {other[0]}, not float32; register it as a "
                "buffer that is not persistent if it does not change",
                *_MODULE,
            )
        if places != {"cpu"}:
            found = ", ".join(sorted(places))
            raise Infeasible(f"{self.module} has parameters on {found}, not on cpu", *_MODULE)
        if frozen:
            raise Infeasible(
                f"{self.module} has parameters without a gradient, first {frozen[0]}; "
                "register them as buffers that are not persistent",
                *_MODULE,
            )

    def _class(self) -> Any:
        path, name = self.module.split(":")
        try:
            with _current_folder():
                found: Any = importlib.import_module(path)
        except (Exception, SystemExit) as error:
            # A user's code may raise anything.
            raise Infeasible(f"cannot import {path!r}: {first_line(error)}", *_MODULE) from error
        for part in name.split("."):
            if not hasattr(found, part):
                raise Infeasible(f"no {name!r} in {path!r}{hint(part, dir(found))}", *_MODULE)
            found = getattr(found, part)
        return found

    def _called(self, function: Any) -> object:
        try:
            return function(**self.args)
        except (Exception, SystemExit) as error:
            what, where = ("refuses them", _ARGS) if self.args else ("cannot be made", _MODULE)
            raise Infeasible(f"{self.module} {what}: {first_line(error)}", *where) from error


@contextmanager
def _current_folder() -> Iterator[None]:
    """Modules of the current folder can be imported meanwhile."""
    here = os.getcwd()
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
