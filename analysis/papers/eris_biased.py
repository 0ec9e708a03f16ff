"""ERIS v1, Table 14: accuracy on MNIST after several local steps, mean over the sizes.

    python -m analysis.papers.eris_biased --out results/papers/eris_biased

runs scenarios/papers/eris_biased.yaml, prints the paper's figures beside netsim's, and leaves
beside.csv in the folder.  Without compression ERIS is FedAvg to the bit.
"""

from analysis.papers.beside import arguments
from analysis.papers.means import compare

PAPER = {"FedAvg": 89.95, "ERIS (ω = 30)": 90.16}


def main() -> None:
    """Run the study; print and write the table."""
    compare("eris_biased", PAPER, arguments(__doc__))


if __name__ == "__main__":
    main()
