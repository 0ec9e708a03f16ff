"""Tables of ERIS v1 that give one mean over all sizes of the clients' data."""

from argparse import Namespace
from collections.abc import Mapping
from statistics import fmean

from analysis.papers.beside import Row, publish
from analysis.papers.trained import capped, run

SIZES = (4, 8, 16, 32, 64, 128)


def compare(name: str, paper: Mapping[str, float], given: Namespace) -> None:
    """Run study ``name``; print and write its means, and what they are the means of."""
    found = capped(run(name, given.out, given.jobs), by="FedAvg")
    rows = []
    for method, printed in paper.items():
        sizes = [found[size, method] for size in SIZES]
        means = [fmean(each) for each in zip(*sizes, strict=True)]
        rows.append(Row("mean", method, printed, means))
        parts = zip(SIZES, sizes, strict=True)
        rows += [Row(f"{size} samples", method, None, each) for size, each in parts]
    publish(rows, given.out)
