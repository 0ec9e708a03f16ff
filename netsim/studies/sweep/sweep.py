"""Runs a study: what is missing of it, to its folder."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from netsim.studies.sweep.conduct import Conductor, Fate, StudyHalted
from netsim.studies.sweep.jobs import Settings
from netsim.studies.sweep.plan import Study
from netsim.studies.sweep.store import Store
from netsim.studies.sweep.tables import write_study, write_table_of
from netsim.studies.sweep.watch import watched
from netsim.studies.sweep.workers import Workers


@dataclass(frozen=True)
class Ending:
    """What became of each cell; ``interrupted`` where not of all."""

    study: Study
    fates: Mapping[str, Fate]
    interrupted: bool

    def counts(self) -> Mapping[str, int]:
        """Cells by what became of them."""
        return Counter(fate.status for fate in self.fates.values())

    def failures(self) -> Mapping[str, list[str]]:
        """The cells that failed, by the reason and the place in the file that it names."""
        reasons: dict[str, list[str]] = {}
        for cell in self.study.cells:
            fate = self.fates.get(cell.id)
            if fate is not None and fate.failure is not None:
                at = f"{self.study.place(cell.id, fate.loc)}: " if fate.loc else ""
                reasons.setdefault(at + fate.failure, []).append(cell.id)
        return reasons


def run_study(study: Study, out: Path, settings: Settings, workers: Workers, count: int) -> Ending:
    """Run what ``out`` does not hold yet, ``count`` jobs at once, and write the tables.

    Raises ``ResultsError`` when ``out`` cannot be written, and ``StudyHalted`` when no more can
    be run.
    """
    store = Store(out.resolve())
    with store.opened():
        write_study(study, out)
        with watched(len(study.cells), count) as watch:
            conductor = Conductor(study.cells, store, settings, watch)
            try:
                interrupted = _conducted(conductor, workers)
            except StudyHalted as halt:
                if not halt.loc:
                    raise
                raise StudyHalted(f"{study.place(halt.cell, halt.loc)}: {halt}") from halt
        write_table_of(study, store, conductor.fates)
    return Ending(study, conductor.fates, interrupted)


def _conducted(conductor: Conductor, workers: Workers) -> bool:
    """Whether Ctrl-C ended it before its time."""
    try:
        if conductor.missing:
            with workers:
                conductor.run(workers)
    except KeyboardInterrupt:
        return True
    return False
