"""ERIS v1, Tables 9 and 10: accuracy on CIFAR-10 with 16 and 64 samples a client.

    python -m analysis.papers.eris_cifar10 --out results/papers/eris_cifar10

runs scenarios/papers/eris_cifar10.yaml (hours on one core; a run that was stopped goes on), prints
the paper's figures beside netsim's, and leaves beside.csv in the folder.
"""

from analysis.papers.beside import arguments, by_size, publish
from analysis.papers.trained import capped, run

SIZES = (16, 64)
PAPER = {
    "FedAvg": (34.43, 38.50),
    "ERIS (ω = 170)": (34.62, 38.16),
    "Shatter": (12.42, 12.96),
}


def main() -> None:
    """Run the study; print and write the table."""
    given = arguments(__doc__)
    found = capped(run("eris_cifar10", given.out, given.jobs), by="FedAvg")
    publish(by_size(PAPER, SIZES, found), given.out)


if __name__ == "__main__":
    main()
