"""Every figure of the papers beside its formula and its simulation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from netsim.studies.validate.papers.methods import readings_of
from netsim.studies.validate.papers.reading import compare
from netsim.studies.validate.written import Published
from netsim.theory.papers import Figure, figures

_WHY: Final[Mapping[str, str]] = {
    "eris_v1 section F.2.2": "Eq. 53 gives another ratio (erratum 4)",
    "eris_v2 section F.2.2": "Eq. 53 gives another ratio (erratum 5)",
    "shatter": "a node gets r models wherever its virtual nodes sit, not one (erratum 7)",
}
"""Why no reading fits, by source or by method."""


@final
@dataclass(frozen=True)
class PaperRow(Published):
    """A printed figure, ``paper``, and what formula and simulation give, in the same unit."""

    source: str
    setting: str
    method: str
    quantity: str
    paper: float
    formula: float
    simulated: float | None
    verdict: str
    reason: str


def row_of(figure: Figure) -> PaperRow:
    """Compute, simulate and compare a figure."""
    why = _WHY.get(figure.source) or _WHY.get(figure.method) or "no reading gives it"
    outcome = compare(readings_of(figure), figure.quantity, figure.agrees, why)
    return PaperRow(
        source=figure.source,
        setting=figure.setting,
        method=figure.method,
        quantity=figure.quantity,
        paper=figure.value,
        formula=outcome.formula,
        simulated=outcome.simulated,
        verdict=outcome.verdict,
        reason=outcome.reason,
    )


def paper_rows() -> Iterator[PaperRow]:
    """All rows, in the order of the papers."""
    return map(row_of, figures())
