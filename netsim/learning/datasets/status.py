"""Which datasets there are, and where."""

from dataclasses import dataclass
from pathlib import Path

from netsim.learning.datasets import DATASETS, Dataset
from netsim.learning.errors import DatasetMissing


@dataclass(frozen=True)
class Status:
    """A dataset: ``found`` is the folder of its files, None if it is missing or embedded;
    ``told`` says where it is or how to get it."""

    kind: str
    title: str
    found: str | None
    embedded: bool
    fetched_by: str | None
    told: str


def statuses(folder: Path | None) -> list[Status]:
    """All datasets, looked for in ``folder`` or where datasets are kept."""
    return [_status(each, folder) for each in DATASETS]


def _status(dataset: type[Dataset], folder: Path | None) -> Status:
    kind = dataset.model_fields["kind"].default
    fetched_by = None if dataset.source is None else f"netsim data fetch {kind}"
    found = None if dataset.embedded else _found(dataset, folder)
    told = "embedded" if dataset.embedded else f"in {found}"
    if found is None and not dataset.embedded:
        told = f"missing: {fetched_by}" if fetched_by else f"missing: needs {dataset.files}"
    return Status(kind, dataset.title, found, dataset.embedded, fetched_by, told)


def _found(dataset: type[Dataset], folder: Path | None) -> str | None:
    try:
        return str(dataset(kind=dataset.model_fields["kind"].default).locate(folder))
    except DatasetMissing:
        return None
