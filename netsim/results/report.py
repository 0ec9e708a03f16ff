"""``report.html``: one page that holds everything it shows and links to nothing outside."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from netsim.learning.metrics import Metric
from netsim.results import format
from netsim.results.figures import RunFigures, headline_target, run_figures
from netsim.results.plot_style import inline_svg
from netsim.results.plots import METRIC_LABELS, metric_label
from netsim.results.ranking import busiest_links, slowest
from netsim.results.records import RoundRecord, RunResult
from netsim.results.why_words import round_in_words
from netsim.results.words import bound_in_words, without_samples_in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CAPTIONS = {
    **{
        f"{name}_over_time": f"{label} over virtual time, at the end of each round"
        for name, label in METRIC_LABELS.items()
    },
    **{f"{name}_over_rounds": f"{label} over rounds" for name, label in METRIC_LABELS.items()},
    "distribution_time": "Distribution time of each round: while a transfer is on its way",
    "bytes": "Bytes sent by all nodes together; hatched: lost in aborted transfers",
}
_MAX_ROUNDS = 200
"""Rounds listed a run; of more, the first and the last half of these."""
_MOST_LINKS = 5


def render(
    scenario_name: str,
    seed: int,
    runs: Sequence[RunResult],
    resolved_yaml: str,
    manifest: Mapping[str, Any],
    figures: Mapping[str, "Figure"],
) -> str:
    """The page's HTML; call inside ``plot_style.style()``. All texts are escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("netsim.results"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pictures = [(_CAPTIONS[name], Markup(inline_svg(figure))) for name, figure in figures.items()]
    return environment.get_template("report.html.j2").render(
        scenario=scenario_name,
        seed=seed,
        manifest=manifest,
        resolved_yaml=resolved_yaml,
        figures=pictures,
        runs=[_run(run, headline_target(runs)) for run in runs],
        target=_target(runs),
        left_out=without_samples_in_words(runs[0]),
        learns=any(r.value(run.metric) is not None for run in runs for r in run.rounds),
        metric=metric_label(runs),
        validates=any(r.validation_loss is not None for run in runs for r in run.rounds),
    )


def _target(runs: Sequence[RunResult]) -> str | None:
    goal = headline_target(runs)
    return None if goal is None else format.target(goal)


def _run(run: RunResult, goal: float | None) -> dict[str, Any]:
    figures = run_figures(run)
    return {
        "label": run.label,
        "protocol": run.protocol,
        "failure": run.failure,
        "params": ", ".join(f"{name}: {_value(value)}" for name, value in run.params.items()),
        "rounds": len(run.rounds),
        "bound": None if run.bound is None else bound_in_words(run.bound),
        "digest": run.digest,
        "model_digest": run.model_digest,
        "messages": _messages(figures),
        "round_rows": list(_round_rows(run)),
        "best_round": _best_round(figures, run),
        **_slowest(run),
        **_cells(figures, goal, run.metric),
    }


def _best_round(figures: RunFigures, run: RunResult) -> str:
    best = figures.best_round
    if best is None or best.validation_loss is None:
        return "-"
    value = format.metric(run.metric.name, best.value(run.metric))
    return f"round {best.round}: validation loss {format.digits(best.validation_loss)}, {value}"


def _slowest(run: RunResult) -> dict[str, Any]:
    """Why the slowest round took its time, and its busiest links."""
    at = slowest([record.end_s - record.start_s for record in run.rounds])
    if at is None:
        return {"slowest": None, "why": None, "links": []}
    record = run.rounds[at]
    length_s = record.end_s - record.start_s
    return {
        "slowest": record.round,
        "why": record.why and round_in_words(record.round, length_s, record.why),
        "links": [
            (
                each.link,
                format.percent(each.utilisation),
                format.byte_size(format.as_bytes(each.bits)),
            )
            for each in busiest_links(run.links, record.round, _MOST_LINKS)
        ],
    }


def _cells(figures: RunFigures, goal: float | None, metric: Metric) -> dict[str, str]:
    traffic = figures.traffic
    return {
        "final": format.metric(metric.name, figures.final_metric),
        "best": format.metric(metric.name, figures.best_metric),
        "time_to": "-" if goal is None else format.seconds(figures.time_to_accuracy_s.get(goal)),
        "distribution": format.seconds(figures.distribution_s.mean),
        "simulated": format.seconds(figures.simulated_time_s),
        "sent": format.byte_size(format.as_bytes(traffic.sent_bits)),
        "lost": format.byte_size(format.as_bytes(traffic.lost_bits)),
        "upload": format.byte_size(figures.upload_per_node_bytes),
        "upload_max": format.byte_size(figures.upload_per_node_max_bytes),
        "download": format.byte_size(figures.download_per_node_bytes),
        "seen": format.accuracy(figures.seen_share),
        "download_max": format.byte_size(figures.download_per_node_max_bytes),
    }


def _value(value: Any) -> str:
    """A parameter as text, a group of them in brackets."""
    if isinstance(value, Mapping):
        return "(" + ", ".join(f"{name}: {_value(item)}" for name, item in value.items()) + ")"
    return str(value)


def _messages(figures: RunFigures) -> str:
    counts = [f"{count:,} {kind}" for kind, count in figures.messages.items()]
    if figures.aborted_messages:
        counts.append(f"{figures.aborted_messages:,} of them aborted")
    if figures.local_messages:
        counts.append(f"{figures.local_messages:,} of them inside a node")
    return ", ".join(counts)


def _round_rows(run: RunResult) -> Iterator[list[str] | None]:
    """Cells a round; None where rounds are left out."""
    rows = [_round_row(record, run.metric) for record in run.rounds]
    half = _MAX_ROUNDS // 2
    if len(rows) <= _MAX_ROUNDS:
        yield from rows
        return
    yield from rows[:half]
    yield None
    yield from rows[-half:]


def _round_row(record: RoundRecord, metric: Metric) -> list[str]:
    times = (
        record.end_s,
        record.end_s - record.start_s,
        record.distribution_s,
        record.compute_s,
        record.idle_s,
    )
    traffic = record.traffic
    return [
        str(record.round),
        *map(format.seconds, times),
        format.byte_size(format.as_bytes(traffic.sent_bits)),
        format.byte_size(format.as_bytes(traffic.lost_bits)),
        _number(record.lr),
        _number(record.loss),
        _number(record.validation_loss),
        format.metric(metric.name, record.value(metric)),
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else format.digits(value)
