"""The base class of every section of a scenario."""

from typing import Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema

_SCALARS = frozenset({"bool", "float", "int", "str"})
_NOT_SCHEMAS = frozenset({"default", "keys_schema", "metadata", "serialization"})


def _with_strict_scalars(part: Any) -> Any:
    """A copy of a schema whose scalars are strict; keys of mappings stay texts to convert.

    Pydantic's own ``strict=True`` would refuse a list for a tuple as well.
    """
    if isinstance(part, (list, tuple)):
        return type(part)(_with_strict_scalars(item) for item in part)
    if not isinstance(part, dict):
        return part
    copy = {k: v if k in _NOT_SCHEMAS else _with_strict_scalars(v) for k, v in part.items()}
    return copy | {"strict": True} if copy.get("type") in _SCALARS else copy


class Config(BaseModel):
    """A frozen section that knows its keys: others are refused, and so are NaN and infinity.

    Scalars are never converted in silence: ``"20"`` is no number, ``true`` is no 1 and
    ``3.0`` is no whole number. Lists become tuples and texts become paths where a field says so.
    ``whole`` is the model of the file, where this one reads a part of it alone.
    """

    whole: ClassVar[type["Config"] | None] = None

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_default=True, allow_inf_nan=False
    )

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler, /
    ) -> CoreSchema:
        return cast(CoreSchema, _with_strict_scalars(handler(source)))
