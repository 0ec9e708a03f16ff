"""What was made with other code is not taken for what this code would make."""

import pytest

from netsim.studies.replay.versions import code_digest, versions


@pytest.fixture
def package(tmp_path):
    """Two files, one in a folder."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.py").write_text("one = 1\n")
    (tmp_path / "sub" / "b.py").write_text("two = 2\n")
    return tmp_path


def edit(package):
    (package / "a.py").write_text("one = 3\n")


def rename(package):
    (package / "a.py").rename(package / "c.py")


def shift(package):
    (package / "a.py").write_text("")
    (package / "sub" / "b.py").write_text("one = 1\ntwo = 2\n")


@pytest.mark.parametrize("change", [edit, rename, shift])
def test_other_code_has_another_digest(package, change):
    """Another text, another name, and text that moved from one file to the next."""
    before = code_digest(package)
    change(package)
    assert code_digest(package) != before


def test_files_that_are_no_code_do_not_count(package):
    """Caches of compiled code come and go."""
    before = code_digest(package)
    (package / "a.nbi").write_text("compiled")
    assert code_digest(package) == before


def test_results_name_the_code_they_were_made_with():
    """Beside the versions of netsim, numpy and torch."""
    assert list(versions()) == ["netsim", "code", "numpy", "torch"]
