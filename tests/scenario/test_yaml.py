"""YAML's traps, and faults of the file as a whole."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("010", "010"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("none", "none"),
        ("null", None),
        ("~", None),
        ("", None),
        ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("=", "="),
        ("'20'", "20"),
        ('"true"', "true"),
        ("!!str 20", "20"),
        ("20 Mbit/s", "20 Mbit/s"),
    ],
)
def test_scalars(written: str, value: object) -> None:
    """Plain scalars are those of YAML 1.2, without octals and hexadecimals."""
    read = Document.of(f"x: {written}", "s.yaml").data["x"]
    assert read == value
    assert type(read) is type(value)


def test_keys_are_the_texts_written() -> None:
    """No key turns into a boolean, a number or a date."""
    document = Document.of("{no: 1, 3: 2, true: 3, 2024-01-01: 4, '': 5}", "s.yaml")
    assert list(document.data) == ["no", "3", "true", "2024-01-01", ""]


def test_aliases_and_merge_keys_are_written_out() -> None:
    """Own keys win over merged ones, earlier merged ones over later."""
    text = """
base: &base {a: 1, b: 1}
more: &more {b: 2, c: 2}
one: {<<: *base, b: 3}
two: {<<: [*base, *more], d: [*base]}
"""
    data = Document.of(text, "s.yaml").data
    assert data["one"] == {"a": 1, "b": 3}
    assert data["two"] == {"a": 1, "b": 1, "c": 2, "d": [{"a": 1, "b": 1}]}


def _bomb(inner: str, outer: str) -> str:
    levels = (f"a{i}: &a{i} {outer % ','.join([f'*a{i - 1}'] * 10)}" for i in range(1, 10))
    return "\n".join([f"a0: &a0 {inner}", *levels])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "s.yaml: the file is empty"),
        ("# nothing\n", "s.yaml: the file is empty"),
        ("[1, 2]", "s.yaml:1:1: a scenario is a mapping of keys to values"),
        ("# text\nhello", "s.yaml:2:1: a scenario is a mapping of keys to values"),
        ("a: 1\n---\nb: 1", "s.yaml:2:1: not valid YAML: a second document; a scenario is one"),
        ("a:\n\tb: 1", "s.yaml:2:1: not valid YAML: a tab; indent with spaces"),
        (
            "a: eris: dsc",
            "s.yaml:1:8: not valid YAML: unexpected ': '; "
            "check the indentation or put the text in quotes",
        ),
        ("a: [1,\n2", "s.yaml:2:2: not valid YAML: expected ',' or ']', but got '<stream end>'"),
        ("a: *b", "s.yaml:1:4: not valid YAML: found undefined alias 'b'"),
        (
            "\ufeffa: @b",
            "s.yaml:1:4: not valid YAML: found character '@' that cannot start any token",
        ),
        ('a: "\\UFFFFFFFF"', "s.yaml:1:7: not valid YAML: an escape that is no character"),
        ("a: 1\nb: x\x00", r"s.yaml:2:5: unexpected character '\x00'"),
        ("a: 1\n? [b]\n: 2", "s.yaml:2:3: a key is plain text, not a list or a mapping"),
        ("a: &a [*a]", "s.yaml:1:4: an anchor that contains itself"),
        ("a: &a {<<: *a}", "s.yaml:1:4: an anchor that contains itself"),
        ("a: " + "[" * 64 + "]" * 64, "s.yaml:1:66: nested more than 64 levels deep"),
        ("a: " + "[" * 9999, "s.yaml:1:66: nested more than 64 levels deep"),
        (_bomb("[x]", "[%s]"), "s.yaml:1:5: too long with its aliases written out"),
        (_bomb("{x: 1}", "{<<: [%s]}"), "s.yaml:1:10: too long with its aliases written out"),
        (_bomb(f"[{'x' * 10**6}]", "[%s]"), "s.yaml:1:10: too long with its aliases written out"),
    ],
)
def test_no_tree(text: str, line: str) -> None:
    """A file that makes no mapping of bounded size is one clear line."""
    with pytest.raises(ScenarioError) as caught:
        Document.of(text, "s.yaml")
    assert str(caught.value) == line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name: a\nseed: 1\nname: b",
            "s.yaml:3:1: name: duplicate key 'name'; first at line 1, column 1",
        ),
        (
            "name: a\nnetwork: {nodes: 1, uplink: 1 bit/s,\n  nodes: 2}",
            "s.yaml:3:3: network.nodes: duplicate key 'nodes'; first at line 2, column 11",
        ),
        (
            "name: !python/name:os.system x",
            "s.yaml:1:7: name: unknown tag '!python/name:os.system'",
        ),
        ("name: !!binary aGk=", "s.yaml:1:7: name: unknown tag '!!binary'"),
        ("name: !!int x", "s.yaml:1:7: name: 'x' does not fit its tag '!!int'"),
        ("name: a\nseed: " + "9" * 5000, "s.yaml:2:7: seed: a number of more than 100 digits"),
        ('name: "\\ud800"', "s.yaml:1:7: name: half a Unicode character (a lone surrogate)"),
        ("name: a\n<<: 3", "s.yaml:2:5: '<<' merges a mapping or a list of mappings"),
    ],
)
def test_faults_in_a_readable_tree(
    lines: Callable[..., list[str]], text: str, expected: str
) -> None:
    """These come out with the other problems, and hide what else is wrong at their place."""
    assert lines(text) == [expected]


def test_structure_and_values_come_out_together(lines: Callable[..., list[str]]) -> None:
    """A duplicate key does not hide a typo further down."""
    assert lines("name: a\nname: b\nsede: 3") == [
        "s.yaml:2:1: name: duplicate key 'name'; first at line 1, column 1",
        "s.yaml:3:1: sede: unknown key 'sede'; did you mean 'seed'?",
    ]


PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "  ", "[", "]", "{", "}", ",", "&a ", "*a", "<<: ", "!!str ", "!x ",
     "'", '"', "|", ">", "\t", "#", "%", "---", "...", "? ", ": ", "\\", "1", "~", "\r", "é",
     "\x85"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text())
def test_any_text_is_data_or_a_scenario_error(text: str) -> None:
    """No text makes a traceback, and every value has a place."""
    try:
        document = Document.of(text, "s.yaml")
    except ScenarioError:
        return
    assert all(loc in document.tree.places for loc in _locs(document.data, ()))


def _locs(data: Any, loc: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    items = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data if isinstance(data, list) else [])
    )
    return [loc, *(inner for step, value in items for inner in _locs(value, (*loc, step)))]
