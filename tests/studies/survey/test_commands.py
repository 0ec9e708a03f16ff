"""``netsim plot``, ``query`` and ``diff`` as a user types them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from netsim.cli.app import app
from tests.studies.survey.conftest import MakeStudy, row


def netsim(*words: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def study(make_study: MakeStudy) -> Path:
    """fedavg takes 8/r + 0.1 s, eris 1/r + 0.2 s at r Mbit/s: equal at 70 Mbit/s."""
    rates = (1.0, 10.0, 69.0, 71.0, 1000.0)
    return make_study(
        [row("fedavg", r * 1e6, 8 / r + 0.1, seed=s) for r in rates for s in (1, 2)]
        + [row("eris", r * 1e6, 1 / r + 0.2, seed=s) for r in rates for s in (1, 2)]
    )


def test_plot_draws_the_usual_figures_and_tells_the_crossing(study: Path) -> None:
    """The crossing is at 70 Mbit/s; files are where it says."""
    code, out, _ = netsim("plot", study)
    assert code == 0
    assert "below 70.0 Mbit/s eris is the fastest to accuracy 0.50" in out
    assert "above 70.0 Mbit/s fedavg is the fastest to accuracy 0.50" in out
    drawn = {path.name for path in (study / "plots").glob("*.png")}
    assert drawn == {
        "accuracy_against_time.png",
        "distribution_time_s_by_network.uplink.png",
        "sent_bytes_by_network.uplink.png",
        "time_to_0.50_s_by_network.uplink.png",
    }
    assert all(str(study / "plots" / name) in out for name in drawn)


def test_plot_of_one_figure(study: Path, tmp_path: Path) -> None:
    """As the options name it, into another folder; its name tells what lines are."""
    words = ("--x", "network.uplink", "--y", "distribution_time", "--by", "protocol")
    code, out, _ = netsim("plot", study, *words, "--out", tmp_path / "figures")
    assert code == 0
    (png,) = (tmp_path / "figures").glob("*.png")
    assert png.name == "distribution_time_s_by_network.uplink_for_protocol.png"
    assert png.stat().st_size > 1000
    assert "elasticity" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--y", "distributon_time"), "did you mean 'distribution_time_s'?"),
        (("--where", "nonsense = 1"), 'column "nonsense" not found'),
        (("--where", "seed = 9"), "no cell has a result there"),
        (("--x", "label"), "'label' holds no numbers to draw"),
        (
            ("--x", "network.latency"),
            "'network.latency' has one value in all cells; name another field by --x",
        ),
    ],
)
def test_plot_refuses(study: Path, words: tuple[str, ...], message: str) -> None:
    """One line, exit code 2, nothing drawn."""
    code, _, error = netsim("plot", study, *words)
    assert code == 2
    assert message in error
    assert error.count("\n") == 1
    assert not (study / "plots").exists()


@pytest.mark.parametrize("command", [("plot",), ("query", "SELECT 1")])
def test_no_study(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Folders that are none, or hold something else."""
    name, *rest = command
    code, _, error = netsim(name, tmp_path / "absent", *rest)
    assert (code, error) == (2, f"{tmp_path / 'absent'}: no such folder\n")
    code, _, error = netsim(name, tmp_path, *rest)
    assert code == 2
    assert "no study" in error or "neither a result nor a study" in error


def test_query_answers_in_three_forms(study: Path) -> None:
    """Two labels of ten cells each."""
    question = "SELECT label, count(*) AS n FROM cells GROUP BY label ORDER BY label"
    assert netsim("query", study, question)[1].splitlines()[2:] == ["eris    10", "fedavg  10"]
    assert netsim("query", study, question, "--csv")[1] == "label,n\neris,10\nfedavg,10\n"
    rows = json.loads(netsim("query", study, question, "--json")[1])
    assert rows == [{"label": "eris", "n": 10}, {"label": "fedavg", "n": 10}]


def test_query_tells_a_fault_in_a_line(study: Path) -> None:
    """What DuckDB says, without a traceback."""
    code, _, error = netsim("query", study, "SELECT lable FROM cells")
    assert code == 2
    assert '"lable" not found' in error
    assert '"label"' in error
    assert error.count("\n") == 1


def test_query_lists_the_tables_there_are(study: Path) -> None:
    """Where one is asked for that there is not; these cells have no files of their own."""
    code, _, error = netsim("query", study, "SELECT * FROM summary")
    assert (code, error) == (2, "no table summary; there are cells\n")


@pytest.mark.parametrize("sql", ["", ";", "/* nothing */", "SELECT 1; SELECT 2"])
def test_query_takes_one_question(study: Path, sql: str) -> None:
    """A line, whatever else it is given."""
    code, out, error = netsim("query", study, sql)
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert "SELECT ..." in error


def test_diff_takes_two_of_a_kind(study: Path, tmp_path: Path) -> None:
    """Else it says which is what, or which is nothing."""
    result = tmp_path / "result"
    result.mkdir()
    (result / "manifest.json").write_text('{"versions": {"netsim": "0"}}')
    for pair in ((study, result), (result, study)):
        code, _, error = netsim("diff", *pair)
        assert (code, error) == (
            2,
            f"{study} is a study and {result} a result; name two of a kind\n",
        )
    code, _, error = netsim("diff", study, tmp_path / "absent")
    assert code == 2
    assert error.startswith(f"{tmp_path / 'absent'}")


def test_diff_of_studies(make_study: MakeStudy, tmp_path: Path) -> None:
    """The same as itself; another accuracy in one cell and a cell that only one has are told."""
    cells = [row("fedavg", rate, 1.0, id=str(rate)) for rate in (1.0, 2.0)]
    one = make_study(cells)
    assert netsim("diff", one, one)[:2] == (0, "the same to the bit\n")
    one = one.rename(tmp_path / "one")
    other = make_study([cells[0] | {"final_accuracy": 0.8, "status": "timed"}])
    code, out, _ = netsim("diff", one, other)
    assert code == 1
    assert out.splitlines() == [
        "cell 1.0 (fedavg, seed 1) final_accuracy: 0.9 | 0.8",
        "cell 2.0 (fedavg, seed 1): there | missing",
    ]
