"""Trying a module on a first batch."""

import torch
from torch import Tensor

from netsim.learning.errors import Infeasible, first_line
from netsim.learning.flat import FlatModule
from netsim.learning.signature import Signature


def try_out(model: FlatModule, signature: Signature, inputs: Tensor, smallest: int) -> None:
    """One batch of two samples in training and of the ``smallest`` that there will be.

    Raises Infeasible if the module cannot be applied or gives something else than is needed.
    """
    before = model.flat.numpy().copy()
    for count in sorted({2, smallest}):
        batch = inputs[:count]
        needed = _needed(signature, len(batch))
        try:
            with torch.random.fork_rng(devices=[]):
                outputs = model.module(batch)
        except Exception as error:
            # A user's code may raise anything.
            raise Infeasible(
                f"the model cannot be applied to {signature}, {len(batch)} at once: "
                f"{first_line(error)}",
                *("task", "model"),
            ) from error
        if not isinstance(outputs, Tensor):
            text = f"the model gives a {type(outputs).__name__}, not a tensor"
            raise Infeasible(text, "task", "model")
        found = tuple(outputs.shape)
        if found != needed:
            raise Infeasible(
                f"the model gives {_times(found)} numbers for {len(batch)} samples, "
                f"not {_times(needed)}",
                *("task", "model"),
            )
        if not outputs.requires_grad:
            raise Infeasible("what the model gives has no gradient", "task", "model")
    model.load(before)


def _needed(signature: Signature, count: int) -> tuple[int, ...]:
    if signature.answer == "rating":
        return (count,)
    if signature.answer == "tokens":
        return (count, *signature.shape, signature.outputs)
    return (count, signature.outputs)


def _times(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "1 (a scalar)"
