"""Reading files."""

from pathlib import Path

import pytest

from netsim.scenario.document import Document
from netsim.scenario.errors import ScenarioError


def _line(path: Path) -> str:
    with pytest.raises(ScenarioError) as caught:
        Document.load(path)
    return str(caught.value)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    """One line that calls the file as the user did."""
    assert _line(tmp_path / "none.yaml") == f"{tmp_path}/none.yaml: no such file"
    assert _line(tmp_path) == f"{tmp_path}: a directory, not a file"


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for errors of the system without a name of their own (root may read all)."""

    def refuse(self: Path, mode: str) -> None:
        raise error

    monkeypatch.setattr(Path, "open", refuse)
    error: OSError = PermissionError(13, "Permission denied")
    assert _line(Path("s.yaml")) == "s.yaml: no permission to read it"
    error = OSError(5, "Input/output error")
    assert _line(Path("s.yaml")) == "s.yaml: cannot be read: Input/output error"


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """The place of the first wrong byte."""
    path = tmp_path / "s.yaml"
    path.write_bytes("a: é\nb: x".encode() + b"\xff")
    assert _line(path) == f"{path}:2:5: not UTF-8 text (byte 0xff)"


def test_endless_file() -> None:
    """Reading stops."""
    assert _line(Path("/dev/zero")) == "/dev/zero: more than 4000000 bytes long"


@pytest.mark.parametrize("content", [b"a: 1\r\nb: {c: 2}\r\n", b"\xef\xbb\xbfa: 1\nb: {c: 2}\n"])
def test_line_ends_and_byte_order_mark(tmp_path: Path, content: bytes) -> None:
    """Neither changes data or places."""
    path = tmp_path / "s.yaml"
    path.write_bytes(content)
    document = Document.load(str(path))
    assert document.data == {"a": 1, "b": {"c": 2}}
    assert document.tree.point(("b", "c")) == (2, 8)
    assert document.tree.point(("b", "c"), at_key=True) == (2, 5)
    assert document.tree.point(("a",), at_key=True) == (1, 1)
