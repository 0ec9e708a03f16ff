"""Chance inside a module, such as dropout: the same whoever computes beside it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from netsim.kernel.streams import Streams
from netsim.learning.block import Block


class Chance:
    """Seeds torch for a local step where modules need it; its own random state does not move."""

    def __init__(self, streams: Streams, needed: bool) -> None:
        self._streams = streams
        self._needed = needed

    @contextmanager
    def __call__(self, block: Block, step: int) -> Iterator[None]:
        """By the client, the round and the step of a block with one lane."""
        if not self._needed:
            yield
            return
        (job,) = block.lanes
        assert job is not None
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self._streams.integer("chance", job.client, job.round, step))
            yield
