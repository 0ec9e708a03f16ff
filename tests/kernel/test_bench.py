"""The benchmark measures what it says."""

import pytest

from netsim.kernel.bench import sleeps


def test_rates_of_three_contestants() -> None:
    """Also for numbers that the turns do not divide."""
    rates = sleeps(coroutines=7, sleeps_each=23)
    assert list(rates) == ["simpy", "asyncio", "netsim"]
    assert all(rate > 0 for rate in rates.values())


@pytest.mark.parametrize("size", [(0, 5), (5, 0)])
def test_nothing_cannot_be_measured(size: tuple[int, int]) -> None:
    """No division by zero."""
    with pytest.raises(ValueError, match="at least 1"):
        sleeps(*size)
