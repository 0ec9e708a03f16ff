"""What can go wrong with a task, in words for its user."""


class LearningError(Exception):
    """A task that cannot be set up, or whose training broke down."""


class DatasetMissing(LearningError):
    """A dataset's files are nowhere to be found; says what to fetch and where to put it."""


class DatasetCorrupt(LearningError):
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


class NoValues(RuntimeError):
    """Our own fault: someone asked for a value in a run that has sizes only."""

    def __init__(self) -> None:
        super().__init__("a volume task has sizes but no values, and a value was asked for")
