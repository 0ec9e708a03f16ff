"""ERIS v1, Figure 8: accuracy against ω of its shifted compression, on MNIST.

    python -m analysis.papers.eris_compression --out results/papers/eris_compression

runs scenarios/papers/eris_compression.yaml, prints accuracy at the round in which FedAvg converged,
and leaves beside.csv and eris_compression.png in the folder.  At ω = 0 ERIS is FedAvg to the bit,
and FedAvg is what is run.

The paper's figure is of CIFAR-10 and prints no figures but one: up to ω = 340 accuracy stays.
"""

from analysis.papers.beside import Row, arguments, publish
from analysis.papers.drawn import draw
from analysis.papers.trained import capped, run

SIZES = (16, 64)
OMEGAS = ("0", "30", "340", "1000", "3000")


def main() -> None:
    """Run the study; print, write and draw."""
    given = arguments(__doc__)
    found = capped(run("eris_compression", given.out, given.jobs), by="0")
    rows = [
        Row(f"{size} samples", f"ω = {omega}", None, found[size, omega])
        for size in SIZES
        for omega in OMEGAS
    ]
    publish(rows, given.out)
    lines = {
        f"{size} samples": {float(omega): found[size, omega] for omega in OMEGAS} for size in SIZES
    }
    picture = given.out / "eris_compression.png"
    draw(lines, "ω", "test accuracy, %", picture, ticks=OMEGAS)


if __name__ == "__main__":
    main()
