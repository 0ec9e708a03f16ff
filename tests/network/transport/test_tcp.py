"""TCP's pace against closed forms."""

import numpy as np
import pytest

from netsim.network.sharing.policies import fair_sharing
from netsim.network.transport.config import Tcp
from netsim.network.transport.tcp import TcpSharing

RATE_BPS = 20e6
# Links 0 and 1 are node 0's uplink and downlink, 2 and 3 node 1's.
REVERSE_L = np.array([1, 0, 3, 2])


def finish_s(
    tcp: Tcp, sizes: list[int], trip_s: float, rate_bps: float = RATE_BPS
) -> tuple[list[float], list[int]]:
    """When transfers of ``sizes`` bytes from node 0 to node 1, all at once, have left."""
    delays = np.full(4, trip_s / 4)
    sharing = TcpSharing(fair_sharing(np.full(4, rate_bps)), tcp, delays, REVERSE_L)
    carried = tcp.on_link(8 * np.array(sizes))
    ptr = np.arange(0, 2 * len(sizes) + 1, 2)
    slots = sharing.start(0.0, carried, ptr, np.array([0, 3] * len(sizes))).tolist()
    ends: dict[int, float] = {}
    while (now := sharing.next_completion()) < np.inf:
        ends |= dict.fromkeys(sharing.complete(now).tolist(), now)
    return [ends[slot] for slot in slots], carried.tolist()


def stalled_s(tcp: Tcp, carried: int, trip_s: float, rate_bps: float) -> float:
    """Σ (round trip − window ÷ rate) over the windows that end before an acknowledgement."""
    window, stall = tcp.first_window_bits, 0.0
    while carried > window and window / rate_bps < trip_s:
        stall += trip_s - window / rate_bps
        carried -= window
        window *= 2
    return stall


@pytest.mark.parametrize("size", [1, 1448, 1449, 100_000, 10_000_000])
def test_headers_cost_66_bytes_a_segment(size: int) -> None:
    """Without a round trip a transfer takes its bits with headers, ÷ the rate."""
    (end,), (carried,) = finish_s(Tcp(acknowledgements=False), [size], 0.0)
    assert carried == 8 * (size + 66 * -(-size // 1448))
    assert end == pytest.approx(carried / RATE_BPS, rel=1e-12)


def test_goodput_of_a_long_transfer_is_0_956() -> None:
    """1448 of 1514 bytes."""
    (end,), _ = finish_s(Tcp(acknowledgements=False), [10_000_000], 0.0)
    assert 8 * 10_000_000 / end / RATE_BPS == pytest.approx(0.956, abs=5e-4)


@pytest.mark.parametrize("trip_s", [0.02, 0.1])
@pytest.mark.parametrize("size", [1_000, 14_480, 100_000, 2_000_000])
def test_slow_start_stalls_as_its_closed_form(size: int, trip_s: float) -> None:
    """Bits ÷ rate and the time the sender stands still."""
    tcp = Tcp(handshake=False, acknowledgements=False)
    (end,), (carried,) = finish_s(tcp, [size], trip_s)
    expected = carried / RATE_BPS + stalled_s(tcp, carried, trip_s, RATE_BPS)
    assert end == pytest.approx(expected, rel=0.01)


def test_window_over_round_trip_caps_the_rate() -> None:
    """1 Gbit/s at 100 ms: 4 MiB a round trip, about 335 Mbit/s, once the window is open."""
    tcp = Tcp(handshake=False, acknowledgements=False)
    (short, long), carried = (
        [finish_s(tcp, [size], 0.1, 1e9)[0][0] for size in (50_000_000, 150_000_000)],
        tcp.on_link(8 * np.array([50_000_000, 150_000_000])),
    )
    rate = (carried[1] - carried[0]) / (long - short)
    assert rate == pytest.approx(8 * 4 * 2**20 / 0.1, rel=0.01)


THERE, BACK = [0, 3], [2, 1]


@pytest.mark.parametrize(
    ("routes", "starts_s", "waits_s"),
    [
        ([THERE], [0.0], [0.1]),
        ([THERE, THERE], [0.0, 1.0], [0.1, 0.0]),
        ([THERE, BACK], [0.0, 1.0], [0.1, 0.0]),
        ([THERE, THERE], [0.0, 0.0], [0.1, 0.1]),
        ([THERE, BACK], [0.0, 0.0], [0.1, 0.1]),
        ([THERE, BACK], [0.0, 0.04], [0.1, 0.06]),
    ],
)
def test_two_hosts_open_a_connection_once(
    routes: list[list[int]], starts_s: list[float], waits_s: list[float]
) -> None:
    """For both directions; what is sent meanwhile waits until it is open."""
    tcp = Tcp(acknowledgements=False)
    sharing = TcpSharing(fair_sharing(np.full(4, 1e12)), tcp, np.full(4, 0.025), REVERSE_L)
    waits, place = [0.0] * len(routes), dict[int, int]()
    to_come = [*zip(range(len(routes)), starts_s, routes, strict=True)]
    while to_come or sharing.next_completion() < np.inf:
        if to_come and to_come[0][1] <= sharing.next_completion():
            index, now, route = to_come.pop(0)
            (slot,) = sharing.start(now, np.array([8000]), np.array([0, 2]), np.array(route))
            place[int(slot)] = index
        else:
            now = sharing.next_completion()
            for slot in sharing.complete(now).tolist():
                waits[place[slot]] = now - starts_s[place[slot]]
    assert waits == pytest.approx(waits_s, abs=1e-6)


def test_acknowledgements_load_the_way_back() -> None:
    """Both directions busy: 66 bytes for every two segments of the other side, 2.2 %."""
    ends = {}
    for acknowledgements in (True, False):
        tcp = Tcp(handshake=False, acknowledgements=acknowledgements)
        sharing = TcpSharing(fair_sharing(np.full(4, RATE_BPS)), tcp, np.zeros(4), REVERSE_L)
        carried = tcp.on_link(np.array([80_000_000, 80_000_000]))
        sharing.start(0.0, carried, np.array([0, 2, 4]), np.array([0, 3, 2, 1]))
        while (now := sharing.next_completion()) < np.inf:
            if len(sharing.complete(now)):
                ends[acknowledgements] = now
    assert ends[True] / ends[False] - 1 == pytest.approx(66 / 3028, rel=0.01)


BOTTLENECK_BPS = 50e6


def rates_over_a_bottleneck(tcp: Tcp, trips_s: list[float], now: float) -> list[float]:
    """Rates, at ``now``, of long transfers to one node whose downlink all of them share.

    Sender i has links 2i and 2i + 1, all of 1 Gbit/s; the receiver comes last.
    """
    count = len(trips_s)
    capacity_bps = np.full(2 * count + 2, 1e9)
    capacity_bps[-1] = BOTTLENECK_BPS
    delays = np.append(np.repeat(np.array(trips_s) / 2, 2), [0.0, 0.0])
    reverse = np.arange(2 * count + 2) ^ 1
    sharing = TcpSharing(fair_sharing(capacity_bps), tcp, delays, reverse)
    links = np.array([[2 * i, 2 * count + 1] for i in range(count)]).ravel()
    slots = sharing.start(0.0, np.full(count, 10**10), np.arange(0, 2 * count + 1, 2), links)
    while sharing.next_completion() <= now:
        sharing.complete(sharing.next_completion())
    return sharing.rate(slots).tolist()


def test_round_trips_of_20_and_80_ms_share_a_bottleneck_as_4_to_1() -> None:
    """Once both are past slow start; equally without the option."""
    rates = rates_over_a_bottleneck(Tcp(rtt_weights=True), [0.02, 0.08], 5.0)
    assert rates == pytest.approx([BOTTLENECK_BPS * 4 / 5, BOTTLENECK_BPS / 5], rel=1e-12)
    rates = rates_over_a_bottleneck(Tcp(), [0.02, 0.08], 5.0)
    assert rates == pytest.approx([BOTTLENECK_BPS / 2] * 2, rel=1e-12)


def test_many_round_trips_share_as_their_inverses() -> None:
    """What a connection at its window leaves goes to the others, in the same proportion."""
    trips_s = [0.01, 0.02, 0.05, 0.4]
    inverse = 1 / np.array(trips_s)
    rates = rates_over_a_bottleneck(Tcp(rtt_weights=True), trips_s, 8.0)
    assert rates == pytest.approx(BOTTLENECK_BPS * inverse / inverse.sum(), rel=1e-12)
    narrow = Tcp(rtt_weights=True, window="24 kB")
    rates = rates_over_a_bottleneck(narrow, trips_s, 8.0)
    assert rates == pytest.approx(8 * 24_000 * inverse, rel=1e-12)


def test_acknowledgements_have_the_weight_of_their_connection() -> None:
    """Each of two opposite connections shares a link with the other's, as 4 : 1."""
    tcp = Tcp(rtt_weights=True, handshake=False, initial_window=10**6)
    delays = np.array([0.0, 0.0, 0.01, 0.01, 0.04, 0.04])
    sharing = TcpSharing(fair_sharing(np.full(6, 1e6)), tcp, delays, np.arange(6) ^ 1)
    slots = sharing.start(0.0, np.array([10**8] * 2), np.array([0, 2, 4]), np.array([2, 1, 0, 5]))
    assert sharing.rate(slots) == pytest.approx([0.8e6, 0.2e6], rel=1e-12)


def test_an_aborted_transfer_counts_what_left_window_by_window() -> None:
    """After two windows and a pause the bits of exactly two windows are gone."""
    tcp = Tcp(handshake=False, acknowledgements=False)
    sharing = TcpSharing(fair_sharing(np.full(4, RATE_BPS)), tcp, np.full(4, 0.025), REVERSE_L)
    slots = sharing.start(0.0, np.array([10**8]), np.array([0, 2]), np.array([0, 3]))
    while sharing.next_completion() < 0.15:
        sharing.complete(sharing.next_completion())
    assert sharing.abort(0.15, slots).tolist() == [3 * tcp.first_window_bits]
    assert sharing.next_completion() == np.inf or not len(
        sharing.complete(sharing.next_completion())
    )
