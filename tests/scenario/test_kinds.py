"""Sections told apart by their kind."""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

import pytest

from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError
from netsim.scenario.kinds import one_of
from netsim.scenario.shape import keys, kinds, members
from netsim.studies.scenario import Scenario


class Shape(Config):
    kind: str


class Circle(Shape):
    kind: Literal["circle"] = "circle"
    radius: int = 1


class Box(Shape):
    kind: Literal["box", "square"] = "box"
    box: int = 2


class Drawing(Config):
    shapes: tuple[Annotated[Shape, one_of(Circle, Box)], ...]
    frame: Annotated[Shape, one_of(Box)] = Box()


def _parse(text: str) -> Drawing:
    return Document.of(text, "s.yaml").parse(Drawing)


def test_kinds_and_their_short_form() -> None:
    """A bare text is a section with its kind alone; one class may have two kinds."""
    drawing = _parse("{shapes: [circle, {kind: circle, radius: 3}, square], frame: box}")
    assert drawing.shapes == (Circle(), Circle(radius=3), Box(kind="square"))
    assert drawing.frame == Box()


def test_models_are_taken_as_they_are() -> None:
    """In Python the sections themselves may be given, and are written with all their fields."""
    drawing = Drawing(shapes=(Circle(radius=3),))
    assert drawing.model_dump(mode="json") == {
        "shapes": [{"kind": "circle", "radius": 3}],
        "frame": {"kind": "box", "box": 2},
    }


def test_single_kind() -> None:
    """A choice of one still knows its kind."""
    with pytest.raises(ScenarioError) as caught:
        _parse("{shapes: [], frame: {kind: bx}}")
    expected = "s.yaml:1:28: frame.kind: unknown kind 'bx'; did you mean 'box'? known: box, square"
    assert str(caught.value) == expected


def test_field_named_like_its_kind() -> None:
    """The name that pydantic adds for the kind is told from a key of the same name."""
    with pytest.raises(ScenarioError) as caught:
        _parse("shapes: [{kind: box, box: x}]")
    expected = "s.yaml:1:27: shapes[0].box: must be a whole number, not the text 'x'"
    assert str(caught.value) == expected


def test_a_kind_twice_is_our_own_mistake() -> None:
    """Two classes cannot share a kind."""
    with pytest.raises(AssertionError, match="a kind twice"):
        one_of(Circle, Circle)


def _with_kinds() -> Iterator[tuple[type[Config], str]]:
    """Every section of scenarios with a key that is a choice of kinds, and that key."""
    seen: list[type[Config]] = [Scenario]
    for cls in seen:
        for key, expected in keys(cls).items():
            choice = kinds(expected)
            options = choice.classes if choice else _inside(expected)
            seen += [each for each in options if each not in seen]
            if any(kinds(each) for each in (expected, *members(expected))):
                yield cls, key


def _inside(expected: Any) -> list[type[Config]]:
    """The sections within a type."""
    choice = kinds(expected)
    if choice:
        return list(choice.classes)
    if isinstance(expected, type) and issubclass(expected, Config):
        return [expected]
    return [cls for each in get_args(expected) for cls in _inside(each)]


@pytest.mark.parametrize(
    ("section", "key"),
    [pytest.param(*each, id=".".join((each[0].__name__, each[1]))) for each in _with_kinds()],
)
@pytest.mark.parametrize("written", ["nonsense", "{kind: nonsense}"])
def test_unknown_kinds_are_told_in_plain_words(
    section: type[Config], key: str, written: str
) -> None:
    """Wherever a scenario has a choice of kinds, optional or not, the known ones are listed.

    Or, where the text may be a quantity, how one is written.
    """
    with pytest.raises(ScenarioError) as caught:
        Document.of(f"{key}: {written}", "s.yaml").parse(section)
    (line,) = [
        line
        for line in str(caught.value).splitlines()
        if f" {key}" in line and "missing key" not in line
    ]
    assert "nonsense" in line
    assert re.search(r"known: |must be a (rate|duration) such as", line)
