"""The figures of a run that every table, page and file shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from netsim.learning.metrics import Metric
from netsim.results import measure
from netsim.results.format import as_bytes
from netsim.results.records import RoundRecord, RunResult, Traffic


@dataclass(frozen=True)
class Times:
    """Mean, least, greatest and sum of a time over the rounds, in seconds.

    ``mean``, ``min`` and ``max`` are over the rounds that have one; ``total`` needs them all.
    """

    mean: float | None
    min: float | None
    max: float | None
    total: float | None


@dataclass(frozen=True)
class RunFigures:
    """Figures over a whole run; bytes per node are over all nodes, a server included.

    Virtual nodes count as part of the node whose access link they share. ``final_metric`` and
    ``best_metric`` are of the run's own metric; ``best_round`` is the round of least validation
    loss, if there was validation.  ``seen_share`` is the largest share of a client's update that
    one observer received in a round, mean over the rounds; None where it is not known of all.
    """

    final_accuracy: float | None
    best_accuracy: float | None
    final_metric: float | None
    best_metric: float | None
    final_metrics: dict[str, float]
    best_round: RoundRecord | None
    simulated_time_s: float
    distribution_s: Times
    traffic: Traffic
    upload_per_node_bytes: float
    upload_per_node_max_bytes: float
    download_per_node_bytes: float
    download_per_node_max_bytes: float
    aborted_messages: int
    local_messages: int
    messages: dict[str, int]
    time_to_accuracy_s: dict[float, float | None]
    seen_share: float | None


def run_figures(run: RunResult) -> RunFigures:
    """Compute the figures of ``run``."""
    accuracies = [r.accuracy for r in run.rounds if r.accuracy is not None]
    values = [v for r in run.rounds if (v := r.value(run.metric)) is not None]
    hosts = measure.host_traffic(run.transfers)
    upload, upload_max = _mean_and_max(hosts.upload_bits.tolist())
    download, download_max = _mean_and_max(hosts.download_bits.tolist())
    return RunFigures(
        final_accuracy=accuracies[-1] if accuracies else None,
        best_accuracy=max(accuracies, default=None),
        final_metric=values[-1] if values else None,
        best_metric=_best(values, run.metric),
        final_metrics=_last_metrics(run.rounds),
        best_round=_best_round(run.rounds),
        simulated_time_s=run.rounds[-1].end_s if run.rounds else 0.0,
        distribution_s=_times(run.rounds),
        traffic=measure.traffic(run.transfers),
        upload_per_node_bytes=upload,
        upload_per_node_max_bytes=upload_max,
        download_per_node_bytes=download,
        download_per_node_max_bytes=download_max,
        aborted_messages=measure.aborted_messages(run.transfers),
        local_messages=measure.local_messages(run.transfers),
        messages=measure.message_counts(run.transfers),
        time_to_accuracy_s={target: _time_to(run.rounds, target) for target in run.targets},
        seen_share=_mean([r.seen_share for r in run.rounds]),
    )


def _best(values: Sequence[float], metric: Metric) -> float | None:
    if not values:
        return None
    return max(values) if metric.rises else min(values)


def _last_metrics(rounds: Sequence[RoundRecord]) -> dict[str, float]:
    """The other metrics of the last round that was tested."""
    tested = [record.metrics for record in rounds if record.metrics]
    return {name: each.mean for name, each in tested[-1].items()} if tested else {}


def _best_round(rounds: Sequence[RoundRecord]) -> RoundRecord | None:
    """The first round of least validation loss."""
    validated = [record for record in rounds if record.validation_loss is not None]
    return min(validated, key=lambda record: record.validation_loss or 0.0, default=None)


def headline_target(runs: Sequence[RunResult]) -> float | None:
    """The highest accuracy target that some run reaches, else the lowest target, if any."""
    targets = sorted({target for run in runs for target in run.targets})
    best = max(
        (r.accuracy for run in runs for r in run.rounds if r.accuracy is not None), default=0
    )
    return next((t for t in reversed(targets) if t <= best), targets[0] if targets else None)


def _times(rounds: Sequence[RoundRecord]) -> Times:
    times = [r.distribution_s for r in rounds if r.distribution_s is not None]
    if not times:
        return Times(None, None, None, None)
    total = sum(times)
    whole = total if len(times) == len(rounds) else None
    return Times(total / len(times), min(times), max(times), whole)


def _time_to(rounds: Sequence[RoundRecord], target: float) -> float | None:
    """Virtual time at the end of the first round that reaches ``target``."""
    reached = (r.end_s for r in rounds if r.accuracy is not None and r.accuracy >= target)
    return next(reached, None)


def _mean(values: Sequence[float | None]) -> float | None:
    """None without values, or where one is missing."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _mean_and_max(bits: list[int]) -> tuple[float, float]:
    if not bits:
        return 0, 0
    mean = sum(bits) / len(bits) / 8
    return int(mean) if mean.is_integer() else mean, as_bytes(max(bits))
