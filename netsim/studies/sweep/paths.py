"""Fields of a scenario by their paths: ``network.uplink``, ``runs.1.aggregators``."""

from typing import Any

from netsim.scenario.config import Config
from netsim.scenario.errors import Loc

Path = tuple[str, ...]


class NoSuchPlace(ValueError):
    """A path that leads into nothing that could hold it."""


def paths_in(key: str) -> list[Path]:
    """The paths that a key names, parted by commas."""
    return [tuple(path.strip().split(".")) for path in key.split(",")]


def put(data: Any, path: Path, value: Any) -> Loc:
    """Set a field of plain data, in place; returns where it now is.

    What is on the way and missing is made; a text on the way is short for its kind.  Raises
    `NoSuchPlace`.
    """
    here, loc = data, list[str | int]()
    for depth, step in enumerate(path):
        place: str | int = step
        if isinstance(here, list):
            if step not in map(str, range(len(here))):
                raise NoSuchPlace(f"{'.'.join(path[:depth])} has entries 0 to {len(here) - 1}")
            place = int(step)
        elif not isinstance(here, dict):
            raise NoSuchPlace(f"{'.'.join(path[:depth])} holds no fields")
        loc.append(place)
        if depth < len(path) - 1:
            here[place] = _opened(here.get(place) if isinstance(here, dict) else here[place])
            here = here[place]
    here[loc[-1]] = value
    return tuple(loc)


def _opened(value: Any) -> Any:
    """What stands on the way, ready to be stepped into."""
    if value is None:
        return {}
    return {"kind": value} if isinstance(value, str) else value


def value_at(model: Any, path: Path) -> Any:
    """The field of a model, in base units; None where there is none."""
    for step in path:
        if isinstance(model, Config):
            names = {field.alias or name: name for name, field in type(model).model_fields.items()}
            model = getattr(model, names[step]) if step in names else None
        elif isinstance(model, dict):
            model = {str(key): value for key, value in model.items()}.get(step)
        elif isinstance(model, tuple):
            model = model[int(step)] if step.isdecimal() and int(step) < len(model) else None
        else:
            return None
    return model
