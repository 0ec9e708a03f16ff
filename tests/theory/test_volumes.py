"""Volumes against counts over the messages themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from netsim.theory import volumes as vol
from netsim.theory.phase import Phase

ALL = {
    "fedavg": vol.central_volume(7, 60, 100),
    "priprune": vol.priprune_volume(7, 100, 0.25, compressed_downlink=True),
    "soteriafl": vol.soteriafl_volume(7, 100, 3, compressed_downlink=False),
    "eris": vol.eris_volume(7, [10, 20], [30, 40], np.array([5, 2])),
    "d-psgd": vol.neighbours_volume(100, [2] * 7, [2] * 7),
    "shatter": vol.shatter_virtual_volume(7, 100, 4, 3),
    "shatter on access links": vol.shatter_access_volume(7, 100, 4, 3),
    "ako": vol.ako_volume(7, 100, 5),
    "q-dpsgd-1": vol.qdpsgd_volume(7, 100, 0.1875, 0.4),
}


@pytest.mark.parametrize("name", ALL)
def test_what_is_sent_is_received(name: str) -> None:
    """Every volume adds up over the network."""
    volume = ALL[name]
    assert volume.received_bits.sum() == pytest.approx(volume.total_bits)
    assert volume.total_bits == pytest.approx(volume.sent_bits.sum())
    assert len(volume.sent_bits) == len(volume.received_bits) == len(volume.sent_messages)


@given(st.integers(2, 6), st.data())
def test_eris_counts_messages(clients: int, data: st.DataObject) -> None:
    """Against the list of all messages of both phases, own shards left out."""
    who = data.draw(st.lists(st.integers(0, clients - 1), min_size=1, max_size=clients))
    sizes = st.lists(st.integers(0, 1000), min_size=len(who), max_size=len(who))
    up, down = data.draw(sizes), data.draw(sizes)
    senders, owners = np.repeat(np.arange(clients), len(who)), np.tile(who, clients)
    loads = sum(
        Phase.between(*pair, np.tile(bits, clients)).loads_bits(2 * clients)
        for pair, bits in (((senders, owners), up), ((owners, senders), down))
    )
    volume = vol.eris_volume(clients, up, down, np.array(who))
    assert volume.sent_bits.tolist() == loads[0::2].tolist()
    assert volume.received_bits.tolist() == loads[1::2].tolist()
    assert volume.total_messages == 2 * np.count_nonzero(senders != owners)


def test_compression_of_central_methods() -> None:
    """Pruning a quarter leaves 75 of 100 bits; ω = 3 leaves 25; the downlink as asked for."""
    assert ALL["priprune"].sent_bits.tolist() == [75] * 7 + [7 * 75]
    assert ALL["soteriafl"].sent_bits.tolist() == [25] * 7 + [7 * 100]
    assert ALL["fedavg"].total_messages == 14


def test_shatter_against_dpsgd() -> None:
    """Overheads of Section 5.3: 2 + 1/r times the bits and 2k + k/r times the messages."""
    dpsgd = vol.neighbours_volume(100, [3] * 7, [3] * 7)
    assert ALL["shatter"].total_bits / dpsgd.total_bits == pytest.approx(2 + 1 / 3)
    assert ALL["shatter"].total_messages / dpsgd.total_messages == pytest.approx(8 + 4 / 3)
    assert ALL["shatter on access links"].total_bits == dpsgd.total_bits
