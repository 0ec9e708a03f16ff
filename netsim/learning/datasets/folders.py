"""Where datasets are kept."""

import os
from collections.abc import Iterable, Sequence
from importlib.machinery import PathFinder
from pathlib import Path


def folders(names: Sequence[str], given: Path | None) -> list[Path]:
    """Where a dataset may be whose folder has one of ``names``, in the order to look.

    Only in folders of ``given`` and itself if that is given; else of ``$NETSIM_DATA`` and of the
    user's data folder.
    """
    if given is not None:
        return [*(given / name for name in names), given]
    own = os.environ.get("NETSIM_DATA")
    from_variable = [*(Path(own) / name for name in names), Path(own)] if own else []
    return [*from_variable, *(home(name) for name in names)]


def home(dataset: str) -> Path:
    """The folder of ``dataset`` in the user's data folder (XDG base directories)."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "netsim" / "data" / dataset


def in_package(package: str, inside: str) -> list[Path]:
    """The folder ``inside`` an installed Python package, which is not imported; or none."""
    found = PathFinder.find_spec(package)
    roots = [] if found is None else found.submodule_search_locations or []
    return [Path(root) / inside for root in roots]


def first_with(places: Iterable[Path], files: Iterable[str]) -> Path | None:
    """The first folder that holds every one of ``files``, packed (.gz) or not."""
    names = list(files)
    return next((place for place in places if all(packed(place, name) for name in names)), None)


def packed(folder: Path, name: str) -> Path | None:
    """The file called ``name`` or ``name.gz``, if there is one."""
    candidates = (folder / name, folder / f"{name}.gz")
    return next((path for path in candidates if path.is_file()), None)
