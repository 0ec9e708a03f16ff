"""``netsim run`` with tasks that cannot be set up: where and why, exit code 2, nothing left."""

import sys

import pytest

TASK = "volume: {parameters: 1000}"
DIGITS = "task: {dataset: digits, model: mlp, lr: 0.1"
CODE = """
import torch
from torch import nn

class Net(nn.Linear):
    def __init__(self):
        super().__init__(256, 10)
    def forward(self, x):
        return super().forward(x.flatten(1))

class Boom(Net):
    def __init__(self):
        raise RuntimeError("boom\\nand more")

class Leaves(Net):
    def __init__(self):
        raise SystemExit(5)

class Lazy(Net):
    def __init__(self):
        super().__init__()
        self.two = nn.LazyLinear(3)

class Pair(Net):
    def forward(self, x):
        return super().forward(x), x

class Mean(Net):
    def forward(self, x):
        return super().forward(x).mean()

class Cut(Net):
    def forward(self, x):
        return super().forward(x).detach()

class Frozen(Net):
    def __init__(self):
        super().__init__()
        self.bias.requires_grad_(False)

class Double(Net):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(1, dtype=torch.float64))

class Nowhere(nn.Linear):
    def __init__(self):
        super().__init__(256, 10, device="meta")
"""


@pytest.fixture
def refused(run, here):
    """Runs a task and gives the one line on standard error; files in data are the only ones."""

    def go(task: str, *changes: tuple[str, str], more: str = "") -> str:
        before = {path.name for path in here.iterdir()} | {"s.yaml"}
        done = run((TASK, task), *changes, more=more)
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        assert {path.name for path in here.iterdir()} == before
        (line,) = done.stderr.splitlines()
        return line

    return go


@pytest.mark.parametrize(
    ("task", "line"),
    [
        (
            "task: {dataset: digits, model: mlp, lr: 1e39}",
            "s.yaml:3:41: task.lr: must be from 1e-37 to 1e+37, as models are float32, not 1e+39",
        ),
        (
            "task: {dataset: digits, model: {kind: resnet9, norm: batch}, lr: 0.1, "
            "gradients: products}",
            "s.yaml:3:82: task.gradients: products cannot compute resnet9; write loop",
        ),
        (
            "task: {dataset: digits, model: text_mean, lr: 0.1}",
            "s.yaml:3:32: task.model: text_mean needs texts with a class each, "
            "not inputs of 1×16×16 numbers",
        ),
        (
            f"{DIGITS}, partition: {{kind: shards, per_client: {10**30}}}}}",
            f"s.yaml:3:84: task.partition.per_client: must be at most 10000, not {10**30}",
        ),
        (
            f"{DIGITS}, partition: {{kind: dirichlet, alpha: 1, min_samples: 400}}}}",
            "s.yaml:3:98: task.partition.min_samples: 4 clients with 400 samples each need 1600",
        ),
        (f"{DIGITS}, partition: by_user}}", "s.yaml:3:57: task.partition: by_user: the dataset "),
        (
            f"{DIGITS}, samples_per_client: 400}}",
            "s.yaml:3:66: task.samples_per_client: 4 clients with 400 samples each need 1600",
        ),
        (
            f"{DIGITS}, samples_per_client: 3, holdout: 0.3}}",
            "s.yaml:3:78: task.holdout: 0.3 of 3 samples, which a client has at most, is none",
        ),
        (
            "task: {dataset: digits, model: resnet9, lr: 0.1, estimator: saga}",
            "s.yaml:3:61: task.estimator: saga needs gradients of single samples",
        ),
        (
            "task: {dataset: {kind: imdb, length: -5}, model: text_mean, lr: 0.1}",
            "s.yaml:3:38: task.dataset.length: must be at least 1, not -5",
        ),
        (
            "task: {dataset: imdb, model: {kind: hugging_face, folder: none}, lr: 0.1}",
            "s.yaml:3:59: task.model.folder: no folder 'none'; save_pretrained of a model and of",
        ),
    ],
)
def test_settings_that_contradict_the_task(refused, task, line):
    """At the value that is at fault."""
    assert refused(task).startswith(line)


def test_a_model_that_memory_does_not_hold(refused, monkeypatch):
    """What torch says of it, in a line."""

    def fail(*_):
        raise RuntimeError("can't allocate memory: you tried to allocate 7 bytes\nmore")

    monkeypatch.setattr("netsim.learning.models.mlp.Mlp.build", fail)
    assert refused(f"{DIGITS}}}") == (
        "s.yaml:3:32: task.model: cannot be built: RuntimeError: "
        "can't allocate memory: you tried to allocate 7 bytes"
    )


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("participation: 5\n", "s.yaml:8:16: participation: 5 of 4 nodes; write at most 4"),
        (
            "evaluate: {models: 5}\n",
            "s.yaml:8:20: evaluate.models: 5 of 4 nodes; write at most 4",
        ),
        (
            "evaluate: {sample: 1000}\n",
            "s.yaml:8:20: evaluate.sample: 1000 of 359 test samples; leave it out to test on all",
        ),
    ],
)
def test_more_than_there_is(refused, more, line):
    """Of clients, models or samples."""
    assert refused(f"{DIGITS}}}", more=more) == line


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("nowhere:Net", ".module: cannot import 'nowhere': No module named 'nowhere'"),
        ("own_broken:Net", ".module: cannot import 'own_broken': SyntaxError: "),
        ("own_failing:Net", ".module: cannot import 'own_failing': ZeroDivisionError: division"),
        ("own_tasks:Boom", ".module: own_tasks:Boom cannot be made: RuntimeError: boom"),
        ("own_tasks:Leaves", ".module: own_tasks:Leaves cannot be made: SystemExit: 5"),
        ("own_tasks:Lazy", ".module: own_tasks:Lazy has parameters without a size, first two."),
        ("own_tasks:Pair", ": the model gives a tuple, not a tensor"),
        ("own_tasks:Mean", ": the model gives 1 (a scalar) numbers for 2 samples, not 2×10"),
        ("own_tasks:Cut", ": what the model gives has no gradient"),
        ("own_tasks:Frozen", ".module: own_tasks:Frozen has parameters without a gradient, first "),
        (
            "own_tasks:Double",
            ".module: own_tasks:Double has a running statistic scale of torch.float64, not float32",
        ),
        ("own_tasks:Nowhere", ".module: own_tasks:Nowhere has parameters on meta, not on cpu"),
    ],
)
def test_modules_that_cannot_be_used(refused, here, module, told):
    """Whatever they raise, in one line."""
    (here / "own_tasks.py").write_text(CODE)
    (here / "own_broken.py").write_text("def (:\n")
    (here / "own_failing.py").write_text("1 / 0\n")
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        line = refused(f'task: {{dataset: digits, model: {{module: "{module}"}}, lr: 0.1}}')
    finally:
        sys.dont_write_bytecode = before
        sys.modules.pop("own_tasks", None)
    assert f" task.model{told}" in line
    assert line.startswith("s.yaml:3:")


FILES = {
    "no bytes": ("sst2", {"sst2/train.tsv": b"", "sst2/dev.tsv": b""}, "train.tsv:1: the first"),
    "head alone": (
        "sst2",
        dict.fromkeys(("sst2/train.tsv", "sst2/dev.tsv"), b"sentence\tlabel\n"),
        "dataset sst2 has no samples to train on",
    ),
    "nothing to test": (
        "sst2",
        {"sst2/train.tsv": b"sentence\tlabel\na\t1\n", "sst2/dev.tsv": b"sentence\tlabel\n"},
        "dataset sst2 has no samples to test",
    ),
    "no UTF-8": (
        "sst2",
        dict.fromkeys(("sst2/train.tsv", "sst2/dev.tsv"), b"sentence\tlabel\n\xff\t1\n"),
        "train.tsv cannot be read ('utf-8' codec",
    ),
    "a review that is no UTF-8": (
        "imdb",
        {f"imdb/{p}/{m}/1.txt": b"\xff" for p in ("train", "test") for m in ("pos", "neg")},
        "1.txt cannot be read ('utf-8' codec",
    ),
    "cut off": (
        "imdb",
        {"imdb/train.jsonl": b'{"text": "a", "label": 1}\n{"text"', "imdb/test.jsonl": b""},
        "train.jsonl:2: no review with text and label",
    ),
    "a line without end": (
        "sent140",
        {
            "sent140/training.1600000.processed.noemoticon.csv": b'"0","1","d","q","u","'
            + b"x" * 200_000
        },
        "noemoticon.csv cannot be read (field larger than field limit",
    ),
    "no pictures": (
        "{kind: image_folder, test: 0.5}",
        dict.fromkeys(("image_folder/a/1.png", "image_folder/b/1.png"), b"\x89PNG\r\n\x1a\nx"),
        "1.png is no picture that can be read",
    ),
}


@pytest.mark.parametrize("fault", FILES)
def test_files_that_hold_something_else(refused, here, monkeypatch, fault):
    """At the dataset, naming the file."""
    dataset, files, told = FILES[fault]
    for name, content in files.items():
        path = here / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    monkeypatch.setenv("NETSIM_DATA", str(here / "data"))
    model = "mlp" if "image" in dataset else "text_mean"
    line = refused(f"task: {{dataset: {dataset}, model: {model}, lr: 0.1}}")
    assert line.startswith("s.yaml:3:17: task.dataset: ")
    assert told in line


def test_a_dataset_that_is_missing(refused, here, monkeypatch):
    """At the dataset, with the way to get it."""
    monkeypatch.setenv("NETSIM_DATA", str(here))
    monkeypatch.setenv("XDG_DATA_HOME", str(here))
    line = refused("task: {dataset: mnist, model: mlp, lr: 0.1}")
    assert line.startswith("s.yaml:3:17: task.dataset: dataset mnist is missing: looked for ")
    assert "Run 'netsim data fetch mnist'" in line


@pytest.mark.parametrize("command", ["inspect", "validate"])
def test_other_commands_say_where_as_well(netsim, here, command):
    """They set up the same task."""
    text = f"name: t\nrounds: 1\n{DIGITS}, samples_per_client: 400}}\n"
    network = "network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s}\nruns: [{kind: fedavg}]\n"
    (here / "s.yaml").write_text(text + network)
    done = netsim(command, "s.yaml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("s.yaml:3:66: task.samples_per_client: 4 clients with 400")
