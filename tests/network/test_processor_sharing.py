"""One link shared by Poisson arrivals is an M/G/1 processor-sharing queue."""

import numpy as np

from netsim.kernel.streams import Streams
from netsim.network.sharing.play import Case, play
from netsim.network.sharing.policies import fair_sharing

LOAD = 0.6
MEAN_BITS = 1e6
RATE_BPS = 1e6
BATCHES = 40
BATCH = 2500
Z_999 = 3.29


def test_mean_sojourn_time_is_that_of_processor_sharing() -> None:
    """E[T] = E[S] / (1 − ρ) whatever the sizes' distribution; false-alarm rate 0.1 %.

    Batch means of a log-normal (σ = 1) run, the first batch left out as warm-up.
    """
    rng = Streams(5).rng("processor sharing")
    count = BATCHES * BATCH
    bits = np.ceil(rng.lognormal(-0.5, 1.0, count) * MEAN_BITS).astype(np.int64)
    start_s = np.cumsum(rng.exponential(MEAN_BITS / RATE_BPS / LOAD, count))
    none = np.zeros(0, np.int64)
    links = np.zeros(count, np.int64)
    case = Case(
        np.array([RATE_BPS]), bits, np.arange(count + 1), links, start_s, np.zeros(0), none,
        np.zeros(0),
    )  # fmt: skip
    sojourn_s = play(case, fair_sharing(case.capacity_bps)) - start_s
    means = sojourn_s.reshape(BATCHES, BATCH).mean(axis=1)[1:]
    expected = MEAN_BITS / RATE_BPS / (1 - LOAD)
    error = means.std(ddof=1) / np.sqrt(len(means))
    assert abs(means.mean() - expected) < Z_999 * error
    assert error < 0.1 * expected
