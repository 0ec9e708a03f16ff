"""CEPAM, Theorems 12 and 13: what they leave out."""

from collections.abc import Iterator
from typing import Any, Final

from netsim.studies.validate.leakage.judged import Claim, LeakageRow, judge
from netsim.studies.validate.leakage.watched import Place, watch

_PLACE: Final = Place(clients=10, parameters=2000, rounds=2)
_THEOREMS: Final[dict[str, tuple[str, str]]] = {
    "cepam_gaussian": (
        "12",
        "Eq. 15 has one client's norm for all, and the printed δ, 9.69e-3, is Eq. 16's without any "
        "noise",
    ),
    "cepam_laplace": (
        "13",
        "Theorem 10 behind it has the sign wrong, and its sensitivity is that of one coordinate, "
        "up to √m too small for all m",
    ),
}
_TRUSTED: Final = (
    "(ε, δ) of the mean towards other clients; the aggregator is trusted, and gets every "
    "coordinate, quantised, with the norm"
)
_OTHERS: Final = "no message of one client reaches another; the bound is of the mean they see"


def cepam_rows() -> Iterator[LeakageRow]:
    """A run for each mechanism: what the server gets, and what all other clients do."""
    for kind, (theorem, errata) in _THEOREMS.items():
        run = watch({"kind": kind}, _PLACE)
        server = _claim(kind, theorem, "server", f"{_TRUSTED}.  {errata}")
        yield judge(server, run.received_by([_PLACE.clients]))
        others = _claim(kind, theorem, f"{_PLACE.clients - 1} other clients", _OTHERS)
        yield judge(others, run.received(_PLACE.clients - 1, range(_PLACE.clients)))


def _claim(kind: str, theorem: str, coalition: str, reason: str) -> Claim:
    values: dict[str, Any] = {
        "source": f"CEPAM Theorem {theorem}",
        "protocol": kind,
        "setting": "by default",
    }
    return Claim(
        **values,
        coalition=coalition,
        quantity="coordinates/round",
        bound=None,
        standing="silent",
        reason=reason,
    )
