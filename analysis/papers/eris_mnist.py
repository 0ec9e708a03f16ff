"""ERIS v1, Tables 11 and 12: accuracy on MNIST with 4 to 128 samples a client.

    python -m analysis.papers.eris_mnist --out results/papers/eris_mnist

runs scenarios/papers/eris_mnist.yaml, prints the papers' figures beside netsim's, and leaves
beside.csv in the folder.

ERIS without compression is not run: its model is FedAvg's to the last bit (``model_digest``), and
so are its figures here.
"""

from analysis.papers.beside import arguments, by_size, publish
from analysis.papers.trained import capped, run

SIZES = (4, 8, 16, 32, 64, 128)
PAPER = {
    "FedAvg": (80.69, 86.42, 89.23, 91.48, 92.55, 93.11),
    "ERIS": (80.47, 86.28, 89.27, 91.52, 92.54, 93.12),
    "ERIS (ω = 30)": (78.72, 84.84, 90.26, 92.56, 93.58, 94.02),
    "Shatter": (11.96, 12.32, 14.55, 16.51, 18.50, 21.29),
    "Shatter (1/r)": (11.96, 12.32, 14.55, 16.51, 18.50, 21.29),
    "LDP (ε = 10)": (39.65, 50.84, 64.40, 70.35, 70.43, 70.48),
    "LDP (ε = 1)": (9.73, 10.70, 19.80, 57.75, 70.96, 70.56),
    "SoteriaFL (ε = 10)": (8.83, 32.15, 67.01, 77.95, 78.15, 79.50),
    "SoteriaFL (ε = 1)": (10.31, 10.84, 12.72, 8.49, 40.37, 68.75),
    "PriPrune (p = 0.01)": (47.89, 70.60, 84.81, 87.77, 87.01, 86.38),
    "PriPrune (p = 0.05)": (17.01, 18.97, 26.47, 33.01, 34.81, 33.87),
    "PriPrune (p = 0.1)": (11.99, 13.33, 19.46, 21.08, 20.68, 20.46),
}


def main() -> None:
    """Run the study; print and write the table."""
    given = arguments(__doc__)
    found = capped(run("eris_mnist", given.out, given.jobs), by="FedAvg")
    found |= {(size, "ERIS"): found[size, "FedAvg"] for size in SIZES}
    publish(by_size(PAPER, SIZES, found), given.out)


if __name__ == "__main__":
    main()
