"""What parts of a Gaussian vector tell of each other, exactly; information in nats."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Float64 = npt.NDArray[np.float64]
Bool = npt.NDArray[np.bool_]


class Spectrum(NamedTuple):
    """The least and the largest eigenvalue of a matrix, and its trace."""

    lowest: float
    highest: float
    trace: float


def information_nats(covariance_NN: Float64, received_N: Bool) -> float:
    """I(X; Y) between the coordinates that were received and the others, Shatter Eq. 11.

    ½ ln(det Σ_X det Σ_Y / det Σ) for a positive definite Σ; 0 where either part is empty.

    >>> pair = np.array([[1.0, 0.6], [0.6, 1.0]])
    >>> round(information_nats(pair, np.array([True, False])), 4)
    0.2231
    """
    parts = (_part(covariance_NN, mask, mask) for mask in (received_N, ~received_N))
    first, second, both = (np.linalg.slogdet(part)[1] for part in (*parts, covariance_NN))
    return max(0.0, float(first + second - both) / 2)


def conditional_spectrum(covariance_NN: Float64, received_N: Bool) -> Spectrum:
    """Of Σ_X − Σ_XY Σ_Y⁻¹ Σ_YX, the covariance of what was received given the others.

    α, β and the trace of Shatter's Theorem 4, whose Schur complement this is.

    >>> pair = np.array([[1.0, 0.6], [0.6, 1.0]])
    >>> round(conditional_spectrum(pair, np.array([True, False])).trace, 4)
    0.64
    """
    across = _part(covariance_NN, received_N, ~received_N)
    rest = _part(covariance_NN, ~received_N, ~received_N)
    left = _part(covariance_NN, received_N, received_N) - across @ np.linalg.solve(rest, across.T)
    eigenvalues = np.linalg.eigvalsh(left)
    return Spectrum(float(eigenvalues[0]), float(eigenvalues[-1]), float(eigenvalues.sum()))


def neighbouring_covariance(n: int, correlation: float) -> Float64:
    """ρ^|i−j|, Float64[n, n]: variances of 1, and neighbours the most alike; for |ρ| < 1.

    >>> neighbouring_covariance(3, 0.5)[0].tolist()
    [1.0, 0.5, 0.25]
    """
    place = np.arange(n)
    return np.asarray(correlation ** np.abs(place[:, None] - place), np.float64)


def _part(matrix_NN: Float64, rows_N: Bool, columns_N: Bool) -> Float64:
    return matrix_NN[np.ix_(rows_N, columns_N)]
