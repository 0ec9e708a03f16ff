"""Where datasets are kept."""

import os
from collections.abc import Iterable
from pathlib import Path


def folders(dataset: str, given: Path | None) -> list[Path]:
    """Where the files of ``dataset`` may be, in the order to look.

    Only ``given/<dataset>`` and ``given`` if a folder is given; else ``$NETSIM_DATA/<dataset>``,
    ``$NETSIM_DATA`` and the user's data folder.
    """
    if given is not None:
        return [given / dataset, given]
    own = os.environ.get("NETSIM_DATA")
    from_variable = [Path(own) / dataset, Path(own)] if own else []
    return [*from_variable, home(dataset)]


def home(dataset: str) -> Path:
    """The folder of ``dataset`` in the user's data folder (XDG base directories)."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "netsim" / "data" / dataset


def first_with(places: Iterable[Path], files: Iterable[str]) -> Path | None:
    """The first folder that holds every one of ``files``, packed (.gz) or not."""
    names = list(files)
    return next((place for place in places if all(packed(place, name) for name in names)), None)


def packed(folder: Path, name: str) -> Path | None:
    """The file called ``name`` or ``name.gz``, if there is one."""
    candidates = (folder / name, folder / f"{name}.gz")
    return next((path for path in candidates if path.is_file()), None)
