"""What ``netsim explain`` prints."""

from collections.abc import Iterator, Sequence

from netsim.results.explanation import Piece
from netsim.results.format import as_bytes, byte_size, percent, seconds
from netsim.results.reading import ExplainedRound
from netsim.results.why_words import bottleneck_in_words, parts, piece_in_words

_MOST_PIECES = 40


def explanation_text(told: ExplainedRound) -> str:
    """Why one round took its time: what it waited for in turn, and the busiest links."""
    return "\n".join(_lines(told)) + "\n"


def _lines(told: ExplainedRound) -> Iterator[str]:
    which = f", the slowest of {told.rounds}," if told.slowest and told.rounds > 1 else ""
    yield f"{told.run}: round {told.round}{which} took {seconds(told.end_s - told.start_s)}"
    if not told.why.path:
        return
    yield f"  {parts(told.why)}"
    yield ""
    yield from _table(_path_rows(told))
    yield ""
    yield f"  {bottleneck_in_words(told.why)}"
    if told.links:
        yield ""
        yield from _table([["busiest links of the round", "busy", "carried"], *_link_rows(told)])


def _path_rows(told: ExplainedRound) -> list[list[str]]:
    path, half = told.why.path, _MOST_PIECES // 2
    rows = [_path_row(piece, told.start_s) for piece in path]
    if len(rows) > _MOST_PIECES:
        left_out = [f"... {len(rows) - 2 * half} more", "", "", "", "", ""]
        rows = [*rows[:half], left_out, *rows[-half:]]
    return [["critical path", "from", "takes", "latency", "size", "busiest link on its way"], *rows]


def _path_row(piece: Piece, start_s: float) -> list[str]:
    times = [piece_in_words(piece), seconds(piece.start_s - start_s), seconds(piece.length_s)]
    if piece.bits is None or piece.utilisation is None:
        return [*times, "", "", ""]
    size = byte_size(as_bytes(piece.bits))
    link = f"{piece.link} ({percent(piece.utilisation)} busy)"
    return [*times, seconds(piece.latency_s), size, link]


def _link_rows(told: ExplainedRound) -> list[list[str]]:
    return [
        [each.link, percent(each.utilisation), byte_size(as_bytes(each.bits))]
        for each in told.links
    ]


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns of text: numbers to the right, the first and a sixth to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if at in (0, 5) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield f"  {'  '.join(cells)}".rstrip()
