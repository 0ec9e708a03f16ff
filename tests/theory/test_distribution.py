"""Closed forms of distribution time against the phase bound, and the errata as measured."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.theory import distribution as dist
from netsim.theory.phase import Phase, round_optimum_s

RATES = st.integers(1, 1000)
MBIT = 10**6


@st.composite
def networks(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Uplinks and downlinks of 2 to 6 clients, and who of them aggregates."""
    clients = draw(st.integers(2, 6))
    up, down = (draw(st.lists(RATES, min_size=clients, max_size=clients)) for _ in range(2))
    who = draw(st.permutations(range(clients)))[: draw(st.integers(1, clients))]
    return np.array(up, float), np.array(down, float), np.array(who)


def capacities(up: np.ndarray, down: np.ndarray) -> np.ndarray:
    return np.column_stack([up, down]).ravel()


@given(networks(), RATES, RATES, st.integers(0, 10**6), st.integers(0, 10**6))
def test_eq52_is_the_phase_optimum(
    net: tuple[np.ndarray, np.ndarray, np.ndarray], server_up: int, server_down: int, b: int, c: int
) -> None:
    """FedAvg: the printed bound is the exact optimum, for any rates and sizes."""
    up, down, _ = net
    clients, server = np.arange(len(up)), np.full(len(up), len(up))
    there = Phase.between(clients, server, np.full(len(up), b))
    back = Phase.between(server, clients, np.full(len(up), c))
    links = capacities(np.append(up, server_up), np.append(down, server_down))
    formula_s = dist.eq52_fedavg_s(b, c, up, down, server_up, server_down)
    assert formula_s == pytest.approx(round_optimum_s([there, back], links))


@given(networks(), st.data())
def test_corrected_eris_is_the_phase_optimum(
    net: tuple[np.ndarray, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    """Unequal shards, rates and sizes each way: the corrected form is the exact optimum."""
    up, down, who = net
    sizes = st.lists(st.integers(0, 10**6), min_size=len(who), max_size=len(who))
    there_bits, back_bits = np.array(data.draw(sizes)), np.array(data.draw(sizes))
    clients = np.repeat(np.arange(len(up)), len(who))
    owners = np.tile(who, len(up))
    there = Phase.between(clients, owners, np.tile(there_bits, len(up)))
    back = Phase.between(owners, clients, np.tile(back_bits, len(up)))
    optimum_s = round_optimum_s([there, back], capacities(up, down))
    assert dist.eris_optimum_s(there_bits, back_bits, up, down, who) == pytest.approx(optimum_s)


@given(networks(), st.integers(1, 10**6))
def test_eq53_lies_between_the_optimum_and_twice_it(
    net: tuple[np.ndarray, np.ndarray, np.ndarray], shard_bits: int
) -> None:
    """Erratum 9: with equal shards Eq. 53 is never below the optimum nor above twice it."""
    up, down, who = net
    shards = np.full(len(who), shard_bits)
    model_bits = shard_bits * len(who)
    printed_s = dist.eq53_eris_s(model_bits, model_bits, up, down, who)
    optimum_s = dist.eris_optimum_s(shards, shards, up, down, who)
    assert optimum_s <= printed_s * (1 + 1e-12)
    assert printed_s <= 2 * optimum_s * (1 + 1e-12)


def test_eq53_reaches_twice_the_optimum() -> None:
    """Two clients that both aggregate send half a model each; Eq. 53 charges a whole one."""
    rates, both = np.full(2, 100.0), np.arange(2)
    assert dist.eq53_eris_s(1000, 1000, rates, rates, both) == 20
    assert dist.eris_optimum_s([500, 500], [500, 500], rates, rates, both) == 10


@pytest.mark.parametrize("n", [10, 11, 19, 62_006])
def test_eris_with_every_client_an_aggregator(n: int) -> None:
    """A = K and equal rates: 2(K − 1) · max|shard| / rate, also where K does not divide n."""
    shard_bits = 32 * np.array([len(range(a, n, 10)) for a in range(10)])
    rates = np.full(10, 1e6)
    expected_s = 2 * 9 * 32 * math.ceil(n / 10) / 1e6
    assert dist.eris_optimum_s(
        shard_bits, shard_bits, rates, rates, np.arange(10)
    ) == pytest.approx(expected_s)


def test_one_client_with_two_shards() -> None:
    """A client may own several shards, as after an aggregator failed."""
    rates = np.full(3, 10.0)
    twice = dist.eris_optimum_s([20, 30], [20, 30], rates, rates, np.array([1, 1]))
    assert twice == dist.eris_optimum_s([50], [50], rates, rates, np.array([1]))


@given(networks(), st.integers(1, 5), st.integers(1, 10**6))
def test_shatter_forms(
    net: tuple[np.ndarray, np.ndarray, np.ndarray], degree: int, bits: int
) -> None:
    """Printed ≤ pooled ≤ on the access link ≤ K·r times printed: the third term adds nothing."""
    up, down, _ = net
    printed_s = dist.eq55_shatter_s(bits, degree, up, down)
    pooled_s = dist.shatter_pooled_s(bits, degree, up, down)
    access_s = dist.shatter_access_s(bits, degree, up, down)
    slack = 1 + 1e-12
    assert printed_s <= pooled_s <= access_s * slack
    assert access_s <= degree * printed_s * slack


def test_eq55_is_several_times_too_small_under_slow_uplinks() -> None:
    """Erratum 7: uplinks a tenth of the downlinks and r = 4 make it 4 times too small."""
    up, down = np.full(50, 10e6), np.full(50, 100e6)
    assert dist.eq55_shatter_s(320e6, 4, up, down) == 32
    assert dist.shatter_access_s(320e6, 4, up, down) == 128
    assert dist.shatter_pooled_s(320e6, 4, up, down) == 128


@given(networks(), st.data())
def test_neighbours_is_the_phase_optimum(
    net: tuple[np.ndarray, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    """Any directed overlay: the form by degrees is the bound of its one phase."""
    up, down, _ = net
    pairs = [(i, j) for i in range(len(up)) for j in range(len(up)) if i != j]
    edges = np.array(data.draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True)))
    phase = Phase.between(edges[:, 0], edges[:, 1], np.full(len(edges), 7))
    out_degree, in_degree = (np.bincount(edges[:, side], minlength=len(up)) for side in (0, 1))
    expected_s = round_optimum_s([phase], capacities(up, down))
    assert dist.neighbours_s(7, out_degree, in_degree, up, down) == pytest.approx(expected_s)


def test_zero_rates() -> None:
    """A needed link that is down never ends; one that carries nothing does not matter."""
    up, down = np.array([0.0, 10.0, 10.0]), np.array([10.0, 10.0, 10.0])
    assert dist.eq52_fedavg_s(8, 8, up, down, 10, 10) == math.inf
    assert dist.eq54_ako_s(8, up, down) == math.inf
    assert dist.neighbours_s(10, [0, 1, 1], [1, 1, 0], up, down) == 1
    assert dist.eris_optimum_s([10], [0], up, down, np.array([0])) == 2


class TestRatiosInTheText:
    """320 Mbit, 100 Mbit/s, K = 50, ratio 0.05; errata 4 and 5 say which printed ones fail."""

    rates = np.full(50, 100.0 * MBIT)
    fedavg_s = dist.eq52_fedavg_s(320 * MBIT, 320 * MBIT, rates, rates, 1e8, 1e8)
    soteria_v1_s = dist.eq52_fedavg_s(16 * MBIT, 16 * MBIT, rates, rates, 1e8, 1e8)
    soteria_v2_s = dist.eq52_fedavg_s(16 * MBIT, 320 * MBIT, rates, rates, 1e8, 1e8)

    def eris_s(self, aggregators: int, download_bits: int) -> float:
        who = np.arange(aggregators)
        return dist.eq53_eris_s(16 * MBIT, download_bits, self.rates, self.rates, who)

    def own_shard_s(self, download_bits: int) -> float:
        shards = np.full(50, 16 * MBIT / 50), np.full(50, download_bits / 50)
        return dist.eris_optimum_s(*shards, self.rates, self.rates, np.arange(50))

    def test_first_version(self) -> None:
        """Two aggregators give 40.8 (printed 34); fifty give the printed 1020 and 51."""
        assert self.fedavg_s / self.eris_s(2, 16 * MBIT) == pytest.approx(40.8, abs=0.05)
        assert self.fedavg_s / self.own_shard_s(16 * MBIT) == pytest.approx(1020, abs=0.5)
        assert self.soteria_v1_s / self.own_shard_s(16 * MBIT) == pytest.approx(51, abs=0.5)

    def test_second_version(self) -> None:
        """Two give the printed 4 and 2; fifty give 97.2 and 51.0 (printed 105 and 55)."""
        two_s, fifty_s = self.eris_s(2, 320 * MBIT), self.own_shard_s(320 * MBIT)
        assert self.fedavg_s / two_s == pytest.approx(3.89, abs=0.005)
        assert self.soteria_v2_s / two_s == pytest.approx(2.04, abs=0.005)
        assert self.fedavg_s / fifty_s == pytest.approx(97.2, abs=0.05)
        assert self.soteria_v2_s / fifty_s == pytest.approx(51.0, abs=0.05)
        assert self.fedavg_s / self.eris_s(50, 320 * MBIT) == pytest.approx(95.2, abs=0.05)
