"""The table of runs that ends a command: coloured in a terminal, plain text elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from netsim.results.figures import RunFigures, headline_target, run_figures
from netsim.results.format import as_bytes, byte_size, metric, percent, ratio, seconds, target
from netsim.results.records import ABORTED, RunResult
from netsim.results.words import without_samples_in_words

if TYPE_CHECKING:
    from rich.table import Table


def show_runs(runs: Sequence[RunResult], stream: TextIO) -> None:
    """Write one line a run to ``stream``, who has nothing to train on, and why runs failed."""
    if stream.isatty():
        from rich.console import Console

        Console(file=stream).print(rich_table(runs))
    else:
        encoding = stream.encoding or "utf-8"
        stream.write(plain_table(runs).encode(encoding, "replace").decode(encoding))


def plain_table(runs: Sequence[RunResult]) -> str:
    """The table in columns of ASCII; only labels and reasons may hold other letters."""
    rows = [_plain(row) for row in (_header(runs), *(_row(run, runs) for run in runs))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join([*lines, *_left_out(runs), *_failures(runs)]) + "\n"


def rich_table(runs: Sequence[RunResult]) -> "Table":
    """The table for a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, caption_justify="left")
    first, *others = _header(runs)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right")
    for run in runs:
        table.add_row(*map(Text, _row(run, runs)), style="" if run.failure is None else "red")
    notes = [*map(Text, _left_out(runs)), *(Text(each, style="red") for each in _failures(runs))]
    if notes:
        table.caption = Text("\n").join(notes)
    return table


def _header(runs: Sequence[RunResult]) -> list[str]:
    names = ["run"]
    if _learns(runs):
        names.append(runs[0].metric.name)
    names += ["distribution/round", "sent"]
    if _aborts(runs):
        names.append("aborted")
    if _validates(runs):
        names.append("best round")
    goal = headline_target(runs)
    if goal is not None:
        names.append(f"time to {target(goal)}")
    return [*names, "÷ optimum"]


def _row(run: RunResult, runs: Sequence[RunResult]) -> list[str]:
    figures: RunFigures = run_figures(run)
    cells = [run.label]
    if _learns(runs):
        cells.append(metric(run.metric.name, figures.final_metric))
    cells.append(seconds(figures.distribution_s.mean))
    cells.append(byte_size(as_bytes(figures.traffic.sent_bits)))
    if _aborts(runs):
        cells.append(_aborted(figures))
    if _validates(runs):
        cells.append(_best_round(figures, run))
    goal = headline_target(runs)
    if goal is not None:
        cells.append(seconds(figures.time_to_accuracy_s.get(goal)))
    return [*cells, ratio(run.bound.ratio if run.bound else None)]


def _learns(runs: Sequence[RunResult]) -> bool:
    """Whether anything was tested: volume payloads are not."""
    return any(r.value(run.metric) is not None for run in runs for r in run.rounds)


def _validates(runs: Sequence[RunResult]) -> bool:
    """Whether samples were held out for validation."""
    return any(r.validation_loss is not None for run in runs for r in run.rounds)


def _aborts(runs: Sequence[RunResult]) -> bool:
    """Whether some message did not arrive."""
    return any((run.transfers.status == ABORTED).any() for run in runs)


def _aborted(figures: RunFigures) -> str:
    """The share of the messages that did not arrive."""
    messages = sum(figures.messages.values()) - figures.local_messages
    return percent(figures.aborted_messages / messages) if messages else "-"


def _best_round(figures: RunFigures, run: RunResult) -> str:
    """The round of least validation loss, and the metric in it."""
    best = figures.best_round
    if best is None:
        return "-"
    return f"{best.round} ({metric(run.metric.name, best.value(run.metric))})"


def _left_out(runs: Sequence[RunResult]) -> list[str]:
    """Who holds nothing to train on, which is the same for all runs of a scenario."""
    text = without_samples_in_words(runs[0])
    return [text] if text else []


def _failures(runs: Sequence[RunResult]) -> list[str]:
    return [f"{run.label}: {run.status}" for run in runs if run.failure is not None]


def _plain(row: list[str]) -> list[str]:
    ascii_cells = [cell.translate({0xB5: "u", 0xD7: "x", 0xF7: "/"}) for cell in row[1:]]
    return [row[0], *ascii_cells]
