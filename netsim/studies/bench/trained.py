"""What one bench case of training came to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Trained:
    """``seconds`` of wall time a round (median), the process's peak memory, and the strategy
    that computed the ``gradients``.

    ``peer`` is the plain loop in the same process, None where none was run: its seconds a round,
    the ``ratio`` of rounds a second to the peer's (median of those of the turns), and the
    ``error`` ‖g − g′‖/‖g′‖ of the clients' gradients, the largest of all clients.
    """

    case: str
    seconds: float
    rounds_per_s: float
    peak_memory_bytes: int
    gradients: str
    peer: str | None = None
    peer_seconds: float | None = None
    ratio: float | None = None
    error: float | None = None
