"""Shatter, Figure 11: accuracy against the rate at which nodes drop out, on MNIST.

    python -m analysis.papers.shatter_dropouts --out results/papers/shatter_dropouts

runs scenarios/papers/shatter_dropouts.yaml, prints the greatest accuracy of EL and Shatter at each
rate, and leaves beside.csv and shatter_dropouts.png in the folder.

The paper's figure is of CIFAR-10 with a ResNet-18, 100 nodes and 300 rounds; it prints no figures.
"""

from analysis.papers.beside import Row, arguments, publish
from analysis.papers.drawn import draw
from analysis.papers.trained import run, scores

RATES = (0.0, 0.1, 0.25, 0.5, 0.75)
METHODS = ("EL", "Shatter")


def main() -> None:
    """Run the study; print, write and draw."""
    given = arguments(__doc__)
    trained = run("shatter_dropouts", given.out, given.jobs)
    found = scores(trained, "failures.nodes.rate", lambda each: each.best.accuracy)
    rows = [
        Row(f"{rate:.0%} dropouts", method, None, found[rate, method])
        for method in METHODS
        for rate in RATES
    ]
    publish(rows, given.out)
    lines = {name: {100 * rate: found[rate, name] for rate in RATES} for name in METHODS}
    picture = given.out / "shatter_dropouts.png"
    draw(lines, "dropout rate, %", "greatest test accuracy, %", picture)


if __name__ == "__main__":
    main()
