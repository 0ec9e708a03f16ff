"""Which files a user's module is made of."""

import pytest

from netsim.studies.sweep.sources import sources

FILES = {
    "plain.py": "import torch\n",
    "one.py": "import helper\n",
    "helper.py": "def late():\n    from deep.inner import thing\n",
    "deep/__init__.py": "",
    "deep/inner.py": "from . import beside\nfrom .below.last import x\n",
    "deep/beside.py": "from ..one import x\nfrom ....above import y\n",
    "deep/below/last.py": "import one\n",
    "broken.py": "import helper\n(\n",
    "star.py": "from helper import *\nimport deep.beside as b\n",
    "unrelated.py": "",
}
ALL = {"one.py", "helper.py", "deep/__init__.py", "deep/inner.py", "deep/beside.py"}
ALL |= {"deep/below/last.py"}


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("plain", {"plain.py"}),
        ("one", ALL),
        ("deep.inner", ALL),
        ("star", ALL | {"star.py"}),
        ("broken", {"broken.py"}),
        ("torch.nn", set()),
    ],
)
def test_all_that_is_imported_from_the_current_folder(tmp_path, monkeypatch, module, expected):
    """Through packages, functions and circles; of what cannot be read, the file itself."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert {path.as_posix() for path in sources(module)} == expected


@pytest.mark.parametrize("changed", ["own.py", "helper.py", "pack/__init__.py", "other.py"])
def test_cells_are_others_when_what_a_module_imports_changes(
    planned, tmp_path, monkeypatch, changed
):
    """Not when another file does."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack").mkdir()
    texts = {"own.py": "import helper, pack\n", "helper.py": "", "pack/__init__.py": ""}
    for name, text in (texts | {"other.py": ""}).items():
        (tmp_path / name).write_text(text)
    change = ("model: mlp", 'model: {module: "own:Net"}')
    before = {cell.id for cell in planned(change).cells}
    with (tmp_path / changed).open("a") as file:
        file.write("# anew\n")
    after = {cell.id for cell in planned(change).cells}
    assert (before == after) == (changed == "other.py")
