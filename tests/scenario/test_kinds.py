"""Sections told apart by their kind."""

from typing import Annotated, Literal

import pytest

from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError
from netsim.scenario.kinds import one_of


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
