"""Every command and every file that the documentation shows works as it says."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest

from netsim.studies.scenario import load
from netsim.studies.sweep.plan import read_study

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]

NOT_RUN = {
    "python3 tools/dev.py quickstart": "installs; what it runs then stands in README by itself",
    "python3 tools/dev.py test": "runs this test",
    "python3 tools/dev.py test tests/scenario": "installs, and runs tests that run anyway",
    "pytest -m slow": "runs the slow part of this test",
    "python3 -m venv .venv": "the tests run in an environment already",
    ". .venv/bin/activate": "as above",
    "pip install -e . -c constraints.txt": "as above",
    "pip install -e '.[cluster]' -c constraints.txt": "as above",
    "pip install dask-jobqueue": "as above",
    "python cluster.py": "needs Slurm",
    "dask scheduler --port 8786": "tests/studies/sweep/test_cluster.py has a cluster of its own",
    "dask worker tcp://scheduler-host:8786 --nthreads 1 --nworkers 4": "as above",
    "netsim sweep rates.yaml --out /shared/rates --on dask://scheduler-host:8786": "as above",
    "netsim sweep rates.yaml --out $HOME/rates --on dask://login-node:8786": "needs Slurm",
    "python -m analysis.figures --out results/figures": "tests/test_analysis.py does on few points",
    "python -m analysis.papers.cepam --out results/papers/cepam": "takes minutes to hours",
    "python -m analysis.papers.shatter_dropouts --out results/papers/shatter_dropouts": "as above",
    "python -m analysis.papers.eris_compression --out results/papers/eris_compression": "as above",
    "python -m analysis.papers.eris_noniid --out results/papers/eris_noniid": "as above",
    "python -m analysis.papers.eris_biased --out results/papers/eris_biased": "as above",
    "python -m analysis.papers.eris_mnist --out results/papers/eris_mnist": "as above",
    "python -m analysis.papers.eris_cifar10 --out results/papers/eris_cifar10": "as above",
}
SLOW = {
    "netsim run scenarios/all_protocols.yaml --out results/all_protocols",
    "netsim run scenarios/mnist_eris.yaml --out results/mnist_eris",
}
EXIT_CODES = {"netsim run wrong.yaml": 2}
ENROLLED = {
    "netsim/protocols/ring.py": (
        "netsim/protocols/__init__.py",
        "\nfrom netsim.protocols.ring import Ring\n\nPROTOCOLS = (*PROTOCOLS, Ring)\n",
    )
}
"""Files whose text the documentation gives, and the line that it tells the reader to add."""


@dataclass(frozen=True)
class Block:
    """A fenced block: ``file`` is what its opening line names, ``follows`` what is before it."""

    line: int
    language: str
    file: str
    text: str
    follows: str

    def commands(self) -> list[str]:
        return [line for line in self.text.splitlines() if line not in NOT_RUN]


def blocks_of(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    found, end = [], 0
    for fence in re.finditer(r"^```(\w+) ?(\S*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, fence.start()) + 1
        found.append(Block(line, *fence.groups(), text[end : fence.start()]))
        end = fence.end()
    return found


def outputs(blocks: list[Block]) -> Iterator[tuple[Block, str | None]]:
    """The shell blocks, each with the text block that follows it at once, if one does."""
    for block, after in zip_longest(blocks, blocks[1:]):
        if block.language == "sh":
            shown = after and after.language == "text" and not after.follows.strip()
            yield block, after.text if after and shown else None


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A copy of what the commands work on, so that they can add a protocol to it."""
    for folder in ("netsim", "scenarios"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


def write_files(blocks: list[Block], workspace: Path) -> None:
    for block in blocks:
        if block.file:
            (workspace / block.file).write_text(block.text, encoding="utf-8")
        if block.file in ENROLLED:
            place, line = ENROLLED[block.file]
            with (workspace / place).open("a", encoding="utf-8") as file:
                file.write(line)


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def comparable(output: str) -> list[list[str]]:
    """Rows of cells, without the columns whose digits may depend on the type of CPU."""
    rows = [re.split(r"\s{2,}", line) for line in output.strip().splitlines()]
    names = enumerate(rows[0])
    kept = {at for at, name in names if name != "accuracy" and not name.startswith("time to")}
    return [[cell for at, cell in enumerate(row) if at in kept] for row in rows]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_commands_run_and_print_what_is_shown(document: Path, workspace: Path) -> None:
    """All shell blocks in their order, except slow ones and those of NOT_RUN.

    README also says what each file of a result folder is.
    """
    blocks = blocks_of(document)
    write_files(blocks, workspace)
    for block, shown in outputs(blocks):
        script = "\n".join(line for line in block.commands() if line not in SLOW)
        done = shell(script, workspace)
        where = f"{document.name}:{block.line}: {script}\n{done.stdout}"
        assert done.returncode == EXIT_CODES.get(script, 0), where
        if shown is not None:
            assert comparable(done.stdout) == comparable(shown), where
    for result in workspace.glob("results/quickstart/*"):
        assert f"`{result.name}" in document.read_text(encoding="utf-8"), "files README explains"


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(SLOW))
def test_slow_command_runs(command: str, workspace: Path) -> None:
    """Commands that take minutes, where their data is at hand."""
    done = shell(command, workspace)
    if done.stdout.startswith("dataset "):
        pytest.skip(done.stdout)
    assert done.returncode == 0, done.stdout


def test_exceptions_are_still_in_the_documents() -> None:
    """No command is left out, slow or expected to fail that no document holds any more."""
    texts = [block.text for document in DOCUMENTS for block in blocks_of(document)]
    lines = {line for text in texts for line in text.splitlines()}
    assert lines >= {*NOT_RUN, *SLOW, *EXIT_CODES}


def test_every_fence_is_understood() -> None:
    """A fence that the pattern misses would never be run."""
    for document in DOCUMENTS:
        fences = re.findall(r"^ *```", document.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * len(blocks_of(document)), document.name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_to_files_lead_somewhere(document: Path) -> None:
    """Links and images without a scheme are files of the repository."""
    for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
        assert (document.parent / target).is_file(), target


def test_named_tests_exist() -> None:
    """A test that a document names is one of ours; `test_batch` is a file of CIFAR-10."""
    tests = "\n".join(file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/test_*.py"))
    for document in DOCUMENTS:
        for name in re.findall(r"`(test_\w+)`", document.read_text(encoding="utf-8")):
            assert name == "test_batch" or f"def {name}(" in tests, f"{document.name}: {name}"


@pytest.mark.parametrize("file", sorted(ROOT.glob("scenarios/*.yaml")), ids=lambda path: path.stem)
def test_scenario_is_valid(file: Path) -> None:
    """Every scenario and every study that comes with netsim is read without an error."""
    assert read_study(file).cells if "\nsweep:" in file.read_text("utf-8") else load(file).runs
