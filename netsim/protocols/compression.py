"""The ``compression:`` section: an unbiased compressor and how it is shifted."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from netsim.network.config import Problem
from netsim.protocols.scale import Scale
from netsim.scenario.config import Config
from netsim.wire.compressors.base import Compressor
from netsim.wire.compressors.bernoulli import Bernoulli
from netsim.wire.compressors.identity import Identity
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.compressors.qsgd import Qsgd
from netsim.wire.compressors.rand_k import RandKCompressor
from netsim.wire.compressors.uniform import Uniform
from netsim.wire.layers.constant import Ball, Cell
from netsim.wire.layers.gaussian import Gaussian
from netsim.wire.layers.laplace import Laplace
from netsim.wire.shards import ContiguousShards
from netsim.wire.sparsify import RandK


class Compression(Config):
    """What all have: one draw for all clients (``masks: shared``) or one for each, and
    ``gamma``, the step of the reference vectors.

    ``gamma`` is by default that of ERIS, Theorem 3.6, for the compressor's ω; 0 keeps the
    references at zero, which is compression without shift.
    """

    kind: str
    masks: Literal["independent", "shared"] = "independent"
    gamma: float | None = Field(default=None, ge=0, le=1)

    def problems(self) -> Iterator[Problem]:
        """What does not go together."""
        yield from ()

    @abstractmethod
    def compressor(self) -> Compressor:
        """The compressor."""

    @abstractmethod
    def brief(self) -> str:
        """What it is called in the name of a run."""


class RandKCompression(Compression):
    """Keep ⌈keep · |shard|⌉ coordinates of each shard, drawn anew each round.

    ``downlink``: the owner of a shard sends back its part of the model (``dense``), or, under
    shared masks, the mean of what it got, while clients mirror its reference (``compressed``).
    """

    kind: Literal["rand_k"] = "rand_k"
    keep: float = Field(gt=0, le=1)
    downlink: Literal["dense", "compressed"] = "dense"

    def problems(self) -> Iterator[Problem]:
        if self.downlink == "compressed" and self.masks != "shared":
            text = "a mean of independent masks is dense; write masks: shared"
            yield ("downlink",), text

    def compressor(self) -> Compressor:
        return RandKCompressor(RandK(self.keep))

    def brief(self) -> str:
        return f"keep {self.keep:g}"


class BernoulliCompression(Compression):
    """Keep each coordinate with probability ``keep``."""

    kind: Literal["bernoulli"] = "bernoulli"
    keep: float = Field(gt=0, le=1)

    def compressor(self) -> Compressor:
        return Bernoulli(self.keep)

    def brief(self) -> str:
        return f"bernoulli {self.keep:g}"


class NoCompression(Compression):
    """Every coordinate: ω = 0."""

    kind: Literal["identity"] = "identity"

    def compressor(self) -> Compressor:
        return Identity()

    def brief(self) -> str:
        return "identity"


class QsgdCompression(Compression):
    """QSGD with ``levels`` s, in ``fixed`` width or ``elias`` code."""

    kind: Literal["qsgd"] = "qsgd"
    levels: int = Field(ge=1, le=2**20)
    code: Literal["fixed", "elias"] = "elias"

    def compressor(self) -> Compressor:
        return Qsgd(self.levels, self.code)

    def brief(self) -> str:
        return f"qsgd {self.levels}"


class UniformCompression(Compression):
    """Random rounding to ``levels`` equidistant values."""

    kind: Literal["uniform"] = "uniform"
    levels: int = Field(ge=2, le=2**20)

    def compressor(self) -> Compressor:
        return Uniform(self.levels)

    def brief(self) -> str:
        return f"uniform {self.levels}"


class SdqCompression(Compression):
    """Subtractive dithering with cells of side ``step`` relative to the root mean square."""

    kind: Literal["sdq"] = "sdq"
    step: Scale

    def compressor(self) -> Compressor:
        return Lattice(Cell(self.step))

    def brief(self) -> str:
        return f"sdq {self.step:g}"


class RsuqCompression(Compression):
    """RSUQ: errors uniform over a ball of ``radius`` in ``lattice_dim`` dimensions."""

    kind: Literal["rsuq"] = "rsuq"
    radius: Scale
    lattice_dim: int = Field(default=2, ge=1, le=3)

    def compressor(self) -> Compressor:
        return Lattice(Ball(self.radius), self.lattice_dim)

    def brief(self) -> str:
        return f"rsuq {self.radius:g}, n={self.lattice_dim}"


class LrsuqCompression(Compression):
    """Layered RSUQ with Gaussian errors of deviation ``size``."""

    kind: Literal["lrsuq"] = "lrsuq"
    size: Scale
    lattice_dim: int = Field(default=1, ge=1, le=3)

    def compressor(self) -> Compressor:
        return Lattice(Gaussian(self.size), self.lattice_dim)

    def brief(self) -> str:
        return f"lrsuq {self.size:g}, n={self.lattice_dim}"


class LaplaceLrsuqCompression(Compression):
    """Layered RSUQ on ℤ with Laplace errors of scale ``size``."""

    kind: Literal["lrsuq_laplace"] = "lrsuq_laplace"
    size: Scale

    def compressor(self) -> Compressor:
        return Lattice(Laplace(self.size))

    def brief(self) -> str:
        return f"lrsuq laplace {self.size:g}"


COMPRESSIONS = (
    RandKCompression,
    BernoulliCompression,
    NoCompression,
    QsgdCompression,
    UniformCompression,
    SdqCompression,
    RsuqCompression,
    LrsuqCompression,
    LaplaceLrsuqCompression,
)


def sized_by_values(compressor: Compressor) -> bool:
    """Whether the size of a message depends on what it carries."""
    return compressor.payload_bits(ContiguousShards(compressor.block, 1)) is None


def mirrors(compression: Compression | None) -> bool:
    """Whether clients mirror the owners' references, which takes all of them in each round."""
    return isinstance(compression, RandKCompression) and compression.downlink == "compressed"


def compression_problems(compression: Compression | None, redrawn: bool) -> Iterator[Problem]:
    """What is wrong with a protocol's ``compression``, where masks are ``redrawn`` or not."""
    if compression is None:
        return
    for loc, text in compression.problems():
        yield ("compression", *loc), text
    if mirrors(compression) and redrawn:
        yield ("compression", "downlink"), "clients mirror fixed shards; write redraw: false"
