"""Values of a run as JSON and arrays."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any, final

import numpy as np
import numpy.typing as npt

_PLAIN = (bool, int, float, str, type(None))


@final
class Packer:
    """Takes values apart; an array that comes up twice is kept once."""

    def __init__(self) -> None:
        self.arrays: dict[str, npt.NDArray[Any]] = {}
        self._names: dict[int, str] = {}
        self._packed: list[Any] = []

    def pack(self, value: Any) -> Any:
        """JSON for ``value``: numbers, texts, arrays, and tuples, lists, mappings and dataclasses
        of them.

        Raises ``TypeError`` for anything else.
        """
        if isinstance(value, np.ndarray):
            return {"array": self._array(value)}
        if type(value) in _PLAIN:
            return value
        if type(value) in (tuple, list):
            return {type(value).__name__: [self.pack(each) for each in value]}
        if isinstance(value, dict):
            return {"dict": [[self.pack(key), self.pack(each)] for key, each in value.items()]}
        if is_dataclass(value) and not isinstance(value, type):
            cls = type(value)
            parts = {each.name: self.pack(getattr(value, each.name)) for each in fields(value)}
            return {"class": [cls.__module__, cls.__qualname__], "fields": parts}
        raise TypeError(f"a {type(value).__name__} cannot be kept in a checkpoint")

    def _array(self, array: npt.NDArray[Any]) -> str:
        if id(array) not in self._names:
            self._packed.append(array)
            self._names[id(array)] = f"value {len(self.arrays)}"
            self.arrays[self._names[id(array)]] = array.copy(order="C")
        return self._names[id(array)]


def unpack(packed: Any, arrays: Mapping[str, npt.NDArray[Any]]) -> Any:
    """What was packed.  Dataclasses are those of netsim alone."""
    if not isinstance(packed, dict):
        return packed
    if "array" in packed:
        return arrays[packed["array"]]
    if "class" in packed:
        module, name = packed["class"]
        assert module.startswith("netsim."), f"{module}.{name} in a checkpoint"
        make: Any = getattr(import_module(module), name)
        return make(**{key: unpack(each, arrays) for key, each in packed["fields"].items()})
    if "dict" in packed:
        return {unpack(key, arrays): unpack(each, arrays) for key, each in packed["dict"]}
    ((kind, parts),) = packed.items()
    items = [unpack(each, arrays) for each in parts]
    return tuple(items) if kind == "tuple" else items
