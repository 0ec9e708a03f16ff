"""From the file of a study to its cells."""

import math

import pytest

from tests.studies.sweep.conftest import GRID


@pytest.fixture
def swept(planned):
    """The small study with another sweep."""
    return lambda text: planned((GRID, text))


def values(planned):
    """Those of the first run's cells, in order."""
    return [tuple(cell.values.values()) for cell in planned.cells if cell.run.kind == "fedavg"]


def test_a_grid_has_every_combination_and_a_cell_for_each_run(planned):
    """The last field changes fastest; numbers are in base units."""
    small = planned()
    assert len(small.cells) == 12
    assert small.paths == ("network.uplink", "seed")
    rates = (2.4e6, 8e6, 4e7)
    assert values(small) == [(rate, seed) for rate in rates for seed in (1, 2)]
    assert all(len(cell.scenario.runs) == 1 for cell in small.cells)


def test_cells_that_differ_in_the_network_train_alike(planned):
    """One training a protocol and seed."""
    cells = planned().cells
    assert len({cell.training for cell in cells}) == 4
    for cell in cells:
        alike = [other for other in cells if other.training == cell.training]
        assert {(each.run.kind, each.scenario.seed) for each in alike} == {
            (cell.run.kind, cell.scenario.seed)
        }


@pytest.mark.parametrize(
    "field",
    [
        "network.latency: [1 ms, 2 ms]",
        "network.sharing: [max_min, fifo]",
        "network.transport: [fluid, tcp]",
        "network.count: [wire, payload]",
        "network.half_duplex: [false]\n    network.server: [{uplink: 1 MB/s}, {uplink: 2 MB/s}]",
        "compute: [none, {kind: per_round, time: 1 s}]",
        "barrier: [round, phase]",
        "targets: [[0.5], [0.6]]",
    ],
)
def test_what_changes_times_alone_trains_once(swept, field):
    """Networks, transports, how bits are counted, computing and barriers."""
    assert len({cell.training for cell in swept(f"  grid:\n    {field}\n").cells}) == 2


@pytest.mark.parametrize(
    "field",
    [
        "task.lr: [0.1, 0.2]",
        "network.nodes: [4, 5]",
        "rounds: [3, 4]",
        "evaluate.every: [1, 2]",
        "wire: [size, encode]",
        "runs.0.weights: [samples, uniform]",
    ],
)
def test_what_changes_the_training_trains_anew(swept, field):
    """Also where only what is measured of it changes."""
    cells = [c for c in swept(f"  grid:\n    {field}\n").cells if c.run.kind == "fedavg"]
    assert len({cell.training for cell in cells}) == 2


@pytest.mark.parametrize(
    "setting",
    [
        "barrier: none",
        "failures: {links: {kind: per_round, rate: 0.1}}",
        "failures: {deadline: 1 s}",
    ],
)
def test_what_lets_time_into_the_training_trains_by_itself(planned, setting):
    """Free-running rounds, failures and deadlines."""
    assert {c.training for c in planned(("seed: 7", f"seed: 7\n{setting}")).cells} == {None}


def test_a_size_has_nothing_to_train(planned):
    """A volume is played for each network."""
    task = "task: {dataset: digits, model: mlp, samples_per_client: 40, batch: 16, lr: 0.1, "
    cells = planned((task + "momentum: 0.5}", "volume: {parameters: 1000}")).cells
    assert {cell.training for cell in cells} == {None}


def test_names_places_and_order_do_not_change_a_cell(planned):
    """Nor does a field that is written out as it is by default; another value does."""
    ids = {cell.id for cell in planned().cells}
    changes = [("name: small", "name: other"), ("label: dsc", "label: compressed")]
    assert {cell.id for cell in planned(*changes).cells} == ids
    lines = [line for line in study_lines() if line.startswith("  - {kind")]
    turned = ("\n".join(lines), "\n".join(reversed(lines)))
    assert {cell.id for cell in planned(turned).cells} == ids
    assert {cell.id for cell in planned(("seed: 7", "seed: 7\nbarrier: round")).cells} == ids
    assert not {cell.id for cell in planned(("rounds: 3", "rounds: 4")).cells} & ids


def study_lines():
    """Of the file that fixtures write."""
    return """\
  - {kind: fedavg}
  - {kind: eris, label: dsc, aggregators: 3, compression: {kind: rand_k, keep: 0.3}}""".splitlines()


def test_a_run_has_no_cells_for_what_only_concerns_another(swept):
    """Three for ERIS, one for FedAvg, whose row has no such value."""
    cells = swept("  grid: {runs.1.aggregators: [2, 3, 4]}\n").cells
    assert [(cell.run.kind, dict(cell.values)) for cell in cells] == [
        ("fedavg", {}),
        ("eris", {"runs.1.aggregators": 2}),
        ("eris", {"runs.1.aggregators": 3}),
        ("eris", {"runs.1.aggregators": 4}),
    ]


def test_identical_cells_are_one(planned):
    """Two runs that only their labels tell apart are run once, under the one that was given."""
    runs = ["  - {kind: fedavg}\n", "  - {kind: fedavg, label: mine}\n"]
    for order in (runs, runs[::-1]):
        found = planned((runs[0], "".join(order)))
        assert len(found.cells) == len(planned().cells)
        assert {cell.label for cell in found.cells} == {"mine", "dsc"}


def test_labels_say_what_differs_whatever_the_order(planned):
    """Runs that would have one name; those that were given one keep it."""
    runs = [
        "{kind: eris}",
        "{kind: eris, masks: random}",
        "{kind: eris, label: mine, aggregators: 2}",
    ]
    for order in (runs, runs[::-1]):
        text = "".join(f"  - {each}\n" for each in order)
        cells = planned(("  - {kind: fedavg}\n", text)).cells
        names = {cell.run.masks: cell.label for cell in cells if cell.run.label is None}
        assert names == {
            "random": "eris (A=4), masks=random",
            "contiguous": "eris (A=4), masks=contiguous",
        }
        assert {cell.label for cell in cells if cell.run.label} == {"mine", "dsc"}


def test_zip_goes_through_its_lists_together(swept):
    """And with every value of a grid."""
    text = """\
  zip:
    network.uplink: [1 MB/s, 2 MB/s]
    network.latency: [1 ms, 2 ms]
  grid: {seed: [1, 2]}
"""
    expected = [(1, 8e6, 1e-3), (1, 1.6e7, 2e-3), (2, 8e6, 1e-3), (2, 1.6e7, 2e-3)]
    found = swept(text)
    assert [dict(zip(found.paths, each, strict=True)) for each in values(found)] == [
        {"seed": seed, "network.uplink": rate, "network.latency": latency}
        for seed, rate, latency in expected
    ]


def test_a_list_is_taken_as_it_is(swept):
    """What an entry leaves out is as the scenario has it."""
    found = swept("  list:\n    - {seed: 3}\n    - {network.uplink: 2 MB/s, task.lr: 0.2}\n")
    assert [dict(c.values) for c in found.cells if c.run.kind == "fedavg"] == [
        {"seed": 3, "network.uplink": 8e6, "task.lr": 0.1},
        {"seed": 7, "network.uplink": 1.6e7, "task.lr": 0.2},
    ]


def test_a_key_of_several_paths_gives_all_the_same_value(swept):
    """Each has its own column."""
    found = swept("  grid:\n    network.uplink, network.downlink: [2 MB/s, 3 MB/s]\n")
    assert found.paths == ("network.uplink", "network.downlink")
    assert values(found) == [(1.6e7, 1.6e7), (2.4e7, 2.4e7)]


def test_sections_can_be_swept_and_are_told_as_text(swept):
    """A whole section, one inside a section that the file leaves out, and one inside a kind."""
    text = """\
  grid:
    compute: [none, {kind: per_round, time: 1 s}]
    network.server.uplink: [1 MB/s]
    task.partition.alpha: [0.5]
"""
    found = swept(text + "    task.partition.kind: [dirichlet]\n")
    first, second = [cell for cell in found.cells if cell.run.kind == "fedavg"]
    assert first.values["compute"] == '{"kind": "none"}'
    assert second.values["compute"] == '{"kind": "per_round", "time": "1 s", "classes": {}}'
    assert second.values["network.server.uplink"] == 8e6
    assert second.scenario.compute.time == 1.0
    assert second.scenario.task.partition.alpha == 0.5


@pytest.mark.parametrize("kind", ["sobol", "latin", "random"])
def test_draws_fill_a_box(swept, kind):
    """Within bounds, the same each time, other points for another seed and way of drawing."""
    text = f"""\
  {kind}:
    count: 5
    over:
      network.uplink: {{from: 1 Mbit/s, to: 1 Gbit/s, scale: log}}
      network.latency: {{from: 1 ms, to: 100 ms}}
      runs.1.aggregators: {{from: 1, to: 4}}
"""
    found = swept(text)
    points = [cell.values for cell in found.cells if cell.run.kind == "eris"]
    assert len(points) == 5
    assert all(1e6 <= point["network.uplink"] <= 1e9 for point in points)
    assert all(1e-3 <= point["network.latency"] <= 0.1 for point in points)
    assert all(point["runs.1.aggregators"] in (1, 2, 3, 4) for point in points)
    assert [c.id for c in swept(text).cells] == [c.id for c in found.cells]
    assert len({math.floor(math.log10(point["network.uplink"])) for point in points}) > 1


def test_other_seeds_draw_other_points(planned):
    """The scenario's own seed, whatever seeds are swept."""
    text = "  random: {count: 2, over: {task.lr: {from: 0.1, to: 0.2}}}\n  grid: {seed: [1, 2]}\n"
    one, other = planned((GRID, text)), planned((GRID, text), ("seed: 7", "seed: 8"))
    assert values(one) != values(other)
    assert len({rate for _, rate in values(one)}) == 2


@pytest.mark.parametrize("part", ["compute", "module"])
def test_cells_are_known_by_what_their_files_hold(planned, tmp_path, monkeypatch, part):
    """Others when it changes, the same when the file is written anew."""
    monkeypatch.chdir(tmp_path)
    times, code = tmp_path / "times.csv", tmp_path / "own.py"
    changes = {
        "compute": (
            "rounds: 3\n",
            "rounds: 3\ncompute: {kind: trace, file: times.csv, per: round}\n",
        ),
        "module": ("model: mlp", 'model: {module: "own:Net"}'),
    }

    def ids(time_s, width):
        times.write_text("node,round,time_s\n" + "".join(f"{k},0,{time_s}\n" for k in range(4)))
        code.write_text(f"WIDTH = {width}\n")
        cells = planned(changes[part]).cells
        return {cell.id for cell in cells}, {cell.training for cell in cells}

    cells, trainings = ids(1, 5)
    assert ids(1, 5) == (cells, trainings)
    others, other_trainings = ids(2, 6)
    assert not cells & others
    # Times change no training.
    assert (trainings == other_trainings) == (part == "compute")
