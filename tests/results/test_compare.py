"""What differs between two results, from results that differ in one known thing."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from netsim.cli.app import app
from netsim.results.compare import compare
from netsim.results.errors import ResultsError

SCENARIO = """\
name: small
seed: {seed}
rounds: 2
volume: {{parameters: 1000}}
network: {{nodes: 3, uplink: {uplink}, downlink: 1 Mbit/s, latency: 10 ms}}
runs:
  - {{kind: fedavg}}
  - {{kind: eris, aggregators: {aggregators}}}
"""


def result(folder: Path, uplink: str = "1 Mbit/s", aggregators: int = 3, seed: int = 1) -> Path:
    folder.mkdir()
    text = SCENARIO.format(uplink=uplink, aggregators=aggregators, seed=seed)
    (folder / "scenario.yaml").write_text(text)
    out = folder / "out"
    ran = CliRunner().invoke(app, ["run", str(folder / "scenario.yaml"), "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    return out


def test_two_runs_of_one_scenario_are_the_same(tmp_path: Path) -> None:
    """Wall times differ and do not count."""
    assert compare(result(tmp_path / "a"), result(tmp_path / "b")) == []


def test_another_rate_is_named_and_where_its_times_part(tmp_path: Path) -> None:
    """The field, and the first transfer and round whose times are not the same."""
    found = compare(result(tmp_path / "a"), result(tmp_path / "b", uplink="2 Mbit/s"))
    places = [each.where for each in found]
    assert any(place.startswith("network.uplink") for place in places)
    assert any("rounds differ, first round 0, end_s" in place for place in places)
    assert any("transfers differ, first round 0" in place for place in places)
    assert not any("digest" in place for place in places), "digests hold no times"


def test_messages_that_only_one_has(tmp_path: Path) -> None:
    """With two aggregators fewer messages are sent: a row is missing on one side."""
    found = compare(result(tmp_path / "a"), result(tmp_path / "b", aggregators=2))
    labels = [each for each in found if each.other == "missing" or each.one == "missing"]
    assert [each.where for each in labels] == ["run 'eris (A=3)'", "run 'eris (A=2)'"]


def test_the_last_bit_of_a_figure_counts(tmp_path: Path) -> None:
    """A time that is off by one unit in the last place."""
    one = result(tmp_path / "a")
    other = tmp_path / "c"
    shutil.copytree(one, other)
    summary = json.loads((other / "summary.json").read_text())
    summary["runs"][0]["simulated_time_s"] *= 1 + 2**-52
    (other / "summary.json").write_text(json.dumps(summary))
    (found,) = compare(one, other)
    assert found.where == "run 'fedavg' simulated_time_s"


def test_the_command_ends_with_one_where_they_differ(tmp_path: Path) -> None:
    """As diff does: 0 the same, 1 different, 2 no results."""
    one, other = result(tmp_path / "a"), result(tmp_path / "b", seed=2)
    netsim = CliRunner()
    assert netsim.invoke(app, ["diff", str(one), str(one)]).exit_code == 0
    differ = netsim.invoke(app, ["diff", str(one), str(other), "--json"])
    assert differ.exit_code == 1
    assert json.loads(differ.stdout)[0] == {"where": "seed", "one": "1", "other": "2"}
    refused = netsim.invoke(app, ["diff", str(one), str(tmp_path)])
    assert refused.exit_code == 2
    assert refused.stderr.count("\n") == 1


def test_no_result(tmp_path: Path) -> None:
    """A folder of something else."""
    with pytest.raises(ResultsError, match="is no netsim result"):
        compare(tmp_path, tmp_path)
