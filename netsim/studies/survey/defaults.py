"""What is drawn of a study when nothing is asked for."""

from collections.abc import Sequence

from netsim.results.errors import ResultsError
from netsim.studies.survey.curves import SEED
from netsim.studies.survey.table import StudyTable

_TIME, _GOAL, _BYTES = "distribution_time_s", "time_to_", "sent_bytes"


def default_x(table: StudyTable) -> str:
    """The first swept rate, else the first swept number that has two values.

    Raises ``ResultsError`` where no number was swept.
    """
    varied = [p for p in table.paths if p != SEED and len(table.numbers(p)) > 1]
    rates = [path for path in varied if table.units.get(path) == "bit/s"]
    if not varied:
        raise ResultsError("no field with numbers was swept; name one by --x")
    return (rates or varied)[0]


def default_ys(table: StudyTable) -> list[str]:
    """Distribution time, bytes, and time to the highest accuracy that most cells reached."""
    goals = [name for name in table.columns if name.startswith(_GOAL) and _mostly(table, name)]
    chosen = [_TIME, *goals[-1:], _BYTES]
    return [name for name in chosen if table.numbers(name)]


def _mostly(table: StudyTable, name: str) -> bool:
    reached: Sequence[bool] = [row[name] is not None for row in table.rows]
    return 2 * sum(reached) > len(reached)
