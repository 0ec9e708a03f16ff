"""A study looked over: its figures drawn, and what they show in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from netsim.results.errors import ResultsError, unwritable
from netsim.studies.survey.curves import Panel, panels
from netsim.studies.survey.figures import draw_curves
from netsim.studies.survey.table import StudyTable
from netsim.studies.survey.words import crossing_lines, elasticity_rows, setting_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 12


@dataclass(frozen=True)
class Finding:
    """What one figure shows at one setting: who is best where, and elasticities."""

    y: str
    x: str
    setting: str
    crossings: Sequence[str]
    elasticities: Sequence[tuple[str, str, str, str]]


def survey(
    table: StudyTable, x: str, ys: Sequence[str], by: str
) -> "tuple[dict[str, Figure], list[Finding]]":
    """Figures by file name and what they show; call inside ``plot_style.style()``.

    Raises ``ResultsError`` for a column that is none or has one value, or too many panels.
    """
    if len(table.numbers(table.column(x))) == 1:
        raise ResultsError(f"{x!r} has one value in all cells; name another field by --x")
    figures: dict[str, Figure] = {}
    findings: list[Finding] = []
    for y in map(table.column, ys):
        shown = panels(table, x, y, by)
        check_panels(shown)
        lines = "" if by == "label" else f"_for_{by}"
        figures[f"{y}_by_{table.column(x)}{lines}"] = draw_curves(shown, table, table.column(x), y)
        findings += [_finding(panel, table, table.column(x), y) for panel in shown]
    return figures, findings


def save(figures: "Mapping[str, Figure]", folder: Path) -> None:
    """Write the figures; raises ``ResultsError`` where that cannot be."""
    from netsim.results import plot_style

    try:
        folder.mkdir(parents=True, exist_ok=True)
        plot_style.save(figures, folder)
    except OSError as error:
        raise unwritable(folder, error) from error


def check_panels(shown: Sequence[Any]) -> None:
    """Raises ``ResultsError`` for more than a page holds."""
    if len(shown) > MOST_PANELS:
        raise ResultsError(
            f"{len(shown)} panels, more than {MOST_PANELS}; choose some by --where, "
            "or draw a field as lines by --by"
        )


def _finding(panel: Panel, table: StudyTable, x: str, y: str) -> Finding:
    best = [] if "accuracy" in y else crossing_lines(panel, table, x, y)
    return Finding(y, x, setting_text(panel.setting, table), best, elasticity_rows(panel))
