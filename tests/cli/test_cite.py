"""``netsim cite``."""

SCENARIO = """\
name: tiny
rounds: 1
task: {dataset: digits, model: mlp, lr: 0.1}
network: {nodes: 4, uplink: 1 MB/s, downlink: 1 MB/s, latency: 1 ms}
runs:
  - {kind: fedadam}
  - {kind: fedyogi}
  - {kind: cepam_laplace, weights: WEIGHTS}
"""


def test_each_paper_once_in_the_order_of_the_runs(netsim, here):
    """FedAdam and FedYogi are of one paper."""
    (here / "s.yaml").write_text(SCENARIO.replace("WEIGHTS", "uniform"))
    done = netsim("cite", "s.yaml")
    assert done.exit_code == 0
    keys = [line for line in done.output.splitlines() if line.startswith("@")]
    assert keys == ["@inproceedings{reddi2021adaptive,", "@article{ling2025cepam,"]


def test_a_study_is_cited_too(netsim, here):
    """Whatever it sweeps; each paper once."""
    text = SCENARIO.replace("WEIGHTS", "uniform") + "sweep: {grid: {seed: [1, 2]}}\n"
    (here / "s.yaml").write_text(text)
    done = netsim("cite", "s.yaml")
    assert done.exit_code == 0
    assert done.output.count("@") == 2


def test_a_bad_scenario_is_refused_like_everywhere(netsim, here):
    """File, line and column; exit code 2."""
    (here / "s.yaml").write_text(SCENARIO.replace("WEIGHTS", "sample"))
    done = netsim("cite", "s.yaml")
    assert done.exit_code == 2
    assert "s.yaml:8:36" in done.output
