"""A model written out and read again is the same model."""

from typing import Annotated, Any, Literal

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import Field

from netsim.scenario.config import Config
from netsim.scenario.document import Document
from netsim.scenario.kinds import one_of
from netsim.scenario.resolve import dump
from netsim.scenario.units import Duration, Rate, Size, duration


class Node(Config):
    kind: str


class Plain(Node):
    kind: Literal["plain"] = "plain"
    label: str | None = None


class Timed(Node):
    kind: Literal["timed"] = "timed"
    lag: Duration = duration("1 s")
    factor: float = 1.0


class Whole(Config):
    title: str
    count: int = 1
    factors: tuple[float, ...] = ()
    rate: Rate | tuple[Rate, ...] | Literal["any"] = "any"
    size: Size | None = None
    amount: int | float = 1
    on: bool = False
    nodes: tuple[Annotated[Node, one_of(Plain, Timed)], ...] = (Plain(),)
    by_name: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    by_number: dict[int, Annotated[Node, one_of(Plain, Timed)]] = Field(default_factory=dict)
    weight: float = Field(default=0.0, alias="lambda")


TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["1e-3", "no", "true", "~", "null", "", "<<", "=", "12:30:45", "2024-01-01", "0x1F", "1_000",
     "010", "20 Mbit/s", "- a", "a: b", "#", " a ", "a\n", "\n\n", ".inf", "1.", "+1", "!x", "&a",
     "*a", "\x85", "\u2028", "\ufeff", "\x00", "%", "---", "x" * 200, "a b " * 60]
)  # fmt: skip
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
POSITIVE = st.floats(min_value=0, allow_nan=False, allow_infinity=False)
NODES = st.builds(lambda label: {"kind": "plain", "label": label}, TEXTS | st.none()) | st.builds(
    lambda lag, factor: {"kind": "timed", "lag": f"{lag!r} s", "factor": factor},
    st.floats(min_value=1e-9, max_value=1e9),
    FLOATS,
)
RATES = st.floats(min_value=1e-9, max_value=1e20).map(lambda rate_bps: f"{rate_bps!r} bit/s")
WHOLES = st.fixed_dictionaries(
    {"title": TEXTS},
    optional={
        "count": st.integers(),
        "factors": st.lists(FLOATS, max_size=3),
        "rate": RATES | st.lists(RATES, max_size=3) | st.just("any"),
        "size": st.integers(0, 2**60).map(lambda bits: f"{bits} bit"),
        "amount": st.integers() | FLOATS,
        "on": st.booleans(),
        "nodes": st.lists(NODES, max_size=3),
        "by_name": st.dictionaries(
            TEXTS, TEXTS | st.integers() | FLOATS | st.booleans() | st.none(), max_size=3
        ),
        "by_number": st.dictionaries(st.integers(), NODES, max_size=3),
        "lambda": FLOATS,
    },
)


@settings(deadline=None)
@given(WHOLES)
@example({"title": "1e-3", "by_name": {"<<": "no", "1": 1e-05, "": 1e22}})
def test_round_trip(given_: dict[str, Any]) -> None:
    """Equal to the last bit and the last letter, and the text is stable."""
    model = Whole.model_validate(given_)
    text = dump(model)
    again = Document.of(text, "s.yaml").parse(Whole)
    assert again == model
    assert repr(again) == repr(model)
    assert dump(again) == text


def test_every_default_is_written_in_the_order_of_the_fields() -> None:
    """The text as a reader sees it; what YAML 1.1 would misread is quoted."""
    nodes = (Timed(), Plain(label="no"))
    given = {"title": "1e-3", "rate": ("20 Mbit/s", "0.5 MB/s"), "nodes": nodes}
    model = Whole.model_validate(given)
    assert (
        dump(model)
        == """\
title: '1e-3'
count: 1
factors: []
rate:
- 20 Mbit/s
- 4 Mbit/s
size: null
amount: 1
'on': false
nodes:
- kind: timed
  lag: 1 s
  factor: 1.0
- kind: plain
  label: 'no'
by_name: {}
by_number: {}
lambda: 0.0
"""
    )
