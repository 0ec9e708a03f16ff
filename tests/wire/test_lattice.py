"""The error of the universal quantisers: its law, its independence of the input, its bits.

Kolmogorov-Smirnov tests on fixed seeds at level 1e-4: on a right implementation each fails
with probability 1e-4 for another choice of seeds (about 20 tests here: 0.2 %).
"""

import math

import numpy as np
import pytest
from scipy import stats

from netsim.kernel.streams import Streams
from netsim.wire.compressors.lattice import Lattice
from netsim.wire.compressors.rates import (
    accepted,
    block_bits,
    count_bits,
    count_entropy,
    paper_bits,
    point_bits,
)
from netsim.wire.compressors.seeds import Seeds
from netsim.wire.deferred import Deferred
from netsim.wire.header import Envelope
from netsim.wire.layers.constant import Ball, Cell
from netsim.wire.layers.gaussian import Gaussian
from netsim.wire.layers.laplace import Laplace
from netsim.wire.shards import ContiguousShards

LEVEL = 1e-4
SEEDS, ENVELOPE = Seeds(Streams(3), 0, 0), Envelope()
N = 30_000
INPUTS = {
    "normal": np.random.default_rng(1).standard_normal(N),
    "sparse": np.where(np.arange(N) % 50 == 0, 40.0, 0.0),
    "grid": np.round(np.random.default_rng(2).standard_normal(N)),
}


def run(lattice, x, number=0):
    """Errors in units of ‖x‖/γ, Float64[n], and the payload of the message."""
    x = x.astype(np.float32)
    shards = ContiguousShards(len(x), 1)
    seeds = Seeds(Streams(number), 0, 0)
    (message,) = lattice.messages(Deferred.of(x), shards, seeds)
    back = lattice.restore(message.value.value(), shards, 0, seeds)
    unit = np.sqrt(np.square(x, dtype=np.float64).sum()) / math.sqrt(len(x))
    return (back.astype(np.float64) - x) / unit, message


def fits(sample, law):
    return stats.kstest(sample, law).pvalue > LEVEL


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("kind", INPUTS)
def test_gaussian_error(dim, kind):
    """N(0, σ²) in each coordinate; norms of blocks are χ with d degrees; blocks uncorrelated."""
    errors, _ = run(Lattice(Gaussian(0.1), dim), INPUTS[kind])
    assert fits(errors, stats.norm(scale=0.1).cdf)
    blocks = errors[: N // dim * dim].reshape(-1, dim)
    assert fits(np.linalg.norm(blocks, axis=1), stats.chi(dim, scale=0.1).cdf)
    corr = np.corrcoef(blocks.T) if dim > 1 else np.eye(1)
    assert np.abs(corr - np.eye(dim)).max() < 5 / math.sqrt(len(blocks))


@pytest.mark.parametrize("kind", INPUTS)
def test_laplace_error(kind):
    """Lap(0, b) in each coordinate."""
    errors, _ = run(Lattice(Laplace(0.1)), INPUTS[kind])
    assert fits(errors, stats.laplace(scale=0.1).cdf)


@pytest.mark.parametrize("kind", INPUTS)
def test_dithering_error_is_uniform(kind):
    """SDQ: uniform over the cell."""
    errors, _ = run(Lattice(Cell(0.6)), INPUTS[kind])
    assert fits(errors, stats.uniform(-0.3, 0.6).cdf)


@pytest.mark.parametrize("dim", [2, 3])
def test_rsuq_error_is_uniform_in_the_ball(dim):
    """‖Z‖/r has the law of U^(1/d)."""
    errors, _ = run(Lattice(Ball(0.4), dim), INPUTS["normal"])
    norms = np.linalg.norm(errors[: N // dim * dim].reshape(-1, dim), axis=1)
    assert norms.max() <= 0.4 * (1 + 1e-5)
    assert fits((norms / 0.4) ** dim, stats.uniform.cdf)


@pytest.mark.parametrize(
    "lattice", [Lattice(Gaussian(0.1), 3), Lattice(Laplace(0.1)), Lattice(Cell(0.6))], ids=str
)
def test_errors_do_not_depend_on_the_input(lattice):
    """Errors of two inputs under one seed have one law, and none leans on its input."""
    x = INPUTS["normal"]
    errors, _ = run(lattice, x)
    other, _ = run(lattice, INPUTS["sparse"], number=1)
    assert stats.ks_2samp(errors, other).pvalue > LEVEL
    for feature in (x, np.abs(x), x**2, np.cos(20 * x)):
        assert abs(np.corrcoef(errors, feature)[0, 1]) < 5 / math.sqrt(N)
        assert abs(np.corrcoef(errors**2, feature)[0, 1]) < 5 / math.sqrt(N)


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_mean_bits_are_their_expectation(dim):
    """Counts and points over 40 messages, within 5 standard errors of the exact expectation."""
    layer, sizes = Gaussian(0.1), []
    for number in range(40):
        _, message = run(Lattice(layer, dim), INPUTS["normal"], number)
        sizes.append(message.payload_bits)
        peak = message.value.value().peak
    blocks = -(-N // dim)
    expected = block_bits(layer, dim, peak)
    spread = np.std(sizes, ddof=1) / math.sqrt(40)
    assert spread < 0.001 * blocks * expected
    assert abs(np.mean(sizes) - blocks * expected) < 5 * spread


def test_laplace_points_take_their_expected_bits():
    """No counts, since every try is accepted."""
    _, message = run(Lattice(Laplace(0.1)), INPUTS["normal"])
    expected = point_bits(Laplace(0.1), 1, message.value.value().peak)
    assert message.payload_bits / N == pytest.approx(expected, abs=5 * 1.5 / math.sqrt(N))


def test_counts_by_hand():
    """π/4 of a square's dithers are accepted; unary costs a third more than the entropy."""
    assert accepted(Gaussian(1), 2) == pytest.approx(math.pi / 4)
    assert accepted(Gaussian(1), 3) == pytest.approx(math.pi / 6)
    assert count_bits(Gaussian(1), 1) == count_entropy(Gaussian(1), 1) == 0
    assert count_bits(Gaussian(1), 2) / count_entropy(Gaussian(1), 2) == pytest.approx(4 / 3, 3e-3)
    assert paper_bits(Gaussian(1), 2, 5.0) < block_bits(Gaussian(1), 2, 5.0)


def test_a_constant_cell_takes_what_its_reach_needs():
    """peak/β = 2.5 → m = 3, seven values a coordinate: 3 bits, or ⌈log₂ 343⌉ = 9 for three."""
    assert point_bits(Cell(2.0), 1, 5.0) == 3
    assert point_bits(Ball(1.0), 3, 5.0) == 9


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_tiny_noise_still_encodes(dim):
    """Cells so small that points no longer fit one joint number."""
    x = INPUTS["sparse"][:300].astype(np.float32)
    lattice, shards, seeds = Lattice(Gaussian(1e-9), dim), ContiguousShards(300, 1), SEEDS
    (message,) = lattice.messages(Deferred.of(x), shards, seeds)
    sent = message.through_wire(ENVELOPE)
    back = lattice.restore(sent.value.value(), shards, 0, seeds)
    assert np.abs(back - x).max() <= 1e-5 * np.abs(x).max()
