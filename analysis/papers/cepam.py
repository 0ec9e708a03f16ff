"""CEPAM, Tables I and II: accuracy on MNIST with Gaussian and with Laplace noise.

    python -m analysis.papers.cepam --out results/papers/cepam

runs scenarios/papers/cepam.yaml, prints the paper's figures beside netsim's, and leaves beside.csv
in the folder.
"""

from analysis.papers.beside import Row, arguments, show, write
from analysis.papers.trained import run, scores

MODELS = {"MLP": "cepam_mlp", "CNN": "cepam_cnn"}
PAPER = {
    "I": {
        "FL": (82.50, 91.34),
        "FL+SDQ": (82.42, 91.46),
        "FL+Gaussian": (83.14, 91.39),
        "FL+Gaussian+SDQ": (83.15, 90.74),
        "CEPAM-Gaussian (n = 1)": (84.42, 91.83),
        "CEPAM-Gaussian (n = 2)": (84.53, 91.61),
        "CEPAM-Gaussian (n = 3)": (83.85, 91.94),
    },
    "II": {
        "FL": (83.02, 91.08),
        "FL+SDQ": (83.28, 91.00),
        "FL+Laplace": (83.78, 90.59),
        "FL+Laplace+SDQ": (83.78, 90.86),
        "CEPAM-Laplace": (85.76, 92.66),
    },
}


def main() -> None:
    """Run the study; print and write the table."""
    given = arguments(__doc__)
    trained = run("cepam", given.out, given.jobs)
    found = scores(trained, "task.model", lambda each: each.curve[-1].accuracy)
    rows = [
        Row(f"Table {table}, {name}", method, printed, found[model, method])
        for table, methods in PAPER.items()
        for at, (name, model) in enumerate(MODELS.items())
        for method, figures in methods.items()
        for printed in (figures[at],)
    ]
    print(show(rows))
    write(rows, given.out / "beside.csv")


if __name__ == "__main__":
    main()
