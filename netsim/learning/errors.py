"""What can go wrong with a task, in words for its user."""

import os
import sysconfig
import traceback
from pathlib import Path

from netsim.scenario.errors import dotted

_OTHERS = (f"{Path(__file__).parents[1]}{os.sep}", f"{sysconfig.get_path('stdlib')}{os.sep}")
"""Where code lies that is no user's own: netsim's, and Python's with what is installed in it."""


class LearningError(Exception):
    """A task that cannot be set up, or whose training broke down.

    ``loc`` is the way to what is at fault from the root of a scenario; empty if it is no value.
    """

    def __init__(self, message: str, *loc: str) -> None:
        super().__init__(message, *loc)
        self.message = message
        self.loc = loc

    def __str__(self) -> str:
        return f"{dotted(self.loc)}: {self.message}" if self.loc else self.message


class DatasetError(LearningError):
    """A dataset that cannot be read; the message names it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "task", "dataset")

    def __str__(self) -> str:
        return self.message


class DatasetMissing(DatasetError):
    """A dataset's files are nowhere to be found; says what to fetch and where to put it."""


class DatasetCorrupt(DatasetError):
    """A dataset's file does not hold what was published; names the file."""


class FetchFailed(LearningError):
    """A dataset that cannot be fetched; says why."""


class Infeasible(LearningError):
    """Settings of a task that contradict its dataset or its number of clients."""


class TrainingDiverged(LearningError):
    """A client's local training met a loss or an update that is not finite."""

    def __init__(self, client: int, round: int) -> None:
        super().__init__(
            f"training of client {client} diverged in round {round}: its loss or update is not "
            "finite; try a smaller lr"
        )
        self.client = client
        self.round = round


class ModelDiverged(LearningError):
    """A model whose loss on the test set is not finite."""

    def __init__(self, model: int) -> None:
        super().__init__(
            f"the loss of model {model} on the test set is not finite; try a smaller lr"
        )
        self.model = model


class ModelFailed(LearningError):
    """A user's module raised ``error`` in training or in a test, or gave what has no loss."""

    def __init__(self, error: BaseException) -> None:
        text = f"the module failed: {first_line(error)}{_place(error)}"
        super().__init__(text, "task", "model")


class NoValues(RuntimeError):
    """Our own fault: someone asked for a value in a run that has sizes only."""

    def __init__(self) -> None:
        super().__init__("a volume task has sizes but no values, and a value was asked for")


def first_line(error: BaseException) -> str:
    """What another's code raised, in a line; with its kind unless that goes without saying."""
    text = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    kind = type(error).__name__
    if isinstance(error, (ImportError, OSError, TypeError, ValueError)) and text:
        return text
    return f"{kind}: {text}" if text else kind


def _place(error: BaseException) -> str:
    """The file and the line of a user's own code that raised, if any did."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        frame
        for frame in frames
        if not frame.filename.startswith(_OTHERS) and "site-packages" not in frame.filename
    ]
    return f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
