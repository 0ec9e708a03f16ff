"""How many parameters the model of a scenario has."""

import json
import subprocess
import sys
from pathlib import Path

from netsim.learning.errors import LearningError
from netsim.studies.scenario import Scenario

_INFEASIBLE = 3
_COUNT = f"""
import json
import sys
from pathlib import Path
from netsim.kernel.streams import Streams
from netsim.learning.errors import LearningError
from netsim.learning.task import TrainingTask
from netsim.studies.scenario import Scenario
scenario = Scenario.model_validate_json(sys.stdin.read())
folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
try:
    task = TrainingTask.build(
        scenario.task, scenario.network.nodes, Streams(scenario.seed), folder
    )
except LearningError as error:
    print(json.dumps([error.message, *error.loc]), file=sys.stderr)
    sys.exit({_INFEASIBLE})
print(task.n)
"""


def parameters_of(scenario: Scenario, data: Path | None) -> int:
    """The parameters a volume states, or those of the model that the task trains.

    A model is built in a process of its own, so that this one stays without torch.  Raises
    ``LearningError`` when the task cannot be set up.
    """
    if scenario.volume is not None:
        return scenario.volume.parameters
    ran = subprocess.run(
        [sys.executable, "-c", _COUNT, *([] if data is None else [str(data)])],
        input=scenario.model_dump_json(),
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode == _INFEASIBLE:
        raise LearningError(*json.loads(ran.stderr))
    assert ran.returncode == 0, ran.stderr
    return int(ran.stdout)
