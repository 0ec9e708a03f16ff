"""Names for the runs of a study, whatever their order in the file."""

from collections.abc import Iterable, Mapping
from typing import Any, final

from netsim.protocols.base import ProtocolConfig


@final
class Labels:
    """A name for each of ``runs`` (with the number of clients): as given, or what it is.

    Runs that would have one name are told apart by the settings in which they differ.
    """

    def __init__(self, runs: Iterable[tuple[ProtocolConfig, int]]) -> None:
        self._values: dict[str, dict[str, set[str]]] = {}
        for run, clients in runs:
            if run.label is None:
                values = self._values.setdefault(run.describe(clients), {})
                for key, value in _settings(run).items():
                    values.setdefault(key, set()).add(value)

    def of(self, run: ProtocolConfig, clients: int) -> str:
        """The name of one of them."""
        if run.label is not None:
            return run.label
        name, own = run.describe(clients), _settings(run)
        apart = [key for key, values in self._values[name].items() if len(values) > 1]
        return ", ".join([name, *(f"{key}={own[key]}" for key in apart if key in own)])


def _settings(run: ProtocolConfig) -> dict[str, str]:
    return _flat(run.model_dump(mode="json", by_alias=True, exclude={"label"}), "")


def _flat(value: Any, at: str) -> dict[str, str]:
    """Settings by their dotted names."""
    if not isinstance(value, Mapping):
        return {at: str(value)}
    inner = [_flat(each, f"{at}.{key}".lstrip(".")) for key, each in value.items()]
    return {key: each for part in inner for key, each in part.items()}
