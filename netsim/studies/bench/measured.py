"""What one bench case came to."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """``seconds`` of wall time, the virtual ``makespan_s``, the process's peak memory; and the
    ``peer``, its seconds and ``ratio`` = seconds ÷ peer's, None where there is none."""

    case: str
    seconds: float
    makespan_s: float | None
    peak_memory_bytes: int
    peer: str | None = None
    peer_seconds: float | None = None
    ratio: float | None = None
