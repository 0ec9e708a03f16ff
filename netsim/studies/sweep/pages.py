"""The trace, the plots and the report of a cell, which a study leaves out."""

import json
from pathlib import Path

from netsim.network.ledger import Diverged
from netsim.results import folder
from netsim.results.errors import ResultsError
from netsim.results.records import RunResult
from netsim.scenario.document import Document
from netsim.studies.replay.retime import retime
from netsim.studies.replay.training import train
from netsim.studies.run import task_factory
from netsim.studies.scenario import Scenario, read
from netsim.studies.sweep.store import STUDY, Store


def draw_pages(cell: Path) -> None:
    """Draw them into the folder of a cell, by the record of its training.

    Raises ``ResultsError`` where there is no such cell or record.
    """
    cell = cell.resolve()
    store = Store(cell.parent.parent)
    if not folder.is_result(cell) or not (store.folder / STUDY).is_file():
        raise ResultsError(f"{cell} is no cell of a study; write STUDY/cells/ID")
    resolved = (cell / "scenario.resolved.yaml").read_text("utf-8")
    (run,) = json.loads((cell / "summary.json").read_text("utf-8"))["runs"]
    if run["status"] != "complete":
        raise ResultsError(f"{cell.name} {run['status']}; a cell that failed has no pages")
    scenario = read(Document.of(resolved, str(cell / "scenario.resolved.yaml")))
    result = _again(scenario, run["label"], store, cell)
    manifest = json.loads((cell / "manifest.json").read_text("utf-8"))
    folder.write(cell, scenario.name, scenario.seed, [result], resolved, manifest)


def _again(scenario: Scenario, label: str, store: Store, cell: Path) -> RunResult:
    """The result of a cell that has one."""
    config = scenario.runs[0]
    if scenario.volume is not None:
        make_task = task_factory(scenario, None)
        return train(scenario, config, label, make_task, lambda _: None)[0].result
    record = store.record_of(cell)
    if record is None:
        raise ResultsError(f"the record of {cell.name} is gone; run the study again")
    try:
        return retime(scenario, config, label, record)
    except Diverged as error:
        raise ResultsError(f"{cell.name} is not what its record says: {error}") from error
