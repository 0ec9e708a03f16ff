"""Updates of one instant are known before the first is read, so that they are computed together."""

import pytest

from netsim.wire.deferred import Deferred

K = 6


@pytest.mark.parametrize("kind", ["cepam_laplace", "fl_sdq", "cepam_gaussian"])
def test_sizes_that_depend_on_values_read_after_all_were_asked_for(toy, play, kind):
    """In each of three rounds, all six are asked for, then all six are read."""
    happened = []

    class Watched(toy):
        def update(self, client, model, round):
            happened.append("asked")
            update = super().update(client, model, round)

            def read():
                happened.append("read")
                return update.value()

            return Deferred(read)

    play({"kind": kind}, Watched(K, 40), rounds=3)
    assert happened == 3 * (K * ["asked"] + K * ["read"])
