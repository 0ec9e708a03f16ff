"""Rates that change over time.  1 kB/s is 8000 bit/s; times worked out by hand."""

from pathlib import Path

import pytest

from netsim.kernel import Deadlock, running_loop, sleep
from netsim.network.config import NetworkConfig
from netsim.network.steps import Steps, read_steps
from netsim.network.topology import Guest
from netsim.network.traces import start_traces
from netsim.scenario.csv_file import CsvError

STAIRS = "time_s,rate\n0,1 kB/s\n2,4 kB/s\n3,0\n5.5,16000\n"
"""Bits by then: 16,000 at 2 s, 48,000 at 3 s and at 5.5 s; then 16,000 a second."""


@pytest.fixture
def file(tmp_path: Path):
    """Writes a trace and returns its path."""

    def write(text: str, name: str = "trace.csv") -> Path:
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return write


@pytest.fixture
def arrival(simulate, parcel):
    """When a message of so many bits from one node to another arrives, traces running."""

    def play(bits, traces, sender=0, receiver=1, start=0.0, guests=(), **settings):
        rates = {"uplink": "80 kB/s", "downlink": "80 kB/s", "nodes": 3} | settings
        config = NetworkConfig.model_validate(rates | {"traces": traces})

        async def main(world):
            loop = running_loop()
            start_traces(
                loop.env, world.network.topology, config.traces, world.network.set_capacity
            )
            await sleep(start)
            world.network.post(sender, [receiver], parcel(bits // 8), "model", 0)
            return await world.at(receiver, sender, "model")

        return simulate(main, guests, **rates, traces=traces)

    return play


@pytest.mark.parametrize(
    ("bits", "end_s"),
    [(8_000, 1.0), (16_000, 2.0), (24_000, 2.25), (48_000, 3.0), (56_000, 6.0), (64_000, 6.5)],
)
@pytest.mark.parametrize("link", ["uplink", "both"])
def test_transfer_ends_when_the_area_under_the_rates_is_its_size(arrival, file, bits, end_s, link):
    """Over a spell of rate zero nothing moves."""
    trace = {"file": file(STAIRS), "nodes": [0], "link": link, "after": "hold"}
    assert arrival(bits, [trace]) == pytest.approx(end_s, abs=1e-12)


def test_the_first_rate_holds_before_the_first_transfer(arrival, file):
    """Not for an instant does the transfer see the scenario's 80 kB/s."""
    trace = {"file": file("time_s,rate\n0,8000\n"), "after": "hold"}
    assert arrival(4_000, [trace]) == 0.5


def test_a_downlink_trace_slows_the_receiver_only(arrival, file):
    trace = {"file": file(STAIRS), "nodes": [1], "link": "downlink", "after": "hold"}
    assert arrival(24_000, [trace]) == pytest.approx(2.25, abs=1e-12)
    assert arrival(64_000, [trace], sender=1, receiver=0) == pytest.approx(0.1, abs=1e-12)
    assert arrival(64_000, [trace], receiver=2) == pytest.approx(0.1, abs=1e-12)


def test_two_traces_meet_on_one_path(arrival, file):
    """Uplink 1, 4, 0, 2 kB/s; downlink 2 kB/s, from 2.5 s on 1 kB/s: 24,000 bits by 2.5 s."""
    slow = file("time_s,rate\n0,2 kB/s\n2.5,1 kB/s\n", "slow.csv")
    up = {"file": file(STAIRS), "nodes": [0], "link": "uplink", "after": "hold"}
    down = {"file": slow, "nodes": [1], "link": "downlink", "after": "hold"}
    assert arrival(24_000, [up, down]) == pytest.approx(2.5, abs=1e-12)
    assert arrival(36_000, [up, down]) == pytest.approx(6.5, abs=1e-12)


def test_hold_keeps_the_last_rate_for_ever(arrival, file):
    """8,000 bits in the first second, then 1,000 bit/s: 1,000 s more for 1,000,000."""
    trace = {"file": file("time_s,rate\n0,8000\n1,1000\n"), "after": "hold"}
    assert arrival(1_008_000, [trace]) == pytest.approx(1001, abs=1e-9)


def test_held_at_zero_it_never_ends(arrival, file):
    """A deadlock names who waits; nothing hangs and nothing arrives."""
    trace = {"file": file("time_s,rate\n0,8000\n1,0\n"), "after": "hold"}
    with pytest.raises(Deadlock, match="node 1 waits for"):
        arrival(8_008, [trace])


def test_repeat_starts_over_when_the_last_rate_has_lasted_as_long_as_the_one_before(arrival, file):
    """8,000 bits in 1 s, none in 1 s, over and over: 10^6 bits are 125 turns less the rest."""
    trace = {"file": file("time_s,rate\n0,8000\n1,0\n"), "after": "repeat"}
    assert arrival(1_000_000, [trace]) == pytest.approx(249, abs=1e-9)
    assert arrival(1_004_000, [trace]) == pytest.approx(250.5, abs=1e-9)
    assert arrival(8_000, [trace], start=1.5) == pytest.approx(3, abs=1e-12)


def test_a_thousand_turns_do_not_drift():
    """Times are multiples of the period, not sums."""
    steps = Steps((0.0, 0.1, 0.3), (1.0, 2.0, 3.0), repeat=True)
    changes = steps.changes()
    times = [time_s for time_s, _ in (next(changes) for _ in range(3000))]
    assert times[:5] == pytest.approx([0.1, 0.3, 0.5, 0.6, 0.8])
    assert times[2999] == pytest.approx(1000 * 0.5, rel=1e-15)


def test_one_rate_repeated_is_a_constant():
    assert list(Steps((0.0,), (5.0,), repeat=True).changes()) == []


def test_half_duplex_traces_the_shared_link(arrival, file):
    """Both directions of node 1 share 8,000 bit/s, then 16,000."""
    trace = {"file": file("time_s,rate\n0,8000\n1,16000\n"), "nodes": [1], "after": "hold"}
    shared = {"half_duplex": True, "downlink": "80 kB/s"}
    assert arrival(16_000, [trace], **shared) == pytest.approx(1.5, abs=1e-12)
    assert arrival(16_000, [trace], sender=1, receiver=2, **shared) == pytest.approx(1.5, abs=1e-12)


def test_a_node_like_a_client_follows_its_traces(arrival, file):
    """A virtual node with a link of its own, and not the server."""
    trace = {"file": file(STAIRS), "nodes": [1], "link": "uplink", "after": "hold"}
    guests = (Guest("mask", like=1), Guest("server"))
    assert arrival(24_000, [trace], sender=3, guests=guests) == pytest.approx(2.25, abs=1e-12)
    everyone = trace | {"nodes": "all"}
    assert arrival(64_000, [everyone], sender=4, guests=guests) == pytest.approx(0.1, abs=1e-12)


def test_rates_are_whole_bits_a_second_or_have_a_unit(file):
    steps = read_steps(file("time_s,rate\n0,8000\n1.5, 2 Mbit/s\n\n3e0,0\n"), repeat=True)
    assert steps == Steps((0.0, 1.5, 3.0), (8000.0, 2e6, 0.0), repeat=True)


@pytest.mark.parametrize(
    ("text", "repeat", "faults"),
    [
        ("", False, [":1: the first line must be time_s,rate"]),
        ("time,rate\n0,1\n", False, [":1: the first line must be time_s,rate"]),
        ("time_s,rate\n", False, [": there are no rates"]),
        ("time_s,rate\n1,1\n", False, [":2: the first time must be 0, not 1"]),
        (
            "time_s,rate\n0,1\n2,1\n2,1\n1,1\n",
            False,
            [
                ":4: the time must be more than the last, 2, not 2",
                ":5: the time must be more than the last, 2, not 1",
            ],
        ),
        (
            "time_s,rate\n0,-1\n1,1.5\n2,3 Mbps\n3\n",
            False,
            [
                ":2: '-1' is negative; a rate is zero or more",
                ":3: '1.5' has no unit; write '1.5 Mbit/s' or '1.5 MB/s'",
                ":4: '3 Mbps': unknown unit 'Mbps'; write '3 Mbit/s'",
                ":5: has 1 values, not time_s,rate",
            ],
        ),
        (
            "time_s,rate\n0,1\nnan,1\n",
            False,
            [":3: time_s must be a number of seconds from 0 on, not 'nan'"],
        ),
        (
            "time_s,rate\n0,1\ninf,1\n",
            False,
            [":3: time_s must be a number of seconds from 0 on, not 'inf'"],
        ),
        ("time_s,rate\n0,0\n1,0 MB/s\n", True, [": all rates are zero, and they repeat"]),
    ],
)
def test_every_wrong_line_is_named(file, text, repeat, faults):
    path = file(text)
    with pytest.raises(CsvError) as caught:
        read_steps(path, repeat)
    assert caught.value.faults == [f"{path}{fault}" for fault in faults]


def test_all_zero_may_be_held(file):
    assert read_steps(file("time_s,rate\n0,0\n"), repeat=False).rate_bps == (0,)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CsvError, match=r"no\.csv: cannot be read: No such file"):
        read_steps(tmp_path / "no.csv", repeat=False)


def test_traces_must_fit_the_network(file):
    """Each problem at its place."""
    path = file(STAIRS)
    config = NetworkConfig.model_validate(
        {
            "nodes": 3,
            "uplink": "1 kB/s",
            "half_duplex": True,
            "traces": [
                {"file": path, "nodes": [0, 3]},
                {"file": path, "nodes": [1], "link": "uplink"},
                {"file": path, "nodes": [2, 0]},
                {"file": path.with_name("no.csv"), "nodes": []},
            ],
        }
    )
    assert dict(config.problems()) == {
        ("traces", 0, "nodes", 1): "no node 3; nodes are 0 to 2",
        ("traces", 1, "link"): "with half_duplex both directions share a link; write link: both",
        ("traces", 2): "an earlier trace is for the downlink of node 0 as well",
        ("traces", 3, "file"): f"{path.with_name('no.csv')}: cannot be read: "
        "No such file or directory",
    }


@pytest.mark.parametrize(("half_duplex", "links"), [(False, [2, 4, 3, 5]), (True, [2, 4])])
def test_changes_touch_only_the_links_of_the_trace(file, simulate, half_duplex, links):
    """Called at once with the first rates, and at each change with the next."""
    traces = [{"file": file(STAIRS), "nodes": [1, 2], "after": "hold"}]
    rates = {"uplink": "1 kB/s", "downlink": "1 kB/s", "half_duplex": half_duplex}
    settings = {"nodes": 4, "traces": traces} | rates
    calls = []

    async def main(world):
        env = running_loop().env

        def note(links, rates):
            calls.append((env.now, links.tolist(), rates.tolist()))

        config = NetworkConfig.model_validate(settings)
        start_traces(env, world.network.topology, config.traces, note)
        assert len(calls) == 1
        await sleep(10)

    simulate(main, **settings)
    changes = [(0.0, 8000.0), (2.0, 32000.0), (3.0, 0.0), (5.5, 16000.0)]
    assert calls == [(time_s, links, [rate] * len(links)) for time_s, rate in changes]
