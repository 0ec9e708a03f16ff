"""How many samples of which label each client holds.

Shapes: K clients, L labels.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from netsim.kernel.streams import Streams
from netsim.learning.base import Int64
from netsim.studies.scenario import Scenario


@dataclass(frozen=True)
class Holdings:
    """Samples that clients train on by label, Int64[K, L], and how many they hold out, Int64[K].

    ``labels`` says what the labels are: classes, ratings, or users where texts have neither;
    ``names`` what each is called.
    ``parameters`` and ``statistics`` are the model's, the latter averaged beside the former.
    """

    counts_KL: Int64
    held_out_K: Int64
    labels: str
    names: tuple[str, ...]
    parameters: int
    statistics: int


def holdings(scenario: Scenario, folder: Path | None) -> Holdings:
    """What the clients hold; raises ``LearningError`` if the task cannot be set up to run."""
    from netsim.learning.build import assemble
    from netsim.learning.holdings import client_parts

    task, clients, streams = scenario.task, scenario.network.nodes, Streams(scenario.seed)
    assert task is not None, "a volume has no samples"
    data = task.load(folder)
    whole = assemble(task, data, clients, streams, scenario.evaluate.sample)
    parts = client_parts(task, data, clients, streams)
    names = data.stratum_names
    rows = [np.bincount(data.strata[part], minlength=len(names)) for part in parts.training]
    named = {"class": "classes", "rating": "ratings", "tokens": "users"}
    return Holdings(
        np.array(rows, np.int64),
        np.array([len(part) for part in parts.held_out], np.int64),
        named[data.answer],
        names,
        whole.n - whole.statistics,
        whole.statistics,
    )
