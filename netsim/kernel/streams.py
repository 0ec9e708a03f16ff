"""Random streams by name, all from one seed."""

import hashlib

import numpy as np


class Streams:
    """Independent random generators keyed by (seed, purpose, keys).

    A stream depends on its name alone, never on who else drew or in which order,
    so protocols compared side by side meet the same data, masks and failures.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def rng(self, purpose: str, *keys: int) -> np.random.Generator:
        """The generator named ``purpose`` for ``keys`` (node, round, …; each ≥ 0)."""
        return np.random.Generator(np.random.PCG64(self._sequence(purpose, keys)))

    def integer(self, purpose: str, *keys: int) -> int:
        """A 63-bit seed for a library that takes an integer."""
        return int(self._sequence(purpose, keys).generate_state(1, np.uint64)[0] >> np.uint64(1))

    def _sequence(self, purpose: str, keys: tuple[int, ...]) -> np.random.SeedSequence:
        digest = hashlib.sha256(purpose.encode()).digest()
        name = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
        return np.random.SeedSequence(self.seed, spawn_key=(*name, *keys))
