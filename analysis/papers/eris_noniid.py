"""ERIS v1, Table 13: accuracy on MNIST with clients that differ, mean over the sizes.

    python -m analysis.papers.eris_noniid --out results/papers/eris_noniid

runs scenarios/papers/eris_noniid.yaml, prints the paper's figures beside netsim's, and leaves
beside.csv in the folder.  Without compression ERIS is FedAvg to the bit.
"""

from analysis.papers.beside import arguments
from analysis.papers.means import compare

PAPER = {"FedAvg": 84.80, "ERIS (ω = 30)": 85.10}


def main() -> None:
    """Run the study; print and write the table."""
    compare("eris_noniid", PAPER, arguments(__doc__))


if __name__ == "__main__":
    main()
