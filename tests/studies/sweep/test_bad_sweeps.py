"""What is wrong with a study is told where it stands, before anything runs."""

import pytest

from netsim.scenario.errors import ScenarioError
from netsim.studies.scenario import load
from netsim.studies.sweep.plan import read_study
from tests.studies.sweep.conftest import GRID


@pytest.fixture
def refused(study):
    """What is told of the small study with a change, without the file's name."""

    def told(*changes, **options):
        file = study(*changes)
        with pytest.raises(ScenarioError) as error:
            read_study(file, **options)
        return str(error.value).replace(f"{file}:", "").splitlines()

    return told


@pytest.mark.parametrize(
    ("sweep", "expected"),
    [
        (
            "  grid: {network.uplnk: [1 MB/s]}\n",
            ["11:10: network.uplnk: unknown key 'uplnk'; did you mean 'uplink'?"],
        ),
        (
            "  grid: {netwrok.uplink: [1 MB/s]}\n",
            ["11:10: netwrok: unknown key 'netwrok'; did you mean 'network'?"],
        ),
        ("  grid: {seed: []}\n", ["11:16: sweep.grid.seed: must have at least 1 entry"]),
        ("  grid: {seed: 3}\n", ["11:16: sweep.grid.seed: must be a list, not 3; write [3]"]),
        (
            "  grid: {}\n",
            ["11:3: sweep: nothing is swept; write a grid such as {seed: [1, 2, 3]}"],
        ),
        ("  gird: {seed: [1]}\n", ["11:3: sweep.gird: unknown key 'gird'; did you mean 'grid'?"]),
        (
            "  grid: {network.uplink: [1 MB/s, 20]}\n",
            ["11:35: network.uplink: '20' has no unit; write '20 Mbit/s' or '20 MB/s'"],
        ),
        (
            "  grid:\n    runs.1.aggregators: [3, 5]\n",
            ["12:29: runs[1].aggregators: 5 aggregators among 4 clients; write at most 4"],
        ),
        (
            "  grid:\n    network.nodes: [4, 2]\n    seed: [1, 2]\n",
            [
                "12:24: network.nodes: 2 makes a scenario that cannot be run: "
                "runs[1].aggregators: 3 aggregators among 2 clients; write at most 2"
            ],
        ),
        ("  grid: {runs.7.label: [x]}\n", ["11:10: runs.7.label: runs has entries 0 to 1"]),
        ("  grid: {seed.x: [1]}\n", ["11:10: seed.x: seed holds no fields"]),
        (
            "  grid: {network..uplink: [1]}\n",
            [
                "11:27: sweep.grid['network..uplink']: 'network..uplink' is no path of a field, "
                "as network.uplink is"
            ],
        ),
        (
            "  grid: {network.uplink: [1 MB/s]}\n  list: [{network.uplink: 2 MB/s}]\n",
            [
                "12:27: sweep.list[0]['network.uplink']: network.uplink is swept twice "
                "(network.uplink)"
            ],
        ),
        (
            "  grid: {network: [{}], network.uplink: [1 MB/s]}\n",
            ["11:41: sweep.grid['network.uplink']: network.uplink is swept twice (network)"],
        ),
        (
            "  grid: {seed: [1, 2, 1]}\n",
            ["11:23: sweep.grid.seed[2]: the same as value 1; leave it out"],
        ),
        (
            "  grid: {name: [a, b]}\n",
            [
                "11:16: sweep.grid.name: cells that differ in 'name' alone are the same; "
                "sweep another field"
            ],
        ),
        (
            "  zip: {seed: [1, 2], rounds: [1, 2, 3]}\n",
            ["11:31: sweep.zip.rounds: 3 values beside the 2 of seed; write as many"],
        ),
        (
            "  sobol: {count: 2, over: {task.lr: {from: 1 ms, to: 0.2}}}\n",
            ["11:54: sweep.sobol.over['task.lr'].to: is a number, and from is a duration"],
        ),
        (
            "  latin: {count: 2, over: {task.lr: {from: 0.2, to: 0.1}}}\n",
            ["11:53: sweep.latin.over['task.lr'].to: is less than from"],
        ),
        (
            "  random: {count: 2, over: {task.lr: {from: 0, to: 0.1, scale: log}}}\n",
            [
                "11:45: sweep.random.over['task.lr'].from: has no logarithm; write more than 0, "
                "or scale: linear"
            ],
        ),
        (
            "  random: {count: 2, over: {task.lr: {from: low, to: 0.1}}}\n",
            [
                "11:45: sweep.random.over['task.lr'].from: 'low' is no number and no rate, "
                "duration or size with its unit"
            ],
        ),
    ],
)
def test_bad_sweeps_are_told_where_they_are(refused, sweep, expected):
    """Line and column of the entry that is wrong, before anything runs."""
    assert refused((GRID, sweep)) == expected


def test_what_is_wrong_with_the_scenario_is_told_once(refused):
    """At its own place, not once a cell."""
    assert refused(("rounds: 3", "rounds: 0")) == ["3:9: rounds: must be at least 1, not 0"]


def test_very_many_cells_are_asked_for_twice(refused, study):
    """Before any point is drawn or any cell is made."""
    huge = "  sobol: {count: 500000, over: {task.lr: {from: 0.1, to: 0.2}}}\n"
    assert refused((GRID, huge)) == [
        "11:3: sweep: 1,000,000 cells; write --yes to run more than 10,000"
    ]
    some = "  random: {count: 6000, over: {runs.1.compression.keep: {from: 0.1, to: 0.2}}}\n"
    assert len(refused((GRID, some))) == 1
    assert len(read_study(study((GRID, some)), many=True).cells) > 5000


def test_run_and_sweep_know_each_others_files(study):
    """Each says which command to write instead."""
    file = study()
    with pytest.raises(ScenarioError, match=r":11:3: sweep: a study.*netsim sweep .*study.yaml"):
        load(file)
    file.write_text(file.read_text().split("sweep:")[0])
    with pytest.raises(ScenarioError, match=r"no sweep; write 'netsim run .*study.yaml'"):
        read_study(file)


def test_one_client_and_a_share_of_one_are_two_values(study):
    """Equal numbers of different kinds may mean different things."""
    file = study((GRID, "  grid: {participation: [1, 1.0]}\n"))
    assert len(read_study(file).cells) == 4
