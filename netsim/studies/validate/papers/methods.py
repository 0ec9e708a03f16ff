"""The rows of the papers' tables: in which setting each method is, and how it may be read."""

from collections.abc import Callable, Mapping
from typing import Final

from netsim.studies.validate.papers import central, overlay, sharded
from netsim.studies.validate.papers.amounts import Place
from netsim.studies.validate.papers.reading import Reading
from netsim.studies.validate.papers.speedups import speedup
from netsim.theory.papers import Figure, figures

_RATE_BPS: Final = 160e6
_PLACES: Final[Mapping[str, Place]] = {
    "cnn_dailymail": Place(10, 1_300_000_000, _RATE_BPS),
    "imdb": Place(25, 67_000_000, _RATE_BPS),
    "cifar10": Place(50, 1_650_000, _RATE_BPS),
    "mnist": Place(50, 62_000, _RATE_BPS),
    "r=2 model of 1 MB": Place(10, 250_000, _RATE_BPS),
    "r=6 model of 1 MB": Place(10, 250_000, _RATE_BPS),
}
"""K, n and 20 MB/s (erratum 3); Shatter's Section 5.3 is in letters, for any K, n and rate."""
_DEGREES: Final = {"cnn_dailymail": 3, "r=2 model of 1 MB": 2, "r=6 model of 1 MB": 6}
_DEGREE: Final = 4
_PRUNED: Final[Mapping[str, tuple[float, float, float]]] = {
    "cnn_dailymail": (0.1, 0.2, 0.3),
    "imdb": (0.1, 0.2, 0.3),
    "cifar10": (0.01, 0.05, 0.1),
    "mnist": (0.01, 0.05, 0.1),
}
"""What PriPrune's three rows leave out (erratum 8)."""
_KEPT: Final = {"cnn_dailymail": 0.01, "imdb": 0.00012, "cifar10": 0.006, "mnist": 0.033}
"""What ERIS with DSC keeps; SoteriaFL and the row that matches it keep 5 %."""
_MATCHED: Final = 0.05


def readings_of(figure: Figure) -> list[Reading]:
    """The ways to read what is printed, the paper's own first."""
    if " over " in figure.method:
        return speedup(figure.method, first_version(figure))
    return _METHODS[figure.method](figure)


def first_version(figure: Figure) -> bool:
    """Whether the figure is of ERIS's first version, which compresses the downlink too."""
    return figure.source.startswith("eris_v1")


def _place(figure: Figure) -> Place:
    return _PLACES[figure.setting]


def _degree(figure: Figure) -> int:
    return _DEGREES.get(figure.setting, _DEGREE)


def _priprune(figure: Figure) -> list[Reading]:
    row = int(figure.method[-1]) - 1
    upload_MB = next(
        each.value
        for each in figures()
        if (each.source, each.setting, each.method, each.quantity)
        == (figure.source, figure.setting, figure.method, "upload_MB")
    )
    rate = _PRUNED[figure.setting][row]
    return central.priprune(_place(figure), rate, first_version(figure), upload_MB)


def _eris(kept: Callable[[Figure], float]) -> Callable[[Figure], list[Reading]]:
    return lambda figure: sharded.eris(_place(figure), kept(figure), first_version(figure))


def _shatter(figure: Figure) -> list[Reading]:
    counted = overlay.section if figure.source.startswith("shatter") else overlay.shatter
    return counted(_place(figure), _degree(figure))


_METHODS: Final[Mapping[str, Callable[[Figure], list[Reading]]]] = {
    "fedavg": lambda figure: central.fedavg(_place(figure)),
    "priprune_p1": _priprune,
    "priprune_p2": _priprune,
    "priprune_p3": _priprune,
    "soteriafl": lambda figure: central.soteriafl(_place(figure), _MATCHED, first_version(figure)),
    "eris": _eris(lambda figure: 1.0),
    "eris_dsc_5pct": _eris(lambda figure: _MATCHED),
    "eris_dsc": _eris(lambda figure: _KEPT[figure.setting]),
    "shatter": _shatter,
    "dpsgd": lambda figure: overlay.dpsgd(_place(figure), _degree(figure)),
    "ako": lambda figure: overlay.ako(_place(figure)),
    "qdpsgd1": lambda figure: overlay.qdpsgd(_place(figure)),
}
