"""A user's own network."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from netsim.learning.errors import Infeasible, ModelFailed
from netsim.learning.task import TrainingTask
from netsim.wire.deferred import Deferred

MakeTask = Callable[..., TrainingTask]

CODE = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width, drop=0.0, dtype=torch.float32):
        super().__init__()
        if width < 1:
            raise ValueError("width is at least 1")
        self.one = nn.Linear(256, width, dtype=dtype)
        self.two = nn.Linear(width, 10, dtype=dtype)
        self.drop = drop

    def forward(self, x):
        hidden = self.one(x.flatten(1)).relu()
        return self.two(nn.functional.dropout(hidden, self.drop, self.training))

class Odd(nn.Linear):
    def __init__(self):
        super().__init__(256, 7)

class Still(Net):
    def __init__(self):
        super().__init__(5, drop=0.5)
        self.eval()

class Always(Net):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.5)

class Pair(Net):
    def forward(self, x):
        return super().forward(x) if self.training else (super().forward(x), x)

class Complex(Net):
    def forward(self, x):
        return super().forward(x) * 1j

class Late(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(256, 10)

    def forward(self, x):
        if not hasattr(self, "two"):
            self.two = nn.Linear(10, 10)
        return self.two(self.one(x.flatten(1)))

class Torn(Net):
    def forward(self, x):
        hidden = super().forward(x).sigmoid()
        hidden *= 2
        hidden.mul_(hidden.sigmoid())
        return hidden.exp_().mul_(3).add_(hidden)

class Fickle(Net):
    def __init__(self, calls, how):
        super().__init__(5)
        self.calls, self.how = calls, how

    def forward(self, x):
        self.calls -= 1
        if self.calls > 0:
            return super().forward(x)
        if self.how == "exit":
            raise SystemExit(0)
        if self.how == "raise":
            raise RuntimeError("no more")
        return None if self.how == "none" else super().forward(x)[:, :2]

class Scaled(Net):
    def __init__(self):
        super().__init__(5)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x):
        return self.scale * super().forward(x)

class Mute(Net):
    def __init__(self, fails=False):
        super().__init__(5)
        self.register_buffer("kept", torch.ones(3, requires_grad=True))
        self.fails = fails

    def train(self, mode=True):
        super().train(mode)

    def eval(self):
        if self.fails:
            raise RuntimeError("no eval")
        super().eval()

class Words(Net):
    def __init__(self):
        super().__init__(5)
        self.words = nn.Embedding(4, 10, sparse=True)

    def forward(self, x):
        return super().forward(x) + self.words(x.flatten(1)[:, 40:60].sum(1).long() % 4)

class Hollow(nn.Module):
    def __init__(self):
        super().__init__()
        self.none = nn.Parameter(torch.zeros(0))

def plain(): return nn.Sequential(nn.Flatten(), nn.Linear(256, 16), nn.ReLU(), nn.Linear(16, 10))
def hooked():
    net = plain()
    net[1].register_forward_hook(lambda layer, inputs, outputs: 2 * outputs)
    return net
def double(): return Net(3, dtype=torch.float64)
def nothing(): return 5
"""


FACTORIES = ("plain", "hooked")


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with the user's code as the current one."""
    (tmp_path / "own_net.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("own_net", None)


def model(**args: Any) -> dict[str, Any]:
    return {"module": "own_net:Net", "args": args}


def test_it_is_imported_from_the_current_folder(make_task: MakeTask) -> None:
    """Called with its arguments; the path of imports is as it was."""
    before = list(sys.path)
    task = make_task(model=model(width=5))
    assert (task.n, task.statistics) == (257 * 5 + 6 * 10, 0)
    assert sys.path == before
    assert os.getcwd() not in sys.path


def test_it_starts_as_its_own_code_says_but_by_the_seed(make_task: MakeTask) -> None:
    """Torch's state outside does not matter, the scenario's seed does."""
    torch.manual_seed(1)
    one = make_task(model=model(width=5)).initial.value()
    torch.manual_seed(2)
    assert np.array_equal(one, make_task(model=model(width=5)).initial.value())
    assert not np.array_equal(one, make_task(seed=8, model=model(width=5)).initial.value())
    assert np.abs(one[:1280]).max() <= 1 / 16


def test_chance_in_it_is_the_client_s_own(make_task: MakeTask) -> None:
    """Dropout differs between clients' steps, never between runs or orders of asking."""
    settings = {"model": model(width=5, drop=0.5), "samples_per_client": 8, "local_steps": 2}
    one, other = make_task(**settings), make_task(**settings)
    first = [one.update(k, one.initial, 0).value() for k in range(4)]
    torch.manual_seed(99)
    second = {k: other.update(k, other.initial, 0).value() for k in (3, 1, 0, 2)}
    assert all(np.array_equal(first[k], second[k]) for k in range(4))
    settings["model"] = model(width=5)
    plain = make_task(**settings)
    assert not np.array_equal(first[0], plain.update(0, plain.initial, 0).value())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"module": "no_such_thing:Net"}, "cannot import 'no_such_thing'"),
        ({"module": "own_net:Nett"}, "no 'Nett' in 'own_net'; did you mean 'Net'?"),
        ({"module": "own_net:nothing"}, "own_net:nothing gives no torch.nn.Module"),
        ({"module": "own_net:double"}, "has parameters of torch.float64, not float32"),
        ({"module": "torch.nn:ReLU"}, "torch.nn:ReLU has no parameters"),
        (model(width=0), "own_net:Net refuses them: width is at least 1"),
        (model(), "own_net:Net cannot be made: .*missing .* 'width'"),
        ({"module": "own_net:Odd"}, "cannot be applied to 1×16×16 numbers"),
        ({"module": "torch.nn:Flatten"}, "has no parameters"),
        ({"module": "own_net:Pair", "args": {"width": 5}}, "gives a tuple in evaluation, not a"),
        ({"module": "own_net:Complex", "args": {"width": 5}}, "gives torch.complex64, not real"),
        ({"module": "own_net:Late"}, "makes two.weight when it is applied; make it in __init__"),
        ({"module": "own_net:Hollow"}, "own_net:Hollow has no parameters"),
        ({"module": "own_net:Fickle", "args": {"calls": 1, "how": "exit"}}, "once: SystemExit: 0"),
        ({"module": "own_net:Torn", "args": {"width": 5}}, "no gradient can be taken of the"),
    ],
)
def test_what_does_not_fit_is_told(make_task: MakeTask, given: Any, message: str) -> None:
    """Import, call, parameters, and a first batch."""
    with pytest.raises(Infeasible, match=message):
        make_task(model=given)


def test_other_outputs_than_the_task_needs_are_told(make_task: MakeTask) -> None:
    """Before any training."""
    (Path("own_net.py")).write_text(
        CODE.replace("self.two = nn.Linear(width, 10", "self.two = nn.Linear(width, 7")
    )
    with pytest.raises(Infeasible, match=r"gives 2×7 numbers for 2 samples, not 2×10"):
        make_task(model=model(width=4))


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("raise", r"failed: RuntimeError: no more \(own_net\.py:\d+\)"),
        ("exit", r"failed: SystemExit: 0 \(own_net\.py:\d+\)"),
        ("none", "failed: .* must be Tensor, not NoneType$"),
        ("few", "failed: IndexError: "),
    ],
)
def test_a_module_that_fails_later_is_told(make_task: MakeTask, how: str, says: str) -> None:
    """In training and in a test, with the line of its code if that raised."""
    args = {"module": "own_net:Fickle", "args": {"calls": 5, "how": how}}
    task = make_task(model=args)
    with pytest.raises(ModelFailed, match=says):
        _ = [task.update(0, task.initial, round).value() for round in range(5)]
    task = make_task(model=args)
    with pytest.raises(ModelFailed, match=says):
        _ = [task.evaluate([Deferred.of(task.initial.value())]) for _ in range(5)]


def test_gradients_may_be_sparse(make_task: MakeTask) -> None:
    """Rows of an embedding that no sample names have gradient zero."""
    task = make_task(model={"module": "own_net:Words"}, samples_per_client=4)
    update = task.update(0, task.initial, 0).value()
    assert task.n == len(update) == 257 * 5 + 6 * 10 + 40
    assert np.any(update[-40:])


def test_a_module_may_have_modes_and_buffers_of_its_own(make_task: MakeTask) -> None:
    """Its train() returns nothing and its buffer asks for gradients; an eval() that raises is
    told."""
    task = make_task(model={"module": "own_net:Mute"})
    assert task.evaluate([task.initial])[0].loss > 0
    with pytest.raises(ModelFailed, match="RuntimeError: no eval"):
        make_task(model={"module": "own_net:Mute", "args": {"fails": True}})


def test_a_parameter_may_be_a_single_number(make_task: MakeTask) -> None:
    """Of no dimensions; it takes its place in the vector and its gradient."""
    task = make_task(model={"module": "own_net:Scaled"})
    assert task.n == 257 * 5 + 6 * 10 + 1
    assert task.initial.value()[0] == 2
    assert task.update(0, task.initial, 0).value()[0] != 0


def test_a_plain_sequence_of_their_own_is_computed_as_it_is(make_task: MakeTask) -> None:
    """By autograd, whatever its layers look like: a hook counts."""
    settings = {"samples_per_client": 8}
    tasks = [make_task(model={"module": f"own_net:{each}"}, **settings) for each in FACTORIES]
    assert [task.gradients for task in tasks] == ["loop", "loop"]
    plain, hooked = ([t.update(k, t.initial, 0).value() for k in range(4)] for t in tasks)
    assert not any(np.allclose(*pair) for pair in zip(plain, hooked, strict=True))
    with pytest.raises(Infeasible, match="products cannot compute module; write loop"):
        make_task(model={"module": "own_net:plain"}, gradients="products", **settings)


def test_it_trains_in_training_mode(make_task: MakeTask) -> None:
    """Even if its own code has left it in evaluation: before a first test as after it."""
    given = {"model": {"module": "own_net:Still"}, "samples_per_client": 8}
    one, other = make_task(**given), make_task(**given)
    other.evaluate([other.initial])
    assert np.array_equal(
        one.update(1, one.initial, 0).value(), other.update(1, other.initial, 0).value()
    )


def test_chance_in_evaluation_is_the_scenario_s(make_task: MakeTask) -> None:
    """The same loss each time, and torch's own random state does not move."""
    task = make_task(model={"module": "own_net:Always", "args": {"width": 5}})
    torch.manual_seed(1)
    (first,) = task.evaluate([task.initial])
    drawn = torch.rand(1)
    torch.manual_seed(1)
    assert torch.rand(1) == drawn
    assert task.evaluate([task.initial]) == [first]
