"""Printed figures beside measured ones, as a table and as CSV."""

import argparse
import csv
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """A figure of a paper (None if it prints none) and ours, one a seed; in percent."""

    setting: str
    method: str
    paper: float | None
    ours: Sequence[float]

    @property
    def mean(self) -> float:
        """The mean over the seeds."""
        return statistics.fmean(self.ours)

    @property
    def spread(self) -> float:
        """The standard deviation over the seeds; 0 for one alone."""
        return statistics.stdev(self.ours) if len(self.ours) > 1 else 0.0

    @property
    def gap(self) -> float | None:
        """Ours less the paper's."""
        return None if self.paper is None else self.mean - self.paper


def show(rows: Iterable[Row]) -> str:
    """The table as text."""
    lines = [f"{'setting':<24} {'method':<24} {'paper':>7} {'netsim':>15} {'gap':>7}"]
    for row in rows:
        paper = "-" if row.paper is None else f"{row.paper:.2f}"
        gap = "-" if row.gap is None else f"{row.gap:+.2f}"
        ours = f"{row.mean:.2f} ± {row.spread:.2f}"
        lines.append(f"{row.setting:<24} {row.method:<24} {paper:>7} {ours:>15} {gap:>7}")
    return "\n".join(lines)


def publish(rows: Sequence[Row], folder: Path) -> None:
    """Print the table, and leave it as beside.csv in the folder."""
    print(show(rows))
    write(rows, folder / "beside.csv")


def by_size(
    paper: Mapping[str, Sequence[float]],
    sizes: Sequence[int],
    found: Mapping[tuple[int, str], Sequence[float]],
) -> list[Row]:
    """A row for each method and number of samples a client; ``paper`` has one figure a size."""
    return [
        Row(f"{size} samples", method, printed, found[size, method])
        for method, figures in paper.items()
        for size, printed in zip(sizes, figures, strict=True)
    ]


def write(rows: Iterable[Row], path: Path) -> None:
    """The table as CSV: setting, method, paper, mean, spread, gap, seeds."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["setting", "method", "paper", "mean", "spread", "gap", "seeds"])
        for row in rows:
            figures = (row.paper, row.mean, row.spread, row.gap, len(row.ours))
            table.writerow([row.setting, row.method, *figures])


def arguments(about: str | None) -> argparse.Namespace:
    """``--out`` and ``--jobs`` of a script."""
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=about, formatter_class=shown)
    parser.add_argument("--out", type=Path, required=True, help="folder of the study")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    return parser.parse_args()
