"""A choice between sections by their ``kind``."""

from dataclasses import dataclass
from typing import Any, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from netsim.scenario.config import Config


@dataclass(frozen=True)
class Kinds:
    """Metadata of a field: it holds one of these sections, told apart by ``kind``.

    A bare text is short for a section with nothing but its kind; ``noun`` is what messages call
    it.
    """

    classes: tuple[type[Config], ...]
    noun: str = "kind"

    @property
    def by_name(self) -> dict[str, type[Config]]:
        """The section for each kind, in the order given."""
        return {kind: cls for cls in self.classes for kind in _kinds_of(cls)}

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        choices = {kind: handler.generate_schema(cls) for kind, cls in self.by_name.items()}
        return core_schema.no_info_before_validator_function(
            _written_out, core_schema.tagged_union_schema(choices, discriminator="kind")
        )


def one_of(*classes: type[Config], noun: str = "kind") -> Kinds:
    """What makes a field hold one of ``classes``, each with ``kind: Literal["…"] = "…"``.

    Goes beside the common base, which is what a type checker sees:
    ``partition: Annotated[Partition, one_of(Iid, Dirichlet)]``.
    """
    kinds = [kind for cls in classes for kind in _kinds_of(cls)]
    assert kinds, "no kinds to choose from"
    assert len(set(kinds)) == len(kinds), f"a kind twice among {kinds}"
    return Kinds(classes, noun)


def _kinds_of(cls: type[Config]) -> tuple[str, ...]:
    kinds: tuple[str, ...] = get_args(cls.model_fields["kind"].annotation)
    assert kinds, f"{cls.__name__}.kind is no Literal"
    return kinds


def _written_out(given: object) -> object:
    return {"kind": given} if isinstance(given, str) else given
