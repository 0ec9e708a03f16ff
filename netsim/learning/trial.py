"""Trying a module on a first batch."""

from typing import Final

import torch
from torch import Tensor

from netsim.learning.errors import Infeasible, first_line
from netsim.learning.flat import FlatModule
from netsim.learning.signature import Signature

_MODEL: Final = ("task", "model")


def try_out(model: FlatModule, signature: Signature, inputs: Tensor, smallest: int) -> None:
    """One batch of two samples and of the ``smallest`` that there will be in training, with their
    gradients, and one in evaluation.

    Raises Infeasible if the module cannot be applied or gives something else than is needed.
    """
    before = model.flat.numpy().copy()
    known = dict(model.module.named_parameters())
    for count in sorted({2, smallest}):
        outputs = _outputs(model, signature, inputs[:count])
        late = [name for name, _ in model.module.named_parameters() if name not in known]
        if late:
            text = f"the model makes {late[0]} when it is applied; make it in __init__"
            raise Infeasible(text, *_MODEL)
        if not outputs.requires_grad:
            raise Infeasible("what the model gives has no gradient", *_MODEL)
        try:
            torch.autograd.grad(outputs.sum(), model.parameters, materialize_grads=True)
        except (Exception, SystemExit) as error:
            # A user's code may raise anything.
            text = f"no gradient can be taken of the model: {first_line(error)}"
            raise Infeasible(text, *_MODEL) from error
    with model.at_work():
        model.module.eval()
    with torch.no_grad():
        _outputs(model, signature, inputs[:2])
    with model.at_work():
        model.module.train()
    model.load(before)


def _outputs(model: FlatModule, signature: Signature, batch: Tensor) -> Tensor:
    """What the model gives for a batch; raises Infeasible."""
    when = "" if model.module.training else " in evaluation"
    try:
        with torch.random.fork_rng(devices=[]):
            outputs = model.module(batch)
    except (Exception, SystemExit) as error:
        # A user's code may raise anything.
        raise Infeasible(
            f"the model cannot be applied to {signature}, {len(batch)} at once{when}: "
            f"{first_line(error)}",
            *_MODEL,
        ) from error
    if not isinstance(outputs, Tensor):
        text = f"the model gives a {type(outputs).__name__}{when}, not a tensor"
        raise Infeasible(text, *_MODEL)
    needed, found = _needed(signature, len(batch)), tuple(outputs.shape)
    if found != needed:
        raise Infeasible(
            f"the model gives {_times(found)} numbers for {len(batch)} samples{when}, "
            f"not {_times(needed)}",
            *_MODEL,
        )
    if not outputs.is_floating_point():
        raise Infeasible(f"the model gives {outputs.dtype}{when}, not real numbers", *_MODEL)
    return outputs


def _needed(signature: Signature, count: int) -> tuple[int, ...]:
    if signature.answer == "rating":
        return (count,)
    if signature.answer == "tokens":
        return (count, *signature.shape, signature.outputs)
    return (count, signature.outputs)


def _times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "1 (a scalar)"
